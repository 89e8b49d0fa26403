package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the settings with the actions that {@code feeds promote} moved, and the policy that
 * they make with the feeds that are enabled and the entries about recipients. Made by {@link
 * Blocklists}; asked by sessions and commands on their threads; changed by reloads, commands and
 * the chore that judges feeds, one at a time.
 */
public final class RulesInForce {

  private static final Logger LOG = LoggerFactory.getLogger(RulesInForce.class);

  private final FeedActions actions;
  private final Supplier<Set<String>> disabled;
  private final Supplier<Map<String, RecipientEntry>> recipients;
  private final LiveSnapshot live;
  private final InstantSource clock;
  private ListRules ofFile;
  private volatile Made made;

  /**
   * A policy together with what it was made from.
   *
   * @param recipients compared as an object
   */
  private record Made(
      ListRules rules,
      Set<String> disabled,
      Map<String, RecipientEntry> recipients,
      Policy policy) {}

  /**
   * Makes the first policy.
   *
   * @param disabled names of the feeds that do not count now
   * @param recipients entries of commands by subject: another object after a change
   */
  RulesInForce(
      ListRules ofFile,
      FeedActions actions,
      Supplier<Set<String>> disabled,
      Supplier<Map<String, RecipientEntry>> recipients,
      LiveSnapshot live,
      InstantSource clock) {
    this.ofFile = ofFile;
    this.actions = actions;
    this.disabled = disabled;
    this.recipients = recipients;
    this.live = live;
    this.clock = clock;
    this.made = settled();
  }

  /** The rules of this moment. */
  ListRules now() {
    return made.rules;
  }

  /** The store of the actions that were moved. */
  FeedActions actions() {
    return actions;
  }

  /** The policy of the moment. */
  @SuppressWarnings("ReferenceEquality") // to compare all entries at every decision is too much
  Policy policy() {
    Made known = made;
    return known.disabled.equals(disabled.get()) && known.recipients == recipients.get()
        ? known.policy
        : again();
  }

  private synchronized Policy again() {
    made = made(made.rules);
    return made.policy;
  }

  private Made made(ListRules rules) {
    Set<String> off = disabled.get();
    Map<String, RecipientEntry> entries = recipients.get();
    Policy policy = rules.policy(off).withEntries(entries, rules.settings().profiles());
    return new Made(rules, off, entries, policy);
  }

  private Made settled() {
    actions.settle(ofFile.settings()).forEach(line -> LOG.warn("{}", line));
    return made(ofFile.with(actions.inForce(ofFile.settings())));
  }

  /** Uses the rules of other settings. */
  synchronized void configure(ListRules fresh) {
    ofFile = fresh;
    made = settled();
  }

  /** The order that {@code feeds promote} gave about a feed; empty for none. */
  public Optional<FeedPromotion> of(String feed) {
    return actions.promotion(feed);
  }

  /**
   * The action of a feed and its beginning, as of the last {@link #note}; empty when it never
   * acted.
   */
  public Optional<FeedActions.Acting> acting(String feed) {
    return actions.acting(feed);
  }

  /**
   * Keeps what is said of a feed, and uses its action at once.
   *
   * @param promotion {@code null} for the action of the settings
   * @throws IOException when it is not on the disk; nothing has changed then
   */
  public synchronized void put(String feed, @Nullable FeedPromotion promotion) throws IOException {
    actions.put(feed, promotion);
    made = made(ofFile.with(actions.inForce(ofFile.settings())));
    note();
  }

  /** Notes since when which feed acts how: a chore that may block. */
  public void note() {
    Settings settings = now().settings();
    SnapshotManifest manifest = live.current().manifest();
    Map<String, Action> acting = new HashMap<>();
    policy()
        .feeds()
        .forEach((name, rule) -> {
          if (settings.feeds().dnsLists().containsKey(name) || manifest.feed(name).isPresent()) {
            acting.put(name, rule.action());
          }
        });
    actions.note(settings, acting, clock.instant());
  }

  /** The source of a feed of the settings, as promotions name it. */
  public String source(String feed) {
    return FeedActions.source(now().settings(), feed);
  }
}

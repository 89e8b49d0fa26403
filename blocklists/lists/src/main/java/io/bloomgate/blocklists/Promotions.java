package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The orders that {@code feeds promote} gave about feeds, and since when each acts as it does. Made
 * by {@link Blocklists}; asked and changed by commands and by the chore that judges feeds, on any
 * thread that may block.
 */
public final class Promotions {

  private final RulesInForce rules;
  private final LivePolicy policy;
  private final LiveSnapshot live;
  private final InstantSource clock;

  Promotions(RulesInForce rules, LivePolicy policy, LiveSnapshot live, InstantSource clock) {
    this.rules = rules;
    this.policy = policy;
    this.live = live;
    this.clock = clock;
  }

  /** The order about a feed; empty for none. */
  public Optional<FeedPromotion> of(String feed) {
    return rules.actions().promotion(feed);
  }

  /**
   * The action of a feed and its beginning, as of the last {@link #note}; empty when it never
   * acted.
   */
  public Optional<FeedActions.Acting> acting(String feed) {
    return rules.actions().acting(feed);
  }

  /**
   * Keeps what is said of a feed, and uses its action at once.
   *
   * @param promotion {@code null} for the action of the settings
   * @throws IOException when it is not on the disk; nothing has changed then
   */
  public void put(String feed, @Nullable FeedPromotion promotion) throws IOException {
    policy.configure(rules.promote(feed, promotion));
    note();
  }

  /** Notes since when which feed acts how: a chore that may block. */
  public void note() {
    Settings settings = rules.now().settings();
    SnapshotManifest manifest = live.current().manifest();
    Policy now = policy.now();
    Map<String, Action> acting = new HashMap<>();
    for (String name : settings.feeds().names()) {
      Policy.FeedRule rule = now.feeds().get(name);
      boolean isLive =
          settings.feeds().dnsLists().containsKey(name) || manifest.feed(name).isPresent();
      if (rule != null && isLive) {
        acting.put(name, rule.action());
      }
    }
    rules.actions().note(settings, acting, clock.instant());
  }

  /** The source of a feed of the settings, as promotions name it. */
  public String source(String feed) {
    return FeedActions.source(rules.now().settings(), feed);
  }
}

package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings about deciding, ready to use. Immutable; a reload makes another one.
 *
 * @param feeds rules of the feeds that count, by name; a listing of any other feed (removed,
 *     disabled) is ignored
 * @param rules what several feeds say together, in the order of the settings
 * @param signs what a session may show without any list
 * @param exemptRecipients local parts, lower-case
 * @param protectedSets what feeds may never refuse
 * @param asked what follows from feeds, rules and signs
 */
public record Policy(
    Map<String, FeedRule> feeds,
    List<ListRule> rules,
    Signs signs,
    Set<String> exemptRecipients,
    List<IpPrefix> exemptNetworks,
    Settings.Policy.OnError onError,
    List<ProtectedSet> protectedSets,
    Asked asked) {

  public Policy {
    feeds = Map.copyOf(feeds);
    rules = List.copyOf(rules);
    exemptRecipients = Set.copyOf(exemptRecipients);
    exemptNetworks = List.copyOf(exemptNetworks);
    protectedSets = List.copyOf(protectedSets);
  }

  /** One that asks what its feeds, rules and signs ask. */
  public Policy(
      Map<String, FeedRule> feeds,
      List<ListRule> rules,
      Signs signs,
      Set<String> exemptRecipients,
      List<IpPrefix> exemptNetworks,
      Settings.Policy.OnError onError,
      List<ProtectedSet> protectedSets) {
    this(
        feeds,
        rules,
        signs,
        exemptRecipients,
        exemptNetworks,
        onError,
        protectedSets,
        Asked.of(feeds, rules, signs));
  }

  /**
   * The questions of decisions about each mail, worked out once: sessions read them at every mail.
   *
   * @param contentChecks the checks of feeds that need the content of the mail
   * @param mayRefuseContent true when such a feed may refuse mail or put it off
   * @param clientName true when the name of a client's address counts: for a sign, or because a
   *     list is asked
   * @param knownSenders true when a rule spares senders whose mail was accepted before
   */
  public record Asked(
      Set<Check> contentChecks,
      boolean mayRefuseContent,
      boolean clientName,
      boolean knownSenders) {

    private static Asked of(Map<String, FeedRule> feeds, List<ListRule> rules, Signs signs) {
      Set<Check> all = EnumSet.noneOf(Check.class);
      feeds.values().forEach(feed -> all.addAll(feed.checks()));
      Set<Check> ofContent = EnumSet.copyOf(Check.OF_CONTENT);
      ofContent.retainAll(all);
      return new Asked(
          Collections.unmodifiableSet(ofContent),
          feeds.entrySet().stream()
              .anyMatch(feed ->
                  !Collections.disjoint(feed.getValue().checks(), Check.OF_CONTENT)
                      && mayRefuse(feed.getValue(), feed.getKey(), rules)),
          signs.needName() || all.contains(Check.CLIENT_NAME),
          rules.stream().anyMatch(ListRule::unlessKnown));
    }
  }

  /**
   * The policy of the settings.
   *
   * @param disabledFeeds feeds that {@code feeds disable} took out
   * @param downstreamAddresses what {@code downstream.host} resolves to
   */
  public static Policy of(
      Settings settings, Set<String> disabledFeeds, List<IpAddress> downstreamAddresses) {
    return of(settings, disabledFeeds, downstreamAddresses, List.of());
  }

  /**
   * The same with sets that no setting of {@code never_block} names: what is the gateway's own, and
   * what {@code feeds.protect} lists.
   */
  public static Policy of(
      Settings settings,
      Set<String> disabledFeeds,
      List<IpAddress> downstreamAddresses,
      List<ProtectedSet> more) {
    return PolicyFactory.policy(settings, disabledFeeds, downstreamAddresses, more);
  }

  /**
   * The sets that are kept out of lists when they are loaded: fewer than those that no list may
   * refuse.
   *
   * @param downstreamAddresses what {@code downstream.host} resolves to
   */
  public static List<ProtectedSet> heldBack(
      Settings settings, List<IpAddress> downstreamAddresses) {
    return PolicyFactory.heldBack(settings, downstreamAddresses);
  }

  /** The same with other rules for feeds. */
  public Policy withFeeds(Map<String, FeedRule> others) {
    return new Policy(
        others, rules, signs, exemptRecipients, exemptNetworks, onError, protectedSets);
  }

  /**
   * The rules by which an operator entry is too wide under these settings.
   *
   * @param downstreamAddresses what {@code downstream.host} resolves to
   */
  public static WidthRules widthRules(Settings settings, List<IpAddress> downstreamAddresses) {
    return new WidthRules(
        settings.domains(),
        PolicyFactory.mailServers(settings, downstreamAddresses),
        settings.policy().exemptNetworks(),
        PublicSuffixes::contains);
  }

  /**
   * True for a recipient that feeds never refuse: local part of an own domain, or bare postmaster.
   */
  public boolean isExempt(Facts.Recipient recipient) {
    return recipient.ownDomain() && exemptRecipients.contains(recipient.localPart());
  }

  /** True when listings of a feed can refuse mail or put it off: alone, or as part of a rule. */
  public boolean mayRefuseFor(String feed) {
    FeedRule rule = feeds.get(feed);
    return rule != null && mayRefuse(rule, feed, rules);
  }

  private static boolean mayRefuse(FeedRule rule, String feed, List<ListRule> rules) {
    return rule.action().refuses() || rules.stream().anyMatch(one -> one.mayRefuseFor(feed));
  }

  /** True when one of the feeds that list a key may refuse mail. */
  public boolean mayRefuseFor(ListAnswer.Listed listed) {
    return listed.listings().stream().anyMatch(one -> mayRefuseFor(one.feed()));
  }

  /**
   * The checks for which the content of mails is read: those that feeds or block entries of the
   * operator ask for. Asked at every mail; with nothing to look for, contents are not read.
   */
  public Set<Check> contentChecks(Lists lists, Instant now) {
    Set<Check> ofEntries = lists.operator().contentChecks(now);
    if (ofEntries.isEmpty()) {
      return asked.contentChecks();
    }
    Set<Check> checks = EnumSet.copyOf(ofEntries);
    checks.addAll(asked.contentChecks());
    return checks;
  }

  /** True when what is looked for in the content of a mail may refuse it or put it off. */
  public boolean mayRefuseContent(Lists lists, Instant now) {
    return asked.mayRefuseContent() || !lists.operator().contentChecks(now).isEmpty();
  }

  /**
   * The rule by which listings of one feed count.
   *
   * @param order position in the settings file, for the join rule
   * @param staleAfter {@code null} together with {@code expireAfter} for feeds that do not age
   */
  public record FeedRule(
      int order,
      Set<Check> checks,
      Action action,
      @Nullable Duration staleAfter,
      @Nullable Duration expireAfter) {

    /** The same with another action. */
    public FeedRule withAction(Action other) {
      return new FeedRule(order, checks, other, staleAfter, expireAfter);
    }
  }
}

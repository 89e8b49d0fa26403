package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings about deciding, ready to use. Immutable; a reload makes another one.
 *
 * @param feeds rules of the feeds that count, by name; a listing of any other feed (removed,
 *     disabled) is ignored
 * @param rules what several feeds say together, in the order of the settings
 * @param signs what a session may show without any list
 * @param protectedSets what feeds may never refuse
 * @param asked what follows from feeds, rules and signs
 * @param recipients whose mail is decided by another policy
 */
public record Policy(
    Map<String, FeedRule> feeds,
    List<ListRule> rules,
    Signs signs,
    List<IpPrefix> exemptNetworks,
    List<IpPrefix> forwarders,
    Settings.Policy.OnError onError,
    List<ProtectedSet> protectedSets,
    Asked asked,
    Recipients recipients) {

  /** The policy without lists, for no recipient. */
  static final Policy NOTHING =
      new Policy(
          Map.of(),
          List.of(),
          Signs.NONE,
          List.of(),
          List.of(),
          Settings.Policy.OnError.ACCEPT,
          List.of(),
          Asked.of(Map.of(), List.of(), Signs.NONE),
          Recipients.NONE);

  public Policy {
    feeds = Map.copyOf(feeds);
    rules = List.copyOf(rules);
    exemptNetworks = List.copyOf(exemptNetworks);
    forwarders = List.copyOf(forwarders);
    protectedSets = List.copyOf(protectedSets);
  }

  /**
   * One that asks what its feeds, rules and signs ask.
   *
   * @param recipients who has which profile, as in the settings
   */
  public Policy(
      Map<String, FeedRule> feeds,
      List<ListRule> rules,
      Signs signs,
      Map<String, RecipientProfile> recipients,
      List<IpPrefix> exemptNetworks,
      List<IpPrefix> forwarders,
      Settings.Policy.OnError onError,
      List<ProtectedSet> protectedSets) {
    this(
        recipients,
        Recipients.ByCommand.NONE,
        new Policy(
            feeds,
            rules,
            signs,
            exemptNetworks,
            forwarders,
            onError,
            protectedSets,
            Asked.of(feeds, rules, signs),
            Recipients.NONE));
  }

  private Policy(
      Map<String, RecipientProfile> recipients, Recipients.ByCommand commands, Policy base) {
    this(
        base.feeds,
        base.rules,
        base.signs,
        base.exemptNetworks,
        base.forwarders,
        base.onError,
        base.protectedSets,
        base.asked,
        Recipients.of(recipients, commands, base));
  }

  /**
   * The questions of decisions about each mail, worked out once: sessions read them at every mail.
   *
   * @param contentChecks the checks of feeds and signs that need the content of the mail
   * @param contentNames the lists, signs and rules that may decide by content, and what counts in
   *     these rules
   * @param mostOfContent the strongest action of these
   * @param clientName true when the name of a client's address counts: for a sign, or because a
   *     list is asked
   * @param knownSenders true when a rule spares senders whose mail was accepted before
   * @param asnLists true when a list of AS numbers is asked, so that each client's is looked up
   * @param asnRules true when a rule has a condition about AS numbers or countries
   */
  public record Asked(
      Set<Check> contentChecks,
      Set<String> contentNames,
      Action mostOfContent,
      boolean clientName,
      boolean knownSenders,
      boolean asnLists,
      boolean asnRules) {

    private static Asked of(Map<String, FeedRule> feeds, List<ListRule> rules, Signs signs) {
      Set<Check> all = EnumSet.noneOf(Check.class);
      feeds.values().forEach(feed -> all.addAll(feed.checks()));
      all.addAll(signs.contentChecks());
      Set<Check> ofContent = EnumSet.copyOf(Check.OF_CONTENT);
      ofContent.retainAll(all);
      Map<String, Action> deciding = new HashMap<>(signs.ofContent());
      feeds.forEach((name, rule) -> {
        if (!Collections.disjoint(rule.checks(), Check.OF_CONTENT)) {
          deciding.put(name, rule.action());
        }
      });
      Set<String> names = new HashSet<>(deciding.keySet());
      for (ListRule rule : rules) {
        if (!Collections.disjoint(rule.lists(), deciding.keySet())) {
          names.addAll(rule.lists());
          names.add(rule.name());
          deciding.put(rule.name(), rule.action());
        }
      }
      // Nobody can be asked to come again with the same content.
      deciding.values().removeIf(Action.GREYLIST::equals);
      return new Asked(
          Collections.unmodifiableSet(ofContent),
          Set.copyOf(names),
          deciding.values().stream().max(Comparator.naturalOrder()).orElse(Action.OBSERVE),
          signs.needName() || all.contains(Check.CLIENT_NAME),
          rules.stream().anyMatch(ListRule::unlessKnown),
          all.contains(Check.ASN),
          rules.stream().anyMatch(ListRule::asksWhere));
    }
  }

  /** The same with other rules for feeds. */
  public Policy withFeeds(Map<String, FeedRule> others) {
    return new Policy(recipients.entries(), recipients.byCommand(), counting(others, rules, signs));
  }

  /** The same for no recipient in particular, where these lists, rules and signs count. */
  private Policy counting(Map<String, FeedRule> lists, List<ListRule> those, Signs shown) {
    return new Policy(
        lists,
        those,
        shown,
        exemptNetworks,
        forwarders,
        onError,
        protectedSets,
        Asked.of(lists, those, shown),
        Recipients.NONE);
  }

  private Policy base() {
    return counting(feeds, rules, signs);
  }

  /**
   * The same with these entries of commands about recipients, and no others.
   *
   * @param entries by subject
   * @param profiles of the settings by name
   */
  public Policy withEntries(
      Map<String, RecipientEntry> entries, Map<String, RecipientProfile> profiles) {
    return entries.isEmpty() && recipients.byCommand().entries().isEmpty()
        ? this
        : new Policy(recipients.entries(), new Recipients.ByCommand(entries, profiles), base());
  }

  /**
   * The same where recipients have another profile.
   *
   * @param entry as {@code recipients} of the settings has it
   */
  public Policy withRecipient(String entry, RecipientProfile profile) {
    Map<String, RecipientProfile> others = new HashMap<>(recipients.entries());
    others.put(entry, profile);
    return new Policy(others, recipients.byCommand().without(entry), base());
  }

  /** The lists, signs and rules as they count for recipients with a profile. */
  Policy with(RecipientProfile profile) {
    if (profile.actions().isEmpty()) {
      return this;
    }
    Map<String, FeedRule> own = new HashMap<>();
    feeds.forEach((name, rule) ->
        profile
            .action(name, rule.action())
            .ifPresent(action -> own.put(name, rule.withAction(action))));
    return counting(
        own,
        rules.stream()
            .flatMap(rule -> profile.action(rule.name(), rule.action()).map(rule::with).stream())
            .toList(),
        signs.with(profile));
  }

  /**
   * True when the content of a mail is decided on alike for two recipients, so that both may get
   * the same mail.
   */
  public boolean decidesContentAlike(
      Recipients.@Nullable Own one, Recipients.@Nullable Own other, Lists lists, Instant now) {
    Map<String, Optional<Action>> own = actionsOfContent(one);
    boolean blocks = !lists.operator().contentChecks(now).isEmpty();
    Action most = blocks || !own.isEmpty() ? Action.REJECT : asked.mostOfContent();
    return own.equals(actionsOfContent(other))
        && profile(one).mostOfContent().atMost(most) == profile(other).mostOfContent().atMost(most);
  }

  /** The signs that this mail shows. */
  public List<Content.Shown> signsOf(MailEvidence mail) {
    return signs.contentChecks().isEmpty() ? List.of() : signs.of(mail);
  }

  private static RecipientProfile profile(Recipients.@Nullable Own own) {
    return own == null ? RecipientProfile.DEFAULT : own.profile();
  }

  private Map<String, Optional<Action>> actionsOfContent(Recipients.@Nullable Own own) {
    Map<String, Optional<Action>> actions = new HashMap<>(profile(own).actions());
    actions.keySet().retainAll(asked.contentNames());
    return actions;
  }

  /** True for the client of a hop inside of a forwarder: a private address, or a forwarder. */
  public boolean isInternalHop(IpAddress client) {
    IpPrefix host = IpPrefix.host(client);
    return ReservedNetworks.overlap(host) || ReservedNetworks.overlapsAny(forwarders, host);
  }

  /** True for a client of {@code policy.forwarders} that is not exempt as well. */
  public boolean isForwarder(IpAddress client) {
    return !forwarders.isEmpty()
        && forwarders.stream().anyMatch(network -> network.contains(client))
        && exemptNetworks.stream().noneMatch(network -> network.contains(client));
  }

  /**
   * The checks for which the content of mails is read: those that feeds, signs or block entries of
   * the operator ask for. Asked at every mail; with nothing to look for, contents are not read.
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

package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Policy.FeedRule;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Rule;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes a {@link Policy} of the settings: at start, at each reload, and when a feed is enabled or
 * disabled. Pure.
 */
public final class PolicyFactory {

  private PolicyFactory() {}

  /**
   * The policy of the settings.
   *
   * @param disabledFeeds feeds that {@code feeds disable} took out
   * @param downstreamAddresses what {@code downstream.host} resolves to
   * @param more sets that no setting of {@code never_block} names: what is the gateway's own, and
   *     what {@code feeds.protect} lists
   */
  public static Policy policy(
      Settings settings,
      Set<String> disabledFeeds,
      List<IpAddress> downstreamAddresses,
      List<ProtectedSet> more) {
    Settings.Policy policy = settings.policy();
    return new Policy(
        rules(settings, disabledFeeds),
        listRules(settings),
        new Signs(
            signs(settings),
            settings.hostname(),
            settings.domains(),
            settings.brands(),
            settings.bulk()),
        settings.recipients(),
        policy.exemptNetworks(),
        policy.forwarders(),
        policy.onError(),
        Stream.concat(protectedSets(settings, downstreamAddresses).stream(), more.stream())
            .toList());
  }

  /**
   * The actions of signs: where a list may refuse content, a mail that is not read to its end is
   * tagged by default.
   */
  private static Map<Sign, Action> signs(Settings settings) {
    Map<Sign, Action> signs = new HashMap<>(settings.signs());
    boolean refuses =
        Stream.concat(
                settings.feeds().sources().values().stream()
                    .filter(source -> source.action().refuses())
                    .map(Settings.Feeds.Source::checks),
                settings.feeds().dnsLists().values().stream()
                    .filter(list -> list.action().refuses())
                    .map(DnsList::checks))
            .anyMatch(checks -> !Collections.disjoint(checks, Check.OF_CONTENT));
    if (refuses) {
      signs.putIfAbsent(Sign.PARTLY_READ, Action.TAG);
    }
    return signs;
  }

  private static Map<String, FeedRule> rules(Settings settings, Set<String> disabledFeeds) {
    Map<String, FeedRule> rules = new HashMap<>();
    int order = 0;
    for (Settings.Feeds.Source source : settings.feeds().sources().values()) {
      if (!disabledFeeds.contains(source.name())) {
        rules.put(source.name(), rule(order, source));
      }
      order++;
    }
    for (DnsList list : settings.feeds().dnsLists().values()) {
      if (!disabledFeeds.contains(list.name())) {
        rules.put(list.name(), new FeedRule(order, list.checks(), list.action(), null, null));
      }
      order++;
    }
    return rules;
  }

  private static List<ListRule> listRules(Settings settings) {
    Map<String, String> families = new HashMap<>();
    settings.feeds().sources().values().forEach(feed -> families.put(feed.name(), feed.family()));
    settings.feeds().dnsLists().forEach((name, list) -> families.put(name, list.family()));
    int first = families.size() + Sign.values().length;
    List<ListRule> rules = new ArrayList<>();
    for (Rule rule : settings.rules().values()) {
      rules.add(new ListRule(rule, families, first + rules.size()));
    }
    return rules;
  }

  /** Files do not age: they are as new as their owner keeps them. */
  private static FeedRule rule(int order, Settings.Feeds.Source source) {
    return switch (source.location()) {
      case Location.Url _, Location.Rsync _ ->
          new FeedRule(
              order, source.checks(), source.action(), source.staleAfter(), source.expireAfter());
      case Location.Files ignored ->
          new FeedRule(order, source.checks(), source.action(), null, null);
    };
  }

  private static List<ProtectedSet> protectedSets(
      Settings settings, List<IpAddress> downstreamAddresses) {
    return sets(
        settings,
        Stream.concat(
                mailServers(settings, downstreamAddresses).stream(),
                settings.policy().exemptNetworks().stream())
            .distinct()
            .toList());
  }

  /**
   * The sets that the guard keeps out of the lists. What they say of exempt networks is kept in
   * them, and a decision spares the client: so the log and {@code explain} can name the exemption.
   */
  public static List<ProtectedSet> heldBack(
      Settings settings, List<IpAddress> downstreamAddresses) {
    return sets(settings, mailServers(settings, downstreamAddresses));
  }

  private static List<ProtectedSet> sets(Settings settings, List<IpPrefix> downstream) {
    return ProtectedSet.of(
        settings.allow().neverBlock(),
        downstream,
        settings.downstream().hosts().stream()
            .flatMap(host -> DomainName.parse(host).toOptional().stream())
            .toList(),
        settings.domains());
  }

  /**
   * Rules of decision in gateway/README.md: the mail servers themselves, and the hosts that name
   * another client by XCLIENT.
   */
  static List<IpPrefix> mailServers(Settings settings, List<IpAddress> addresses) {
    List<IpPrefix> networks = new ArrayList<>();
    addresses.forEach(address -> networks.add(IpPrefix.host(address)));
    settings.downstream().hosts().stream()
        .flatMap(host -> IpAddress.parse(host).toOptional().stream())
        .forEach(address -> networks.add(IpPrefix.host(address)));
    for (Settings.Listener listener : settings.listeners().values()) {
      networks.addAll(listener.trustedProxies());
      networks.addAll(listener.xclientFrom());
    }
    return networks.stream().distinct().toList();
  }

  /**
   * The rules by which an operator entry is too wide under these settings.
   *
   * @param downstreamAddresses what {@code downstream.host} resolves to
   */
  public static WidthRules widthRules(Settings settings, List<IpAddress> downstreamAddresses) {
    return new WidthRules(
        settings.domains(),
        mailServers(settings, downstreamAddresses),
        settings.policy().exemptNetworks(),
        PublicSuffixes::contains);
  }
}

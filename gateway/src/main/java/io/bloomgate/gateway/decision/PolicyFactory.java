package io.bloomgate.gateway.decision;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Feeds.Location;
import io.bloomgate.gateway.decision.Policy.FeedRule;
import io.bloomgate.gateway.decision.Policy.ProtectedSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes a {@link Policy} of the settings: at start, at each reload, and when a feed is enabled or
 * disabled. Pure.
 */
final class PolicyFactory {

  /** RFC 1918, RFC 6598 (shared), RFC 3927 and RFC 4291 (link-local), RFC 4193 (unique local). */
  private static final List<IpPrefix> PRIVATE =
      networks(
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10",
          "169.254.0.0/16",
          "fc00::/7",
          "fe80::/10");

  /** RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3. */
  private static final List<IpPrefix> LOOPBACK = networks("127.0.0.0/8", "::1");

  private final Settings settings;
  private final List<IpPrefix> downstream;

  private PolicyFactory(Settings settings, List<IpAddress> downstreamAddresses) {
    this.settings = settings;
    this.downstream = downstream(settings, downstreamAddresses);
  }

  static Policy policy(
      Settings settings, Set<String> disabledFeeds, List<IpAddress> downstreamAddresses) {
    PolicyFactory factory = new PolicyFactory(settings, downstreamAddresses);
    Settings.Policy policy = settings.policy();
    return new Policy(
        rules(settings, disabledFeeds),
        policy.exemptRecipients().stream()
            .map(local -> local.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet()),
        networks(policy.exemptNetworks()),
        policy.onError(),
        settings.allow().neverBlock().stream().sorted().map(factory::protectedSet).toList());
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
    return rules;
  }

  /** Files do not age: they are as new as their owner keeps them. */
  private static FeedRule rule(int order, Settings.Feeds.Source source) {
    return switch (source.location()) {
      case Location.Url ignored ->
          new FeedRule(
              order, source.checks(), source.action(), source.staleAfter(), source.expireAfter());
      case Location.Files ignored ->
          new FeedRule(order, source.checks(), source.action(), null, null);
    };
  }

  private ProtectedSet protectedSet(NeverBlock set) {
    String word = set.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return switch (set) {
      case PRIVATE -> ProtectedSet.ofNetworks(word, PRIVATE, false);
      case LOOPBACK -> ProtectedSet.ofNetworks(word, LOOPBACK, true);
      case DOWNSTREAM ->
          new ProtectedSet(
              word,
              downstream,
              names(List.of(settings.downstream().host())),
              List.of(),
              false,
              true);
      case DOMAINS -> domains(word);
      case MAIL_PROVIDERS -> ProtectedSet.ofNames(word, java.util.Set.of(), List.of());
      case PUBLIC_SUFFIXES -> new ProtectedSet(word, List.of(), Set.of(), List.of(), true, false);
    };
  }

  private ProtectedSet domains(String word) {
    Map<Boolean, List<String>> byDot =
        settings.domains().stream().collect(Collectors.partitioningBy(d -> d.startsWith(".")));
    List<String> trees =
        byDot.getOrDefault(true, List.of()).stream().map(d -> d.substring(1)).toList();
    return ProtectedSet.ofNames(
        word, names(byDot.getOrDefault(false, List.of())), List.copyOf(names(trees)));
  }

  /** Contract, section 3: the hosts themselves and whoever speaks for a client through them. */
  static List<IpPrefix> downstream(Settings settings, List<IpAddress> addresses) {
    List<IpPrefix> networks = new ArrayList<>();
    addresses.forEach(address -> networks.add(IpPrefix.host(address)));
    IpAddress.parse(settings.downstream().host())
        .toOptional()
        .ifPresent(address -> networks.add(IpPrefix.host(address)));
    for (Settings.Listener listener : settings.listeners().values()) {
      networks.addAll(networks(listener.trustedProxies()));
      networks.addAll(networks(listener.xclientFrom()));
    }
    networks.addAll(networks(settings.policy().exemptNetworks()));
    return networks.stream().distinct().toList();
  }

  private static List<IpPrefix> networks(String... texts) {
    return networks(Arrays.asList(texts));
  }

  private static List<IpPrefix> networks(List<String> texts) {
    return texts.stream().flatMap(text -> IpPrefix.parse(text).toOptional().stream()).toList();
  }

  /** Texts that are no domain of two labels or more (an address, a local host name) fall out. */
  private static Set<DomainName> names(List<String> texts) {
    Set<DomainName> names = new HashSet<>();
    texts.forEach(text -> DomainName.parse(text).toOptional().ifPresent(names::add));
    return names;
  }
}

package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListEntry;
import io.bloomgate.blocklists.key.PublicSuffixes;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One set of {@code allow.never_block} (contract, sections 2 and 3): no feed lists what is in it.
 * Immutable; made at start and at each reload from the settings.
 *
 * @param word its word in the settings
 * @param networks an entry equal to, around or inside one of these is held back
 * @param names an entry of one of these very names is held back
 * @param trees an entry of one of these or of anything below is held back
 * @param publicSuffixes an entry of a public suffix is held back
 */
public record ProtectedSet(
    String word,
    List<IpPrefix> networks,
    Set<DomainName> names,
    List<DomainName> trees,
    boolean publicSuffixes) {

  /** The word of what belongs to the gateway itself; always protected. */
  public static final String OWN = "own";

  /** The word of what {@code feeds.protect} names. */
  public static final String LISTED = "protect";

  public ProtectedSet {
    networks = List.copyOf(networks);
    names = Set.copyOf(names);
    trees = List.copyOf(trees);
  }

  /**
   * The sets that the settings switch on.
   *
   * @param downstream addresses of the downstream hosts, {@code trusted_proxies}, {@code
   *     xclient_from} and {@code exempt_networks}
   * @param downstreamNames host names of the downstream, if it is named
   * @param domains own domains as {@code Settings.domains} has them
   */
  public static List<ProtectedSet> of(
      Set<NeverBlock> chosen,
      List<IpPrefix> downstream,
      List<DomainName> downstreamNames,
      List<String> domains) {
    List<ProtectedSet> sets = new ArrayList<>();
    for (NeverBlock word : NeverBlock.values()) {
      if (chosen.contains(word)) {
        sets.add(
            switch (word) {
              case PRIVATE -> networks("private", ReservedNetworks.PRIVATE);
              case LOOPBACK -> networks("loopback", ReservedNetworks.LOOPBACK);
              case DOWNSTREAM ->
                  new ProtectedSet(
                      "downstream", downstream, Set.copyOf(downstreamNames), List.of(), false);
              case DOMAINS -> ownDomains(domains);
              case MAIL_PROVIDERS ->
                  new ProtectedSet(
                      "mail-providers", List.of(), MailProviders.names(), List.of(), false);
              case PUBLIC_SUFFIXES ->
                  new ProtectedSet("public-suffixes", List.of(), Set.of(), List.of(), true);
            });
      }
    }
    return List.copyOf(sets);
  }

  /** Why an entry is held back that this set protects. */
  public String reason() {
    return switch (word) {
      case OWN -> "the gateway's own address or host name";
      case LISTED -> "protected by feeds.protect";
      default -> "protected by never_block " + word;
    };
  }

  /**
   * What belongs to the gateway itself: a list that names it would have the gateway refuse what it
   * sends to itself, and says nothing about a sender.
   *
   * @param interfaces addresses of this machine, as far as they are known
   */
  public static ProtectedSet own(Settings settings, List<IpAddress> interfaces) {
    Set<IpPrefix> addresses = new LinkedHashSet<>();
    interfaces.forEach(address -> addresses.add(IpPrefix.host(address)));
    for (Settings.Listener listener : settings.listeners().values()) {
      IpAddress.parse(listener.address().host())
          .toOptional()
          .filter(address -> !isWildcard(address))
          .ifPresent(address -> addresses.add(IpPrefix.host(address)));
    }
    Set<DomainName> names =
        DomainName.parse(settings.hostname()).toOptional().map(Set::of).orElse(Set.of());
    return new ProtectedSet(OWN, List.copyOf(addresses), names, List.of(), false);
  }

  private static boolean isWildcard(IpAddress address) {
    return address.high() == 0 && (address.low() == 0 || address.low() == 0xffff_0000_0000L);
  }

  private static ProtectedSet networks(String word, List<IpPrefix> networks) {
    return new ProtectedSet(word, networks, Set.of(), List.of(), false);
  }

  private static ProtectedSet ownDomains(List<String> domains) {
    Set<DomainName> names = new HashSet<>();
    List<DomainName> trees = new ArrayList<>();
    for (String domain : domains) {
      boolean tree = domain.startsWith(".");
      DomainName.parse(tree ? domain.substring(1) : domain)
          .toOptional()
          .ifPresent(tree ? trees::add : names::add);
    }
    return new ProtectedSet("domains", List.of(), names, trees, false);
  }

  /** True when this set protects what the entry lists. */
  public boolean protects(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          overlapsAny(networks, prefix);
      case ListEntry.Domain(DomainName name, var match, var exception, var line) ->
          names.contains(name)
              || trees.stream().anyMatch(t -> t.covers(name))
              || (publicSuffixes && PublicSuffixes.contains(name));
      case ListEntry.Address ignored -> false;
    };
  }

  static boolean overlapsAny(List<IpPrefix> networks, IpPrefix prefix) {
    for (int i = 0; i < networks.size(); i++) {
      if (networks.get(i).overlaps(prefix)) {
        return true;
      }
    }
    return false;
  }
}

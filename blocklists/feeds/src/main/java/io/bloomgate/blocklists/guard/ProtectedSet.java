package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One set of {@code allow.never_block}: no feed lists what is in it. Asked for every entry of a
 * feed and for every listing that a decision finds; what that costs does not grow with the set.
 * Immutable; made at start and at each reload from the settings.
 *
 * @param word its name in the settings
 * @param networks an entry equal to or inside one of these is held back; one around it too, but not
 *     around single hosts: see {@link #protects}
 * @param names an entry for one of these names, or for a suffix around one, is held back
 * @param trees an entry of one of these or of anything below is held back
 * @param publicSuffixes an entry of a public suffix is held back
 * @param index finds an entry in all of it
 */
public record ProtectedSet(
    String word,
    List<IpPrefix> networks,
    Set<DomainName> names,
    List<DomainName> trees,
    boolean publicSuffixes,
    ProtectedIndex index) {

  /** The name of the set with the gateway's own names and addresses; always protected. */
  public static final String OWN = "own";

  /** The name of the set that {@code feeds.protect} fills. */
  public static final String LISTED = "protect";

  /** The name of the set of networks that are private. */
  public static final String PRIVATE = "private";

  /** The name of the set of mail servers behind the gateway, and of exempt networks. */
  public static final String DOWNSTREAM = "downstream";

  /** The name of the set of exempt networks: it voids no entry, which is noted only. */
  private static final String EXEMPT = "exempt";

  /** Sets of hosts that say nothing of the network around them. */
  private static final Set<String> ONLY_ITSELF = Set.of(OWN, LISTED, DOWNSTREAM);

  /** The name of the set of mailbox providers. */
  public static final String MAIL_PROVIDERS = "mail-providers";

  /** A set of these. */
  public ProtectedSet(
      String word,
      List<IpPrefix> networks,
      Set<DomainName> names,
      List<DomainName> trees,
      boolean publicSuffixes) {
    this(
        word,
        List.copyOf(networks),
        Set.copyOf(names),
        List.copyOf(trees),
        publicSuffixes,
        new ProtectedIndex(networks, Set.copyOf(names), trees, publicSuffixes));
  }

  /** The reason of an entry that is held back because of {@link #MAIL_PROVIDERS}. */
  public static final String PROVIDERS_REASON = "protected by never_block " + MAIL_PROVIDERS;

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
              case PRIVATE -> networks(PRIVATE, ReservedNetworks.PRIVATE);
              case LOOPBACK -> networks("loopback", ReservedNetworks.LOOPBACK);
              case DOWNSTREAM ->
                  new ProtectedSet(
                      DOWNSTREAM, downstream, Set.copyOf(downstreamNames), List.of(), false);
              case DOMAINS -> ownDomains(domains);
              case MAIL_PROVIDERS ->
                  new ProtectedSet(
                      MAIL_PROVIDERS,
                      MailProviders.networks(),
                      MailProviders.names(),
                      MailProviders.trees(),
                      false);
              case PUBLIC_SUFFIXES ->
                  new ProtectedSet("public-suffixes", List.of(), Set.of(), List.of(), true);
            });
      }
    }
    return List.copyOf(sets);
  }

  /** Networks that providers publish now, beside those of {@link MailProviders}. */
  public static ProtectedSet ofProviders(List<IpPrefix> published) {
    return networks(MAIL_PROVIDERS, published);
  }

  /** Clients that nothing refuses: a decision spares them, and what lists say of them stays. */
  public static ProtectedSet exempt(List<IpPrefix> networks) {
    return networks(EXEMPT, networks);
  }

  /** The reason of an entry that is held back because of this set. */
  public String reason() {
    return switch (word) {
      case OWN -> "the gateway's own address or host name";
      case LISTED -> "protected by feeds.protect";
      default -> "protected by never_block " + word;
    };
  }

  /**
   * The set of what belongs to the gateway itself: a list that names it would have the gateway
   * refuse what it sends to itself, and says nothing about a sender.
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

  /**
   * True when this set voids the entry. A network around the gateway's own address, a mail server,
   * an exempt network or what {@code feeds.protect} names stays live: it is void for that client
   * only, which a decision finds by asking for the client's host.
   */
  public boolean protects(ListEntry entry) {
    return !word.equals(EXEMPT)
        && index.touches(entry)
        && (!(entry instanceof ListEntry.Network(IpPrefix prefix, var exception, var line))
            || !ONLY_ITSELF.contains(word)
            || index.holds(prefix));
  }

  /** True when the entry lists something of this set. */
  public boolean touches(ListEntry entry) {
    return index.touches(entry);
  }

  /**
   * The same for an entry by which a HELO name is judged: the hosts of a mailbox provider, which
   * all send for millions, are named below its domains. As names of senders these stay listable:
   * what is below may be a customer's.
   */
  public boolean protectsHelo(ListEntry entry) {
    return protects(entry) || (word.equals(MAIL_PROVIDERS) && index.protectsBelow(entry));
  }
}

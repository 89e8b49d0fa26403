package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import java.util.List;
import java.util.Optional;

/**
 * Decides which single entries of a feed are held back while the rest goes live: too wide,
 * reserved, protected, or known to list good senders. Asked while a version is judged and again
 * while it is built, so that what was judged is what goes live. Immutable, pure.
 *
 * @param allowBogons switches the rule on reserved networks off
 * @param protectedSets {@link ProtectedSet#of}
 * @param any everything that a rule may hold back: most entries touch none of it
 * @param good held back in one version, as they list good senders
 * @param ofUrls names and addresses are the hosts of listed URLs
 */
public record EntryGuard(
    int minPrefixIpv4,
    int minPrefixIpv6,
    boolean allowBogons,
    List<ProtectedSet> protectedSets,
    ProtectedIndex any,
    EntryKeys good,
    boolean ofUrls) {

  private static final Optional<String> DEFAULT_ROUTE =
      Optional.of("default route (wider than min_prefix)");
  private static final Optional<String> TOO_WIDE = Optional.of("wider than min_prefix");
  private static final Optional<String> RESERVED = Optional.of("reserved network");

  /** The reason for an entry that lists good senders, see the breaker. */
  public static final String GOOD_SENDERS = "lists good senders";

  private static final Optional<String> LISTS_GOOD = Optional.of(GOOD_SENDERS);

  /** The reason for the host of a listed URL that strangers share: its URLs stay listed. */
  public static final String SHARED_HOST = "shared host, only its URLs count";

  /** Noted of an entry that is not held back: it is void for a protected host only. */
  public static final String AROUND = "live, but not for a protected host inside";

  private static final Optional<String> SHARED = Optional.of(SHARED_HOST);

  /**
   * The rules of a feed.
   *
   * @param guard the source's own guard
   */
  public EntryGuard(
      Settings.Feeds.Guard guard, boolean allowBogons, List<ProtectedSet> protectedSets) {
    this(
        guard.minPrefixIpv4(),
        guard.minPrefixIpv6(),
        allowBogons,
        List.copyOf(protectedSets),
        ProtectedIndex.of(protectedSets),
        EntryKeys.NONE,
        false);
  }

  /**
   * The rules that are left for a version that the operator accepted: default routes, and protected
   * names and networks, which a feed cannot list anyway ({@code never_block}).
   */
  public EntryGuard accepted() {
    return new EntryGuard(0, 0, true, protectedSets, any, EntryKeys.NONE, ofUrls);
  }

  /** The same for one version of which these entries too are held back. */
  public EntryGuard holdingToo(EntryKeys goodSenders) {
    return goodSenders.size() == 0 ? this : with(allowBogons, goodSenders, ofUrls);
  }

  /**
   * The same for entries that were read in this format: of a list of URLs, a host that strangers
   * share ({@link SharedHosts}) is held back as a whole, whatever the operator accepts.
   */
  public EntryGuard reading(FeedFormat format) {
    return with(allowBogons, good, format.listsUrls());
  }

  /** The same that holds reserved networks back, or not. */
  public EntryGuard allowing(boolean bogons) {
    return with(bogons && allowBogons, good, ofUrls);
  }

  private EntryGuard with(boolean bogons, EntryKeys goodSenders, boolean urls) {
    return new EntryGuard(
        minPrefixIpv4, minPrefixIpv6, bogons, protectedSets, any, goodSenders, urls);
  }

  /**
   * The entry as far as it may reach: that of a name below which anybody gets a name (set {@code
   * public-suffixes}) lists the name alone. Asked before {@link #holds}.
   */
  public ListEntry narrowed(ListEntry entry) {
    return any.publicSuffixes() ? MailProviders.narrowed(entry) : entry;
  }

  /** The reason why the entry must not go live; empty for most. Exceptions are never held back. */
  public Optional<String> holds(ListEntry entry) {
    if (entry.exception()) {
      return Optional.empty();
    }
    if (ofUrls && isSharedHost(entry)) {
      // Also where a rule protects it: that its URLs are listed is nothing to look at.
      return SHARED;
    }
    Optional<String> reason = byRule(entry);
    return reason.isEmpty() && good.size() > 0 && good.contains(entry) ? LISTS_GOOD : reason;
  }

  private Optional<String> byRule(ListEntry entry) {
    if (entry instanceof ListEntry.Network(IpPrefix prefix, var exception, var line)) {
      if (prefix.length() == 0) {
        return DEFAULT_ROUTE;
      }
      if (prefix.length() < (prefix.isV4() ? minPrefixIpv4 : minPrefixIpv6)) {
        return TOO_WIDE;
      }
    }
    if (!any.touches(entry)) {
      return Optional.empty();
    }
    if (!allowBogons
        && entry instanceof ListEntry.Network network
        && ReservedNetworks.overlap(network.prefix())) {
      return RESERVED;
    }
    for (ProtectedSet set : protectedSets) {
      if (set.protects(entry)) {
        return Optional.of(set.reason());
      }
    }
    return Optional.empty();
  }

  /** The note about an entry that goes live; empty for most. */
  Optional<String> noteOf(ListEntry entry) {
    return entry instanceof ListEntry.Network
            && any.touches(entry)
            && protectedSets.stream().anyMatch(set -> set.touches(entry))
        ? Optional.of(AROUND)
        : Optional.empty();
  }

  private static boolean isSharedHost(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Domain domain -> SharedHosts.isShared(domain.name());
      case ListEntry.Url url -> url.url().isHostOnly() && SharedHosts.isShared(url.url().host());
      case ListEntry.Network _,
          ListEntry.Address _,
          ListEntry.Hash _,
          ListEntry.As _,
          ListEntry.AsnRow _ ->
          false;
    };
  }

  /** The same for the networks of a range: one that is held back takes the range with it. */
  public Optional<String> holdsAny(List<ListEntry.Network> range) {
    for (ListEntry.Network network : range) {
      Optional<String> reason = holds(network);
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }
}

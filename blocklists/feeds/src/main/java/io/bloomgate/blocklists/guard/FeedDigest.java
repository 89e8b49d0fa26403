package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Keyed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The part of a version that the guard compares: the distinct entries as {@link EntryNumbers},
 * eight octets each, and what single-entry rules held back. Immutable; read by {@link
 * DigestedVersion}.
 *
 * <p>It counts twice: what the list says, after its own exceptions, for reports; and what of that
 * would go live, by which versions are judged, because entries that are held back have no effect.
 *
 * @param goingLive the entries that would go live, in order, without what the list itself takes out
 * @param heldBack the same of those that are held back
 * @param sharedHosts distinct hosts of listed URLs that strangers share: their URLs are listed,
 *     they are not
 * @param held entries that are held back, by reason; a repeated line counts again
 * @param heldSamples the first {@link FeedLimits#SHOWN_HELD} of each reason
 * @param ipv6Networks of /64 that would go live, in part or whole; those in several entries count
 *     as often
 * @param byName names are compared whatever their match mode
 */
public record FeedDigest(
    Map<Kind, long[]> goingLive,
    Map<Kind, long[]> heldBack,
    long sharedHosts,
    Map<String, Long> held,
    List<HeldEntry> heldSamples,
    double ipv6Networks,
    boolean byName) {

  private static final long[] NONE = {};

  /**
   * The same, compared by its names whatever their match mode: for a version that was read in
   * another match or format, where the spelling of every name may differ and nothing else.
   */
  public FeedDigest comparedByName() {
    return new FeedDigest(goingLive, heldBack, sharedHosts, held, heldSamples, ipv6Networks, true);
  }

  /** A kind of entries that is counted apart. */
  public enum Kind implements Keyed {
    IPV4,
    IPV6,
    DOMAIN,
    ADDRESS,
    URL,
    FINGERPRINT,
    /** An AS number, or a network of a table of them. */
    ASN,
    /** An entry that takes away, of whatever kind. */
    EXCEPTION;

    /** The kinds of entries that list something. */
    static final List<Kind> LISTS = List.of(IPV4, IPV6, DOMAIN, ADDRESS, URL, FINGERPRINT, ASN);

    static Kind of(ListEntry entry) {
      if (entry.exception()) {
        return EXCEPTION;
      }
      return switch (entry) {
        case ListEntry.Network network -> of(network.prefix().network());
        case ListEntry.Domain _ -> DOMAIN;
        case ListEntry.Address _ -> ADDRESS;
        case ListEntry.Url _ -> URL;
        case ListEntry.Hash _ -> FINGERPRINT;
        case ListEntry.As _, ListEntry.AsnRow _ -> ASN;
      };
    }

    static Kind of(IpAddress address) {
      return address.isV4() ? IPV4 : IPV6;
    }
  }

  /**
   * Distinct entries of a kind that are listed, held back or not, without those that the list
   * itself takes out; names whatever their match mode.
   */
  public long count(Kind kind) {
    long[] live = live(kind);
    long[] held = heldBack.getOrDefault(kind, NONE);
    boolean names = kind == Kind.DOMAIN;
    return distinct(live, names) + distinct(held, names) - (names ? common(live, held, true) : 0);
  }

  /** Distinct entries that take away. */
  public long exceptions() {
    return count(Kind.EXCEPTION);
  }

  /** Distinct names and addresses that would go live. */
  public long liveHosts() {
    return EntryNumbers.names(live(Kind.DOMAIN)) + live(Kind.IPV4).length + live(Kind.IPV6).length;
  }

  /** All distinct entries that list something, those that are held back included. */
  public long entries() {
    return Kind.LISTS.stream().mapToLong(this::count).sum();
  }

  /** Distinct entries that would list something if the version went live. */
  public long live() {
    return Kind.LISTS.stream().mapToLong(kind -> live(kind).length).sum();
  }

  /**
   * Number of entries held back that an operator may want to look at: not the hosts of URLs that
   * count by their URLs.
   */
  public long heldEntries() {
    return held.entrySet().stream()
        .filter(reason -> !FeedGuard.isNote(reason.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * Entries that would go live of one of the two but not of the other, and exceptions that only one
   * of them has.
   */
  public long changes(FeedDigest other) {
    boolean names = byName || other.byName;
    long changes = 0;
    for (Kind kind : Kind.values()) {
      boolean spelled = names && (kind == Kind.DOMAIN || kind == Kind.EXCEPTION);
      changes += differences(live(kind), other.live(kind), spelled);
    }
    return changes;
  }

  /** Share of the IPv4 space that would go live, from 0 to 1. */
  public double coverage() {
    return ipv4Addresses() / 0x1p32;
  }

  /** IPv4 addresses that would go live, each counted once. */
  public double ipv4Addresses() {
    return EntryNumbers.covered(live(Kind.IPV4));
  }

  private static long differences(long[] a, long[] b, boolean names) {
    return distinct(a, names) + distinct(b, names) - 2 * common(a, b, names);
  }

  private static long distinct(long[] sorted, boolean names) {
    return names ? EntryNumbers.names(sorted) : sorted.length;
  }

  /**
   * The number of values that both arrays have; needs no memory, however many there are.
   *
   * @param names values that mean one name are one
   */
  private static long common(long[] a, long[] b, boolean names) {
    int i = 0;
    int j = 0;
    long common = 0;
    while (i < a.length && j < b.length) {
      long left = comparable(a[i], names);
      long right = comparable(b[j], names);
      common += left == right ? 1 : 0;
      i = left <= right ? behind(a, i, names) : i;
      j = right <= left ? behind(b, j, names) : j;
    }
    return common;
  }

  private static long comparable(long number, boolean names) {
    return names ? EntryNumbers.withoutMatch(number) : number;
  }

  /** The place of the next value that is another one. */
  private static int behind(long[] sorted, int at, boolean names) {
    int next = at + 1;
    while (names
        && next < sorted.length
        && comparable(sorted[next], true) == comparable(sorted[at], true)) {
      next++;
    }
    return next;
  }

  /** Entries of a kind that would go live of both. */
  long common(FeedDigest other, Kind kind) {
    return common(live(kind), other.live(kind), false);
  }

  /** The numbers of the entries of a kind that would go live, in order. */
  long[] live(Kind kind) {
    return goingLive.getOrDefault(kind, NONE);
  }

  /** True when an entry would go live. */
  boolean has(Kind kind, long number) {
    return Arrays.binarySearch(live(kind), number) >= 0;
  }
}

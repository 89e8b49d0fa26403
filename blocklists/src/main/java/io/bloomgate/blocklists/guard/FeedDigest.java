package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.guard.EntryNumbers.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a version that the guard compares: the distinct entries as {@link EntryNumbers},
 * eight octets each, and what single-entry rules held back. Immutable; read by {@link
 * DigestedVersion}.
 *
 * <p>It counts twice: what the list says, after its own exceptions, for reports; and what of that
 * would go live, by which versions are judged, because entries that are held back have no effect.
 */
public final class FeedDigest {

  private static final long[] NONE = {};

  /** The entries of the list in order, after its own exceptions. */
  private final Map<Kind, long[]> said;

  /** The same without what is held back. */
  private final Map<Kind, long[]> live;

  private final long sharedHosts;
  private final Map<String, Long> held;
  private final List<HeldEntry> heldSamples;
  private final double ipv6Networks;

  /** Compare names whatever their match mode. */
  private final boolean byName;

  /** Makes a digest of the collected entries and takes over their memory. */
  FeedDigest(DigestCollector c) {
    this.said = new EnumMap<>(Kind.class);
    this.live = new EnumMap<>(Kind.class);
    c.kinds.forEach((kind, numbers) -> {
      long[] all = SpanSet.without(numbers.read.sortedDistinct(), numbers.voided.sortedDistinct());
      said.put(kind, all);
      live.put(kind, SpanSet.without(all, numbers.held.sortedDistinct()));
    });
    this.said.put(Kind.EXCEPTION, c.exceptions.sorted());
    this.live.put(Kind.EXCEPTION, c.exceptions.sorted());
    this.sharedHosts = c.sharedHosts.sortedDistinct().length;
    this.held = Collections.unmodifiableMap(new LinkedHashMap<>(c.held));
    this.heldSamples = List.copyOf(c.heldSamples);
    this.ipv6Networks = c.ipv6Networks;
    this.byName = false;
  }

  private FeedDigest(FeedDigest same, boolean byName) {
    this.said = same.said;
    this.live = same.live;
    this.sharedHosts = same.sharedHosts;
    this.held = same.held;
    this.heldSamples = same.heldSamples;
    this.ipv6Networks = same.ipv6Networks;
    this.byName = byName;
  }

  /**
   * The same, compared by its names whatever their match mode: for a version that was read in
   * another match or format, where the spelling of every name may differ and nothing else.
   */
  public FeedDigest byName() {
    return new FeedDigest(this, true);
  }

  private static long count(Map<Kind, long[]> numbers, Kind kind) {
    return numbers.getOrDefault(kind, NONE).length;
  }

  /** Distinct spans of IPv4 that are listed, those inside an exception left out. */
  public long ipv4() {
    return count(said, Kind.IPV4);
  }

  /** Distinct spans of IPv6 that are listed, those inside an exception left out. */
  public long ipv6() {
    return count(said, Kind.IPV6);
  }

  /** Distinct names that are listed, whatever their match mode, those taken out left out. */
  public long domains() {
    return EntryNumbers.names(said.getOrDefault(Kind.DOMAIN, NONE));
  }

  /** Distinct mailboxes that are listed, those taken out left out. */
  public long addresses() {
    return count(said, Kind.ADDRESS);
  }

  /** Distinct web addresses that are listed, those taken out left out. */
  public long urls() {
    return count(said, Kind.URL);
  }

  /** Distinct SHA-256 values that are listed, those taken out left out. */
  public long fingerprints() {
    return count(said, Kind.FINGERPRINT);
  }

  /** Distinct entries that take away. */
  public long exceptions() {
    return count(said, Kind.EXCEPTION);
  }

  /** Distinct names and addresses that would go live. */
  public long liveHosts() {
    return EntryNumbers.names(live.getOrDefault(Kind.DOMAIN, NONE))
        + count(live, Kind.IPV4)
        + count(live, Kind.IPV6);
  }

  /** All distinct entries that list something, those that are held back included. */
  public long entries() {
    return ipv4() + ipv6() + domains() + addresses() + urls() + fingerprints();
  }

  /** Distinct entries that would list something if the version went live. */
  public long live() {
    return Kind.LISTS.stream().mapToLong(kind -> count(live, kind)).sum();
  }

  /** Entries that are held back, by reason; a repeated line counts again. */
  public Map<String, Long> held() {
    return held;
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

  /** Distinct hosts of listed URLs that strangers share: their URLs are listed, they are not. */
  public long sharedHosts() {
    return sharedHosts;
  }

  /** The first {@link FeedLimits#SHOWN_HELD} of each reason. */
  public List<HeldEntry> heldSamples() {
    return heldSamples;
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
      changes +=
          differences(
              comparable(live.getOrDefault(kind, NONE), spelled),
              comparable(other.live.getOrDefault(kind, NONE), spelled));
    }
    return changes;
  }

  private static long[] comparable(long[] numbers, boolean names) {
    return names
        ? Arrays.stream(numbers).map(EntryNumbers::withoutMatch).distinct().toArray()
        : numbers;
  }

  /** Share of the IPv4 space that would go live, from 0 to 1. */
  public double coverage() {
    return ipv4Addresses() / 0x1p32;
  }

  /** IPv4 addresses that would go live, each counted once. */
  public double ipv4Addresses() {
    return SpanSet.covered(live.getOrDefault(Kind.IPV4, NONE));
  }

  /**
   * IPv6 networks of /64 that would go live, in part or whole; those in several entries count as
   * often.
   */
  public double ipv6Networks() {
    return ipv6Networks;
  }

  private static long differences(long[] a, long[] b) {
    int i = 0;
    int j = 0;
    long common = 0;
    while (i < a.length && j < b.length) {
      if (a[i] == b[j]) {
        common++;
        i++;
        j++;
      } else if (a[i] < b[j]) {
        i++;
      } else {
        j++;
      }
    }
    return a.length + b.length - 2 * common;
  }
}

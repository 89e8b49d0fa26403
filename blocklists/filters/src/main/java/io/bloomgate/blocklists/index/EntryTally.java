package io.bloomgate.blocklists.index;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts what the builders kept and dropped, by feed. Filled while the index files are written, on
 * the building thread.
 */
public final class EntryTally {

  /** A kind of entries that are counted. */
  public enum Kind {
    /** A listed IPv4 host or network. */
    IPV4,
    /** A listed IPv6 host or network. */
    IPV6,
    /** A listed name in one match mode. */
    DOMAIN,
    /** A listed mail address. */
    ADDRESS,
    /** A listed web address. */
    URL,
    /** A listed fingerprint. */
    FINGERPRINT,
    /** A listed AS number, or a network of a table of them. */
    ASN,
    /** An entry that takes away. */
    EXCEPTION,
    /** An entry that repeats an earlier one of its feed. */
    DUPLICATE
  }

  private final Map<Kind, long[]> counts = new EnumMap<>(Kind.class);

  /** Nothing counted yet, for feeds 0 to {@code feeds - 1}. */
  public EntryTally(int feeds) {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new long[feeds]);
    }
  }

  void add(int feed, Kind kind) {
    byFeed(kind)[feed]++;
  }

  /** Counts the networks that a feed has in a table of AS numbers. */
  void addAsn(int feed, EntryTally networks) {
    byFeed(Kind.ASN)[feed] += networks.of(feed, Kind.IPV4) + networks.of(feed, Kind.IPV6);
    byFeed(Kind.DUPLICATE)[feed] += networks.of(feed, Kind.DUPLICATE);
  }

  /** The number of entries of a kind in a feed. */
  public long of(int feed, Kind kind) {
    return byFeed(kind)[feed];
  }

  private long[] byFeed(Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }

  /** Every entry that was handed in, kept or dropped. */
  public long total() {
    return counts.values().stream().flatMapToLong(Arrays::stream).sum();
  }
}

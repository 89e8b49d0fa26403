package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.KeyHash;
import io.bloomgate.blocklists.key.ListEntry;
import io.bloomgate.blocklists.key.MailAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What of a version the guard compares: the distinct entries as numbers, eight octets each, and
 * what single-entry rules held back. Immutable; made by {@link Collector} while a version is
 * parsed.
 *
 * <p>A span of IPv4 addresses is its own number, so a network and the range that equals it are one.
 * Everything else is a 64-bit hash, which is exact enough to count with.
 */
public final class FeedDigest {

  private static final KeyHash HASH = new KeyHash(0x626c_6f6f_6d67_6174L, 0x6665_6564_6469_67L);

  /**
   * Spans of IPv6 that are compared with exceptions. Tables with exceptions are written by hand;
   * beyond this number covered spans are counted although they list nothing.
   */
  private static final int MOST_SPANS_WITH_EXCEPTIONS = 100_000;

  private final long[] ipv4;
  private final long[] ipv6;

  /** The networks of IPv6 ranges that are no network themselves. */
  private final long[] ipv6Parts;

  private final long[] domains;
  private final long[] addresses;
  private final long[] exceptions;
  private final long[] heldIpv4;
  private final Map<String, Long> held;
  private final List<HeldEntry> heldSamples;
  private final double ipv6Networks;

  private FeedDigest(Collector c) {
    SpanSet excepted = SpanSet.of(c.exceptions);
    this.ipv4 = excepted.without(c.ipv4.sortedDistinct());
    this.ipv6 = c.ipv6WithoutExceptions();
    this.ipv6Parts = c.ipv6Parts.sortedDistinct();
    this.domains = c.domains.sortedDistinct();
    this.addresses = c.addresses.sortedDistinct();
    this.exceptions = c.exceptionKeys.sortedDistinct();
    this.heldIpv4 = c.heldIpv4.sortedDistinct();
    this.held = Collections.unmodifiableMap(new LinkedHashMap<>(c.held));
    this.heldSamples = List.copyOf(c.heldSamples);
    this.ipv6Networks = c.ipv6Networks;
  }

  /** Distinct spans of IPv4 that are listed, those inside an exception left out. */
  public long ipv4() {
    return ipv4.length;
  }

  /** Distinct spans of IPv6 that are listed, those inside an exception left out. */
  public long ipv6() {
    return ipv6.length;
  }

  /** Distinct names, whatever their match mode. */
  public long domains() {
    return domains.length;
  }

  /** Distinct mailboxes. */
  public long addresses() {
    return addresses.length;
  }

  /** Distinct entries that take away. */
  public long exceptions() {
    return exceptions.length;
  }

  /** All distinct entries that list something. */
  public long entries() {
    return ipv4() + ipv6() + domains() + addresses();
  }

  /** Entries that are held back, by reason; a repeated line counts again. */
  public Map<String, Long> held() {
    return held;
  }

  /** Number of entries held back. */
  public long heldEntries() {
    return held.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The first {@link FeedLimits#SHOWN_HELD} of each reason. */
  public List<HeldEntry> heldSamples() {
    return heldSamples;
  }

  /** Entries that stand in one of the two and not in the other. */
  public long changes(FeedDigest other) {
    return differences(ipv4, other.ipv4)
        + differences(ipv6, other.ipv6)
        + differences(domains, other.domains)
        + differences(addresses, other.addresses);
  }

  /** Share of the IPv4 space that would go live, from 0 to 1. */
  public double coverage() {
    return ipv4Addresses() / 0x1p32;
  }

  /** IPv4 addresses that would go live, each counted once. */
  public double ipv4Addresses() {
    return SpanSet.covered(ipv4, heldIpv4);
  }

  /**
   * IPv6 networks of /64 that would go live, in part or whole; those in several entries count as
   * often.
   */
  public double ipv6Networks() {
    return ipv6Networks;
  }

  /**
   * The entries that are not in an older version, a range as its networks: what a publish brings.
   *
   * @param before the version that is live; empty when all is new
   */
  public EntryKeys newSince(Optional<FeedDigest> before) {
    if (before.isEmpty()) {
      return EntryKeys.of(SpanSet.networks(ipv4), union(ipv6, ipv6Parts), domains, addresses);
    }
    FeedDigest old = before.get();
    return EntryKeys.of(
        // As ranges first: the networks of millions of spans that are in both need not be known.
        SpanSet.without(
            SpanSet.networks(SpanSet.without(ipv4, old.ipv4)),
            SpanSet.networks(SpanSet.without(old.ipv4, ipv4))),
        SpanSet.without(union(ipv6, ipv6Parts), union(old.ipv6, old.ipv6Parts)),
        SpanSet.without(domains, old.domains),
        SpanSet.without(addresses, old.addresses));
  }

  private static long[] union(long[] a, long[] b) {
    if (b.length == 0) {
      return a;
    }
    long[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    Arrays.sort(both);
    return both;
  }

  /** The number of a span of IPv6. */
  static long hash(IpAddress first, IpAddress last) {
    return Long.rotateLeft(HASH.ip(first), 1) ^ HASH.pivot(last, 0);
  }

  static long hash(DomainName name) {
    return HASH.domain(name, 0);
  }

  static long hash(MailAddress address) {
    return HASH.address(address);
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

  /** A span of IPv6 and the number it counts as. */
  private record HashedSpan(IpAddress first, IpAddress last, long hash) {
    boolean isInside(List<IpPrefix> networks) {
      return networks.stream().anyMatch(n -> n.contains(first) && n.contains(last));
    }
  }

  /** Collects the entries of one version. Used on the thread that parses. */
  public static final class Collector implements FeedSink {

    private final EntryGuard guard;
    private final LongList ipv4 = new LongList();
    private final LongList ipv6 = new LongList();
    private final LongList ipv6Parts = new LongList();
    private final LongList domains = new LongList();
    private final LongList addresses = new LongList();
    private final LongList exceptionKeys = new LongList();
    private final List<IpPrefix> exceptions = new ArrayList<>();
    private final LongList heldIpv4 = new LongList();
    private final Map<String, Long> held = new LinkedHashMap<>();
    private final List<HeldEntry> heldSamples = new ArrayList<>();
    private double ipv6Networks;

    /** Spans of IPv6 with their hashes, kept only while the list may be one with exceptions. */
    private final List<HashedSpan> ipv6Spans = new ArrayList<>();

    /**
     * @param guard says which entries would be held back
     */
    public Collector(EntryGuard guard) {
      this.guard = guard;
    }

    /** What was collected so far. */
    public FeedDigest digest() {
      return new FeedDigest(this);
    }

    @Override
    public void entry(ListEntry entry) {
      Optional<String> holds = guard.holds(entry);
      if (holds.isPresent()) {
        hold(holds.get(), entry);
      } else if (entry instanceof ListEntry.Network network) {
        countIpv6(network);
      }
      switch (entry) {
        case ListEntry.Network(IpPrefix prefix, boolean exception, var line) -> {
          if (exception) {
            exceptions.add(prefix);
            exceptionKeys.add(HASH.pivot(prefix.network(), prefix.length()));
          } else {
            span(prefix.network(), prefix.last());
          }
        }
        case ListEntry.Domain domain ->
            (domain.exception() ? exceptionKeys : domains).add(hash(domain.name()));
        case ListEntry.Address address ->
            (address.exception() ? exceptionKeys : addresses).add(hash(address.address()));
      }
    }

    @Override
    public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
      Optional<String> holds = guard.holdsAny(networks);
      if (holds.isPresent()) {
        note(holds.get(), () -> first + "-" + last, networks.getFirst().line());
        if (first.isV4()) {
          heldIpv4.add(SpanSet.span(first, last));
        }
      } else {
        networks.forEach(this::countIpv6);
      }
      span(first, last);
      if (!first.isV4()) {
        networks.forEach(n -> ipv6Parts.add(hash(n.prefix().network(), n.prefix().last())));
      }
    }

    private void hold(String reason, ListEntry entry) {
      note(reason, entry::text, entry.line());
      if (entry instanceof ListEntry.Network network && network.prefix().isV4()) {
        heldIpv4.add(SpanSet.span(network.prefix().network(), network.prefix().last()));
      }
    }

    private void note(String reason, Supplier<String> entry, int line) {
      if (held.merge(reason, 1L, Long::sum) <= FeedLimits.SHOWN_HELD) {
        heldSamples.add(new HeldEntry(entry.get(), line, reason));
      }
    }

    private void countIpv6(ListEntry.Network network) {
      if (!network.exception() && !network.prefix().isV4()) {
        ipv6Networks += Math.scalb(1.0, Math.max(0, Long.SIZE - network.prefix().length()));
      }
    }

    private void span(IpAddress first, IpAddress last) {
      if (first.isV4()) {
        ipv4.add(SpanSet.span(first, last));
      } else {
        long hash = hash(first, last);
        ipv6.add(hash);
        if (ipv6Spans.size() < MOST_SPANS_WITH_EXCEPTIONS) {
          ipv6Spans.add(new HashedSpan(first, last, hash));
        }
      }
    }

    private long[] ipv6WithoutExceptions() {
      List<IpPrefix> networks = exceptions.stream().filter(n -> !n.isV4()).toList();
      long[] all = ipv6.sortedDistinct();
      if (networks.isEmpty()) {
        return all;
      }
      Set<Long> excepted =
          ipv6Spans.stream()
              .filter(s -> s.isInside(networks))
              .map(HashedSpan::hash)
              .collect(Collectors.toSet());
      return Arrays.stream(all).filter(h -> !excepted.contains(h)).toArray();
    }

    @Override
    public void problem(ParseProblem problem) {}
  }
}

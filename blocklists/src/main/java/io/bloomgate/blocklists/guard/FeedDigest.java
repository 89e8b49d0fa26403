package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.octets.FeedLimits;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part of a version that the guard compares: the distinct entries as {@link EntryNumbers},
 * eight octets each, and what single-entry rules held back. Immutable; read by {@link
 * DigestedVersion}.
 *
 * <p>It counts twice: what the list says, after its own exceptions, for reports; and what of that
 * would go live, by which versions are judged, because entries that are held back have no effect.
 */
public final class FeedDigest {

  /** The entries of one kind, in order. */
  private static final class Part {

    /** The entries of the list, after its own exceptions. */
    private final long[] said;

    /** The same without what is held back. */
    private final long[] live;

    private Part(long[] said, long[] live) {
      this.said = said;
      this.live = live;
    }

    static Part of(DigestCollector.Kind kind) {
      return of(SpanSet.without(kind.read.sortedDistinct(), kind.voided.sortedDistinct()), kind);
    }

    static Part of(long[] said, DigestCollector.Kind kind) {
      return new Part(said, SpanSet.without(said, kind.held.sortedDistinct()));
    }
  }

  private final Part ipv4;
  private final Part ipv6;
  private final Part domains;
  private final Part addresses;
  private final Part urls;
  private final Part fingerprints;

  /** The networks of IPv6 ranges that are no network themselves. */
  private final long[] ipv6Parts;

  private final long[] exceptions;
  private final long sharedHosts;
  private final Map<String, Long> held;
  private final List<HeldEntry> heldSamples;
  private final double ipv4Addresses;
  private final double ipv6Networks;

  /** Compare names whatever their match mode. */
  private final boolean byName;

  /** Makes a digest of the collected entries and takes over their memory. */
  FeedDigest(DigestCollector c) {
    this.ipv4 = Part.of(c.exceptions.leave(c.ipv4.read.sortedDistinct()), c.ipv4);
    this.ipv6 = Part.of(c.ipv6);
    this.domains = Part.of(c.domains);
    this.addresses = Part.of(c.addresses);
    this.urls = Part.of(c.urls);
    this.fingerprints = Part.of(c.fingerprints);
    this.ipv6Parts = c.ipv6Parts.sortedDistinct();
    this.exceptions = c.exceptions.sorted();
    this.sharedHosts = c.sharedHosts.sortedDistinct().length;
    this.held = Collections.unmodifiableMap(new LinkedHashMap<>(c.held));
    this.heldSamples = List.copyOf(c.heldSamples);
    this.ipv4Addresses = SpanSet.covered(ipv4.live);
    this.ipv6Networks = c.ipv6Networks;
    this.byName = false;
  }

  private FeedDigest(FeedDigest same, boolean byName) {
    this.ipv4 = same.ipv4;
    this.ipv6 = same.ipv6;
    this.domains = same.domains;
    this.addresses = same.addresses;
    this.urls = same.urls;
    this.fingerprints = same.fingerprints;
    this.ipv6Parts = same.ipv6Parts;
    this.exceptions = same.exceptions;
    this.sharedHosts = same.sharedHosts;
    this.held = same.held;
    this.heldSamples = same.heldSamples;
    this.ipv4Addresses = same.ipv4Addresses;
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

  /** Distinct spans of IPv4 that are listed, those inside an exception left out. */
  public long ipv4() {
    return ipv4.said.length;
  }

  /** Distinct spans of IPv6 that are listed, those inside an exception left out. */
  public long ipv6() {
    return ipv6.said.length;
  }

  /** Distinct names that are listed, whatever their match mode, those taken out left out. */
  public long domains() {
    return EntryNumbers.names(domains.said);
  }

  /** Distinct mailboxes that are listed, those taken out left out. */
  public long addresses() {
    return addresses.said.length;
  }

  /** Distinct web addresses that are listed, those taken out left out. */
  public long urls() {
    return urls.said.length;
  }

  /** Distinct SHA-256 values that are listed, those taken out left out. */
  public long fingerprints() {
    return fingerprints.said.length;
  }

  /** Distinct entries that take away. */
  public long exceptions() {
    return exceptions.length;
  }

  /** Distinct names and addresses that would go live. */
  public long liveHosts() {
    return EntryNumbers.names(domains.live) + ipv4.live.length + ipv6.live.length;
  }

  /** All distinct entries that list something, those that are held back included. */
  public long entries() {
    return ipv4() + ipv6() + domains() + addresses() + urls() + fingerprints();
  }

  /** Distinct entries that would list something if the version went live. */
  public long live() {
    return lists().mapToLong(part -> part.live.length).sum();
  }

  private Stream<Part> lists() {
    return Stream.of(ipv4, ipv6, domains, addresses, urls, fingerprints);
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
        .filter(reason -> !reason.getKey().equals(EntryGuard.SHARED_HOST))
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
    return differences(ipv4.live, other.ipv4.live)
        + differences(ipv6.live, other.ipv6.live)
        + differences(comparable(domains.live, names), comparable(other.domains.live, names))
        + differences(addresses.live, other.addresses.live)
        + differences(urls.live, other.urls.live)
        + differences(fingerprints.live, other.fingerprints.live)
        + differences(comparable(exceptions, names), comparable(other.exceptions, names));
  }

  private static long[] comparable(long[] numbers, boolean names) {
    return names
        ? Arrays.stream(numbers).map(EntryNumbers::withoutMatch).distinct().toArray()
        : numbers;
  }

  /** Share of the IPv4 space that would go live, from 0 to 1. */
  public double coverage() {
    return ipv4Addresses / 0x1p32;
  }

  /** IPv4 addresses that would go live, each counted once. */
  public double ipv4Addresses() {
    return ipv4Addresses;
  }

  /**
   * IPv6 networks of /64 that would go live, in part or whole; those in several entries count as
   * often.
   */
  public double ipv6Networks() {
    return ipv6Networks;
  }

  /**
   * The entries that are not in an older version, a range as its networks: what a publish brings,
   * also if the operator accepts what is held back.
   *
   * @param before the version that is live; empty when all is new
   */
  public EntryKeys newSince(Optional<FeedDigest> before) {
    if (before.isEmpty()) {
      return EntryKeys.of(
          SpanSet.networks(ipv4.said),
          union(ipv6.said, ipv6Parts),
          domains.said,
          addresses.said,
          urls.said,
          fingerprints.said);
    }
    FeedDigest old = before.get();
    return EntryKeys.of(
        // As ranges first: the networks of millions of spans that are in both need not be known.
        SpanSet.without(
            SpanSet.networks(SpanSet.without(ipv4.said, old.ipv4.said)),
            SpanSet.networks(SpanSet.without(old.ipv4.said, ipv4.said))),
        SpanSet.without(union(ipv6.said, ipv6Parts), union(old.ipv6.said, old.ipv6Parts)),
        SpanSet.without(domains.said, old.domains.said),
        SpanSet.without(addresses.said, old.addresses.said),
        SpanSet.without(urls.said, old.urls.said),
        SpanSet.without(fingerprints.said, old.fingerprints.said));
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

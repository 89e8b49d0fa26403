package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.generation.KeyBatch.ProbeQueue;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.util.Map;
import java.util.Objects;

/**
 * The filters of a generation as keys are asked of them, under the hashes of {@link FilterHashes}.
 * Part of a {@link MappedSnapshot}; asked by sessions on any thread; immutable. Only web addresses
 * make objects.
 *
 * <p>All reads of a key, or of a batch of keys, are issued before one is tested, so that their
 * cache misses overlap. False is certain; true is for the exact index to confirm.
 */
final class KeyFilters {

  private final KeyHash hash;
  private final FilterHashes ipHashes;
  private final NetworkIndex networks;
  private final MembershipFilter ips;
  private final MembershipFilter domains;
  private final MembershipFilter addresses;
  private final MembershipFilter urls;
  private final MembershipFilter fingerprints;

  /**
   * True when a probe for a host of IPv4 can hit at all; a length that no entry has costs nothing.
   */
  private final boolean v4Hosts;

  private final boolean v4Pivots;
  private final boolean v6Hosts;
  private final boolean v6NarrowPivots;
  private final boolean v6WidePivots;

  /**
   * Makes the filters of all partitions ready to be asked.
   *
   * @param networks knows which lengths occur, and the networks too wide for a filter
   */
  KeyFilters(Keying keying, Map<Partition, MembershipFilter> filters, NetworkIndex networks) {
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.ipHashes = new FilterHashes(hash);
    this.networks = networks;
    this.ips = Objects.requireNonNull(filters.get(Partition.IP));
    this.domains = Objects.requireNonNull(filters.get(Partition.DOMAIN));
    this.addresses = Objects.requireNonNull(filters.get(Partition.ADDRESS));
    this.urls = Objects.requireNonNull(filters.get(Partition.URL));
    this.fingerprints = Objects.requireNonNull(filters.get(Partition.FINGERPRINT));
    this.v4Hosts = networks.hasPivot(FilterHashes.pivot(true, 32));
    this.v4Pivots = networks.hasPivot(FilterHashes.V4_PIVOT);
    this.v6Hosts = networks.hasPivot(FilterHashes.MAX_PIVOT);
    this.v6NarrowPivots = networks.hasPivot(FilterHashes.V6_NARROW_PIVOT);
    this.v6WidePivots = networks.hasPivot(FilterHashes.V6_WIDE_PIVOT);
  }

  /** False when the key is certainly not listed. */
  boolean mayList(ListKey key) {
    return switch (key) {
      case IpAddress ip -> mayList(ip);
      case DomainName domain -> mayList(domain);
      case MailAddress address -> mayList(address);
      case WebUrl url -> mayList(url);
      case Fingerprint print -> fingerprints.probe(hash.octets(print.octets())) != 0;
      case AsNumber number -> fingerprints.probe(hash.octets(number.octets())) != 0;
      case Likeness ignored -> false;
    };
  }

  /** False when the address is certainly in no listed network. */
  boolean mayList(IpAddress address) {
    int hits = networks.inWideRange(address) ? 1 : 0;
    long high = address.high();
    long low = address.low();
    if (address.isV4()) {
      hits |= v4Hosts ? ips.probe(hash.ip(high, low)) : 0;
      hits |= v4Pivots ? ips.probe(ipHashes.v4Pivot(low)) : 0;
    } else {
      hits |= v6Hosts ? ips.probe(hash.ip(high, low)) : 0;
      hits |= v6NarrowPivots ? ips.probe(ipHashes.v6NarrowPivot(high)) : 0;
      hits |= v6WidePivots ? ips.probe(ipHashes.v6WidePivot(high)) : 0;
    }
    return hits != 0;
  }

  /** False when neither the name nor a parent of two or more labels is listed. */
  boolean mayList(DomainName name) {
    int hits = 0;
    int from = 0;
    for (int label = name.labels() - 2; label >= 0; label--) {
      hits |= domains.probe(hash.suffix(name, from));
      from = name.nextLabel(from);
    }
    return hits != 0;
  }

  /** False when the mail address is certainly not listed. */
  boolean mayList(MailAddress address) {
    return addresses.probe(hash.address(address)) != 0;
  }

  /** False when no expression of the web address is listed. */
  private boolean mayList(WebUrl url) {
    boolean[] hit = new boolean[1];
    url.forEachExpression(
        (from, to) -> hit[0] |= urls.probe(hash.url(url.octets(), from, to)) != 0);
    return hit[0];
  }

  /** A bit for each key of the batch; a key whose bit is 0 is certainly not listed. */
  long mayList(KeyBatch batch) {
    long hits = 0;
    for (int i = 0; i < batch.size(); i++) {
      hits |=
          switch (batch.key(i)) {
            case IpAddress ip -> queue(ip, i, batch.ips());
            case DomainName domain -> queue(domain, i, batch.domains());
            case MailAddress address -> batch.addresses().add(addresses, hash.address(address), i);
            case WebUrl url -> queue(url, i, batch.urls());
            case Fingerprint print ->
                batch.fingerprints().add(fingerprints, hash.octets(print.octets()), i);
            case AsNumber number ->
                batch.fingerprints().add(fingerprints, hash.octets(number.octets()), i);
            case Likeness ignored -> 0;
          };
    }
    hits |= batch.ips().run(ips);
    hits |= batch.domains().run(domains);
    hits |= batch.addresses().run(addresses);
    hits |= batch.urls().run(urls);
    hits |= batch.fingerprints().run(fingerprints);
    // The search of wide networks branches on what it reads: last, while the filters' reads are
    // under way.
    return hits | inWideRanges(batch);
  }

  private long inWideRanges(KeyBatch batch) {
    long hits = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.key(i) instanceof IpAddress ip && networks.inWideRange(ip)) {
        hits |= 1L << i;
      }
    }
    return hits;
  }

  private long queue(IpAddress address, int key, ProbeQueue queue) {
    long hits = 0;
    long high = address.high();
    long low = address.low();
    if (address.isV4()) {
      hits |= v4Hosts ? queue.add(ips, hash.ip(high, low), key) : 0;
      hits |= v4Pivots ? queue.add(ips, ipHashes.v4Pivot(low), key) : 0;
    } else {
      hits |= v6Hosts ? queue.add(ips, hash.ip(high, low), key) : 0;
      hits |= v6NarrowPivots ? queue.add(ips, ipHashes.v6NarrowPivot(high), key) : 0;
      hits |= v6WidePivots ? queue.add(ips, ipHashes.v6WidePivot(high), key) : 0;
    }
    return hits;
  }

  private long queue(WebUrl url, int key, ProbeQueue queue) {
    long[] hits = new long[1];
    url.forEachExpression(
        (from, to) -> hits[0] |= queue.add(urls, hash.url(url.octets(), from, to), key));
    return hits[0];
  }

  private long queue(DomainName name, int key, ProbeQueue queue) {
    long hits = 0;
    int from = 0;
    for (int label = name.labels() - 2; label >= 0; label--) {
      hits |= queue.add(domains, hash.suffix(name, from), key);
      from = name.nextLabel(from);
    }
    return hits;
  }
}

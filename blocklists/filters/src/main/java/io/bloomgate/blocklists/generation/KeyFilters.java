package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.util.Map;
import java.util.Objects;

/**
 * The filters of a generation as keys are asked of them, under the hashes of {@link FilterHashes}.
 * Part of a {@link MappedSnapshot}; asked by sessions on any thread; immutable. Of a batch only web
 * addresses make objects.
 *
 * <p>All reads of a batch of keys are issued before one is tested, so that their cache misses
 * overlap. False is certain; true is for the exact index to confirm.
 */
final class KeyFilters {

  private final FilterHashes hashes;
  private final NetworkIndex networks;

  /** The one of each partition, by its number. */
  private final MembershipFilter[] filters;

  /**
   * Makes the filters of all partitions ready to be asked.
   *
   * @param networks knows which pivots occur, and the networks too wide for a filter
   */
  KeyFilters(Keying keying, Map<Partition, MembershipFilter> byPartition, NetworkIndex networks) {
    this.hashes =
        new FilterHashes(new KeyHash(keying.seedHigh(), keying.seedLow()), networks::hasPivot);
    this.networks = networks;
    this.filters = new MembershipFilter[Partition.COUNT];
    for (Partition partition : Partition.values()) {
      filters[partition.number()] = Objects.requireNonNull(byPartition.get(partition));
    }
  }

  /** False when the key is certainly not listed. */
  boolean mayList(ListKey key) {
    MembershipFilter filter = filters[Partition.of(key).number()];
    int[] hits = {key instanceof IpAddress address && networks.inWideRange(address) ? 1 : 0};
    hashes.asked(key, hash -> hits[0] |= filter.probe(hash));
    return hits[0] != 0;
  }

  /** A bit for each key of the batch; a key whose bit is 0 is certainly not listed. */
  long mayList(KeyBatch batch) {
    long hits = batch.ask(hashes, filters);
    // The search of wide networks branches on what it reads: last, while the filters' reads are
    // under way.
    for (int i = 0; i < batch.size(); i++) {
      if (batch.key(i) instanceof IpAddress ip && networks.inWideRange(ip)) {
        hits |= 1L << i;
      }
    }
    return hits;
  }
}

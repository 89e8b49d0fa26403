package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Builds a binary fuse filter from a source that is walked several times: once to count, then once
 * for each group of partitions that fits the memory set aside for hashes. Called by {@link
 * FilterKinds}; used once, by one thread.
 *
 * <p>Scratch memory: 8 octets for each hash of a group, at most {@link #GROUP_HASHES} unless one
 * partition alone has more, and about 25 octets for each of the largest partition.
 */
final class FuseFilterBuilder {

  /**
   * Keys of a partition at least, unless there are fewer in all: smaller partitions would cost
   * space.
   */
  static final int PARTITION_KEYS = 1 << 20;

  /** Hashes that are held at once: 512 MiB of them. */
  static final int GROUP_HASHES = 1 << 26;

  /** Hashes of one partition; only hashes that are far from random put more into one. */
  private static final int MAX_PARTITION_HASHES = 1 << 28;

  /**
   * A partition that lacks at most one key in 64 of the fullest one takes its shape. So partitions
   * of random hashes have one shape, and a lookup need not read where its partition begins.
   */
  private static final int ALIKE = 64;

  private static final int ATTEMPTS_AT_A_SHAPE = 4;
  private static final long MAX_SLOTS = Integer.MAX_VALUE - 8;

  private final FilterKind kind;
  private final FilterRequest request;
  private final HashSource hashes;
  private final int partitionKeys;
  private final int groupHashes;
  private final FuseSegmentBuilder segments = new FuseSegmentBuilder();

  private long[] counts = new long[0];
  private long most;
  private FusePartitions partitions = new FusePartitions(0);
  private long[] group = new long[0];
  private long entries;

  /** Builds one filter of one of the two fuse kinds. */
  FuseFilterBuilder(FilterKind kind, FilterRequest request, HashSource hashes) {
    this(kind, request, hashes, PARTITION_KEYS, GROUP_HASHES);
  }

  /**
   * The same with other bounds, for tests of small sets.
   *
   * @param kind one of the two fuse kinds
   * @param partitionKeys keys of a partition at least, unless there are fewer in all
   * @param groupHashes hashes that are held at once
   */
  FuseFilterBuilder(
      FilterKind kind,
      FilterRequest request,
      HashSource hashes,
      int partitionKeys,
      int groupHashes) {
    this.kind = kind;
    this.request = request;
    this.hashes = hashes;
    this.partitionKeys = partitionKeys;
    this.groupHashes = groupHashes;
  }

  /** The rate of a kind, whatever the number of keys. */
  static double rate(FilterKind kind) {
    return Math.scalb(1.0, -FuseFilter.width(kind));
  }

  /**
   * Builds the filter.
   *
   * @throws FilterBuildException when the keys are too many or a partition failed at every attempt
   */
  FuseFilter build() throws FilterBuildException {
    count();
    FuseSlots slots = slots();
    int from = 0;
    while (from < counts.length) {
      int to = groupEnd(from);
      collect(from, to);
      int start = 0;
      for (int partition = from; partition < to; partition++) {
        int end = start + (int) counts[partition];
        buildPartition(partition, start, end, slots);
        start = end;
      }
      from = to;
    }
    slots.trim(partitions);
    return new FuseFilter(slots, partitions, shape());
  }

  /** Counts by the most bits that may number a partition, then joins as many as hold enough. */
  private void count() throws FilterBuildException {
    long[] fine = new long[1 << FusePartitions.MAX_BITS];
    hashes.forEach(hash -> fine[(int) (hash >>> (Long.SIZE - FusePartitions.MAX_BITS))]++);
    long total = Arrays.stream(fine).sum();
    int bits = partitionBits(total, partitionKeys);
    counts = new long[1 << bits];
    for (int i = 0; i < fine.length; i++) {
      counts[i >>> (FusePartitions.MAX_BITS - bits)] += fine[i];
    }
    most = Arrays.stream(counts).max().orElse(0);
    if (most > MAX_PARTITION_HASHES) {
      throw new FilterBuildException(
          most + " hashes begin alike, which random ones never do; use " + otherKind());
    }
    partitions = new FusePartitions(bits);
  }

  /** Upper bits that number the partitions of that many keys. */
  static int partitionBits(long keys) {
    return partitionBits(keys, PARTITION_KEYS);
  }

  private static int partitionBits(long keys, int partitionKeys) {
    int bits = 0;
    while (bits < FusePartitions.MAX_BITS && keys >>> (bits + 1) >= partitionKeys) {
      bits++;
    }
    return bits;
  }

  private static String otherKind() {
    return FilterKind.SPLIT_BLOCK.word();
  }

  private FuseSlots slots() throws FilterBuildException {
    long sum = 0;
    for (long count : counts) {
      sum += count == 0 ? 0 : shape((int) count).slots();
    }
    checkRoom(sum);
    FilterSizing.checkMemory(sum * FuseFilter.width(kind) / Byte.SIZE);
    return new FuseSlots(kind == FilterKind.FUSE16, (int) sum);
  }

  private void checkRoom(long slots) throws FilterBuildException {
    if (slots > MAX_SLOTS) {
      throw new FilterBuildException(
          kind.word() + " holds no more than 1.9 thousand million keys; use " + otherKind());
    }
  }

  private int groupEnd(int from) {
    int to = from + 1;
    long sum = counts[from];
    while (to < counts.length && sum + counts[to] <= groupHashes) {
      sum += counts[to++];
    }
    return to;
  }

  /** Walks the source and keeps the hashes of some partitions, each partition's together. */
  private void collect(int from, int to) {
    int[] next = new int[to - from];
    int sum = 0;
    for (int i = 0; i < next.length; i++) {
      next[i] = sum;
      sum += (int) counts[from + i];
    }
    if (group.length < sum) {
      // The smaller one is freed first, so that both are never in memory together.
      group = new long[0];
      group = new long[sum];
    }
    int[] ends = Arrays.copyOfRange(next, 1, next.length + 1);
    ends[next.length - 1] = sum;
    hashes.forEach(new Collector(group, next, ends, from, partitions.bits()));
    if (!Arrays.equals(next, ends)) {
      throw new IllegalStateException("the source of hashes gave fewer when walked again");
    }
  }

  /** Puts the hashes of some partitions where each partition begins. */
  private static final class Collector implements LongConsumer {
    private final long[] group;
    private final int[] next;
    private final int[] ends;
    private final int from;
    private final int bits;

    Collector(long[] group, int[] next, int[] ends, int from, int bits) {
      this.group = group;
      this.next = next;
      this.ends = ends;
      this.from = from;
      this.bits = bits;
    }

    @Override
    public void accept(long hash) {
      int i = FusePartitions.number(hash, bits) - from;
      if (i >= 0 && i < next.length) {
        if (next[i] == ends[i]) {
          throw new IllegalStateException("the source of hashes gave more when walked again");
        }
        group[next[i]++] = hash;
      }
    }
  }

  /** The shape of a partition with that many keys. */
  private FusePartitions.Shape shape(int keys) {
    return FusePartitions.Shape.of(keys >= most - most / ALIKE ? (int) most : keys);
  }

  private void buildPartition(int partition, int start, int end, FuseSlots slots)
      throws FilterBuildException {
    if (start == end) {
      return;
    }
    int to = end;
    FusePartitions.Shape shape = shape(to - start);
    int shared = counts.length > 1 ? FusePartitions.SHARED : 0;
    for (int attempt = 0; attempt < FusePartitions.MAX_ATTEMPTS; attempt++) {
      checkRoom(partitions.slots() + shape.slots());
      long seed = FusePartitions.seed(partition, attempt | shared);
      if (segments.build(group, start, to, seed, shape)) {
        slots.put((int) partitions.slots(), segments.fingerprints(), shape.slots());
        partitions.put(partition, attempt | shared, shape);
        entries += to - start;
        return;
      }
      if (attempt == 0) {
        // A repeated key makes every attempt fail; to look for one before is waste.
        to = distinct(start, to);
        shape = shape(to - start);
      } else if (attempt % ATTEMPTS_AT_A_SHAPE == 0) {
        shape = shape.widened();
      }
    }
    throw new FilterBuildException(
        kind.word()
            + " could not be built in "
            + FusePartitions.MAX_ATTEMPTS
            + " attempts, which random hashes never need; use "
            + otherKind());
  }

  /** Sorts a partition and drops repeated hashes; returns where it ends now. */
  private int distinct(int start, int end) {
    Arrays.sort(group, start, end);
    int to = start + 1;
    for (int i = start + 1; i < end; i++) {
      if (group[i] != group[i - 1]) {
        group[to++] = group[i];
      }
    }
    return to;
  }

  private FilterShape shape() {
    long slots = partitions.slots();
    return new FilterShape(
        kind,
        entries,
        Math.max(entries, request.capacity()),
        slots * FuseFilter.width(kind),
        FusePartitions.ARITY,
        request.rate(),
        rate(kind) * partitions.used() / partitions.count(),
        slots == 0 ? 0 : entries / (double) slots);
  }
}

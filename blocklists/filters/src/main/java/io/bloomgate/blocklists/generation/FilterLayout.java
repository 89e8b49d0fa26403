package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.FilterSizing.Size;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NameIndex.Keys;
import io.bloomgate.blocklists.index.NetworkIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Sizes, fills and writes the filters of a generation from its finished indexes, one partition
 * after the other, so that only one is in memory. Used by {@link SnapshotBuilder}.
 */
final class FilterLayout {

  private static final double MIB = 1024.0 * 1024;

  private final NetworkIndex networks;
  private final NameIndex names;
  private final Keying keying;
  private final KeyHash hash;
  private final BuildOptions options;
  private final Map<Partition, Size> sizes = new EnumMap<>(Partition.class);

  FilterLayout(NetworkIndex networks, NameIndex names, Keying keying, BuildOptions options) {
    this.networks = networks;
    this.names = names;
    this.keying = keying;
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.options = options;
    List<Partition> all = List.of(Partition.values());
    List<Size> planned =
        FilterSizing.splitBlocks(
            all.stream().map(this::keys).toList(),
            options.falsePositiveRate(),
            options.maxMemoryOctets());
    all.forEach(partition -> sizes.put(partition, planned.get(partition.number())));
  }

  /** Distinct hashes of a partition. */
  private long keys(Partition partition) {
    return switch (partition) {
      case IP -> {
        long[] count = {0};
        networks.forEachFilterKey((_, _, _) -> count[0]++);
        yield count[0];
      }
      case DOMAIN, ADDRESS, URL, FINGERPRINT -> names.listed(Keys.valueOf(partition.name()));
    };
  }

  /** Distinct hashes of a partition, each once. */
  private HashSource hashes(Partition partition) {
    return switch (partition) {
      case IP ->
          consumer ->
              networks.forEachFilterKey((high, low, length) ->
                  consumer.accept(
                      FilterHashes.isHost(length)
                          ? hash.ip(high, low)
                          : hash.pivot(high, low, length)));
      case DOMAIN, ADDRESS, URL, FINGERPRINT ->
          consumer -> names.forEachListed(Keys.valueOf(partition.name()), consumer);
    };
  }

  private Size size(Partition partition) {
    return Objects.requireNonNull(sizes.get(partition));
  }

  /** The message to the operator when the bound on memory costs accuracy. */
  Optional<String> warning() {
    if (sizes.values().stream().noneMatch(Size::capped)) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "filter.max_memory of %.1f MiB is too small for a false-positive rate of %.6f: the"
                + " filters now have %.6f; no entry is left out",
            options.maxMemoryOctets() / MIB,
            options.falsePositiveRate(),
            sizes.values().stream().mapToDouble(Size::plannedRate).max().orElse(0)));
  }

  /**
   * Builds and writes the filter of a partition, and stores its shape under its name.
   *
   * @return its digest
   */
  String write(Partition partition, Path directory, Map<String, FilterShape> shapes)
      throws IOException, FilterBuildException {
    MembershipFilter filter = build(partition);
    shapes.put(partition.word(), filter.shape());
    return FilterFile.write(directory.resolve(partition.file()), filter, keying);
  }

  private MembershipFilter build(Partition partition) throws FilterBuildException {
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(size(partition));
    hashes(partition).forEach(builder::add);
    return builder.build(size(partition).capacity());
  }
}

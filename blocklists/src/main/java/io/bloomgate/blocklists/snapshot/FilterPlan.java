package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.FilterSizing.Size;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.index.FilterKeys;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.KeyHash;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Sizes, fills and writes the two filters of a generation from its finished indexes, one after the
 * other, so that only one is in memory. Used by {@link SnapshotBuilder}.
 */
final class FilterPlan {

  private static final double MIB = 1024.0 * 1024;

  private final NetworkIndex networks;
  private final NameIndex names;
  private final Keying keying;
  private final KeyHash hash;
  private final BuildOptions options;
  private final Size ipSize;
  private final Size nameSize;

  FilterPlan(NetworkIndex networks, NameIndex names, Keying keying, BuildOptions options) {
    this.networks = networks;
    this.names = names;
    this.keying = keying;
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.options = options;
    Counting counting = new Counting();
    networks.forEachFilterKey(counting);
    List<Size> sizes =
        FilterSizing.splitBlocks(
            List.of(counting.keys, names.listedKeys()),
            options.falsePositiveRate(),
            options.maxMemoryOctets());
    this.ipSize = sizes.getFirst();
    this.nameSize = sizes.getLast();
  }

  /** What to tell the operator when the bound on memory costs accuracy. */
  Optional<String> warning() {
    if (!ipSize.capped() && !nameSize.capped()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "filter.max_memory of %.1f MiB is too small for a false-positive rate of %.6f: the"
                + " filters now have %.6f; no entry is left out",
            options.maxMemoryOctets() / MIB,
            options.falsePositiveRate(),
            Math.max(ipSize.plannedRate(), nameSize.plannedRate())));
  }

  /** Writes the filter of addresses and pivots; tells its digest. */
  String writeIp(Path directory, Map<String, FilterShape> shapes) throws IOException {
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(ipSize);
    networks.forEachFilterKey(new Filling(builder, hash));
    return write(directory.resolve(MappedSnapshot.IP_FILTER), MappedSnapshot.IP, builder, shapes);
  }

  /** Writes the filter of names and mail addresses; tells its digest. */
  String writeName(Path directory, Map<String, FilterShape> shapes) throws IOException {
    SplitBlockFilterBuilder builder = new SplitBlockFilterBuilder(nameSize);
    names.forEachListedHash(builder::add);
    return write(
        directory.resolve(MappedSnapshot.NAME_FILTER), MappedSnapshot.NAME, builder, shapes);
  }

  private String write(
      Path path, String name, SplitBlockFilterBuilder builder, Map<String, FilterShape> shapes)
      throws IOException {
    long entries = (name.equals(MappedSnapshot.IP) ? ipSize : nameSize).capacity();
    SplitBlockFilter filter = builder.build(entries);
    shapes.put(name, filter.shape());
    return FilterFile.write(path, filter, keying);
  }

  /** Counts the keys. */
  private static final class Counting implements FilterKeys {
    private long keys;

    @Override
    public void host(long high, long low) {
      keys++;
    }

    @Override
    public void pivot(long high, long low, int length) {
      keys++;
    }
  }

  /** Puts the keys in. */
  private record Filling(SplitBlockFilterBuilder builder, KeyHash hash) implements FilterKeys {
    @Override
    public void host(long high, long low) {
      builder.add(hash.ip(new IpAddress(high, low)));
    }

    @Override
    public void pivot(long high, long low, int length) {
      builder.add(hash.pivot(high, low, length));
    }
  }
}

package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.index.AsnTable;
import io.bloomgate.blocklists.index.EntryTally;
import io.bloomgate.blocklists.index.EntryTally.Kind;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NameIndexBuilder;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.index.NetworkIndexBuilder;
import io.bloomgate.blocklists.index.TooManyEntriesException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Makes the files of one generation from feeds: exact indexes first, then filters sized from what
 * the indexes hold, then the proof that all of it is found. Called by {@link SnapshotStore} on the
 * feed-refresher thread.
 */
public final class SnapshotBuilder {

  /** The number of a feed is 16 bits wide in files. */
  private static final int MAX_FEEDS = 1 << 16;

  /** Options of lists that are only asked: an exact index answers behind their filters. */
  private static final BuildOptions ASKED = new BuildOptions(0.001, 64L << 20, 1);

  private static final String TEMPORARY = "names.tmp";

  /** Part of the heap that entries may take while their index is built; the filters come later. */
  private static final double HEAP_FOR_ENTRIES = 0.625;

  private final Supplier<Keying> seeds;
  private final long maxEntryOctets;

  /**
   * @param random source of the secret 128-bit seed, a new one for each build; production passes a
   *     {@link java.security.SecureRandom}
   */
  public SnapshotBuilder(RandomGenerator random) {
    this(random, Runtime.getRuntime().maxMemory());
  }

  /**
   * The same for a part of the heap.
   *
   * @param heapOctets by which the number of entries is bounded
   */
  public SnapshotBuilder(RandomGenerator random, long heapOctets) {
    this(() -> KeyHash.keying(random.nextLong(), random.nextLong()), heapOctets);
  }

  /**
   * Builds with the seed of a fleet, so that builds of the same entries are alike on all nodes.
   *
   * @param seed for each build
   */
  public SnapshotBuilder(Keying seed) {
    this(() -> seed, Runtime.getRuntime().maxMemory());
  }

  private SnapshotBuilder(Supplier<Keying> seeds, long heapOctets) {
    this.seeds = seeds;
    this.maxEntryOctets = (long) (heapOctets * HEAP_FOR_ENTRIES);
  }

  /**
   * Builds a generation into an empty directory and checks it.
   *
   * @throws SnapshotBuildException when the generation failed its own check
   * @throws TooManyEntriesException when the heap has no room for all feeds together
   * @throws IOException when a feed cannot be read or a file cannot be written
   */
  void build(
      Path directory,
      long generation,
      InstantSource clock,
      List<FeedInput> feeds,
      BuildOptions options)
      throws IOException, SnapshotBuildException {
    checkFeeds(feeds);
    Keying keying = seeds.get();
    EntryTally tally = new EntryTally(feeds.size());
    Map<String, String> digests = new LinkedHashMap<>();
    writeIndexes(directory, keying, feeds, tally, digests);
    Map<String, FilterShape> shapes = new LinkedHashMap<>();
    List<String> warnings = writeFilters(directory, keying, feeds, options, shapes, digests);
    SnapshotManifest manifest =
        new SnapshotManifest(
            generation,
            clock.instant(),
            options.inputs(),
            counts(feeds, tally),
            shapes,
            digests,
            KnownGoodCounts.NONE,
            warnings);
    ManifestFile.write(directory, manifest);
    MappedSnapshot snapshot = MappedSnapshot.open(directory);
    new SelfCheck(snapshot).run(feeds, tally.total());
    KnownGoodProof proof = new KnownGoodProof(snapshot);
    ManifestFile.write(directory, manifest.with(proof.run(options.knownGood())));
    proof.log();
  }

  /** Asks lists that were built to be asked. */
  @FunctionalInterface
  public interface Question<T> {
    T of(ListSnapshot lists) throws IOException;
  }

  /**
   * Builds lists that are only asked: nothing of them is left in the directory. They can be read as
   * long as somebody holds them.
   *
   * @param directory what is in it is removed
   * @throws SnapshotBuildException as {@link #build}
   * @throws IOException as {@link #build}
   */
  public <T> T aside(
      Path directory, InstantSource clock, List<FeedInput> feeds, Question<T> question)
      throws IOException, SnapshotBuildException {
    DurableFiles.deleteTree(directory);
    DurableFiles.createPrivateDirectory(directory);
    try {
      build(directory, 1, clock, feeds, ASKED);
      return question.of(MappedSnapshot.open(directory));
    } finally {
      DurableFiles.deleteTree(directory);
    }
  }

  private static void checkFeeds(List<FeedInput> feeds) throws SnapshotBuildException {
    Set<String> names = new HashSet<>();
    for (FeedInput feed : feeds) {
      if (!names.add(feed.name())) {
        throw new SnapshotBuildException("two feeds have the name " + feed.name());
      }
    }
    if (feeds.size() > MAX_FEEDS) {
      throw new SnapshotBuildException("more than " + MAX_FEEDS + " feeds");
    }
  }

  private void writeIndexes(
      Path directory,
      Keying keying,
      List<FeedInput> feeds,
      EntryTally tally,
      Map<String, String> digests)
      throws IOException {
    NetworkIndexBuilder networks = new NetworkIndexBuilder(tally, maxEntryOctets);
    AsnTable.Builder rows = new AsnTable.Builder(tally, feeds.size(), maxEntryOctets);
    try (NameIndexBuilder names =
        NameIndexBuilder.create(tally, maxEntryOctets, keying, directory.resolve(TEMPORARY))) {
      for (int i = 0; i < feeds.size(); i++) {
        int feed = i;
        feeds.get(i).entries().forEach(entry -> add(networks, names, rows, feed, entry));
      }
      digests.put(
          MappedSnapshot.NETWORK_INDEX,
          networks.write(directory.resolve(MappedSnapshot.NETWORK_INDEX), keying));
      digests.put(
          MappedSnapshot.NAME_INDEX, names.write(directory.resolve(MappedSnapshot.NAME_INDEX)));
      rows.write(directory, keying, digests);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void add(
      NetworkIndexBuilder networks,
      NameIndexBuilder names,
      AsnTable.Builder rows,
      int feed,
      ListEntry entry) {
    try {
      switch (entry) {
        case ListEntry.Network network -> networks.add(feed, network);
        case ListEntry.Domain _,
            ListEntry.Address _,
            ListEntry.Url _,
            ListEntry.Hash _,
            ListEntry.As _ ->
            names.add(feed, entry);
        case ListEntry.AsnRow row -> rows.add(feed, row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> writeFilters(
      Path directory,
      Keying keying,
      List<FeedInput> feeds,
      BuildOptions options,
      Map<String, FilterShape> shapes,
      Map<String, String> digests)
      throws IOException, SnapshotBuildException {
    List<String> feedNames = feeds.stream().map(FeedInput::name).toList();
    FilterLayout plan =
        new FilterLayout(
            NetworkIndex.open(directory.resolve(MappedSnapshot.NETWORK_INDEX), feedNames),
            NameIndex.open(directory.resolve(MappedSnapshot.NAME_INDEX), feedNames),
            keying,
            options);
    for (Partition partition : Partition.values()) {
      try {
        digests.put(partition.file(), plan.write(partition, directory, shapes));
      } catch (FilterBuildException e) {
        throw new SnapshotBuildException(
            "the filter of kind " + partition.word() + " cannot be built: " + e.getMessage());
      }
    }
    return plan.warning().map(List::of).orElse(List.of());
  }

  private static List<FeedCounts> counts(List<FeedInput> feeds, EntryTally tally) {
    List<FeedCounts> counts = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      counts.add(
          new FeedCounts(
              feeds.get(i).name(),
              feeds.get(i).version(),
              tally.of(i, Kind.IPV4),
              tally.of(i, Kind.IPV6),
              tally.of(i, Kind.DOMAIN),
              tally.of(i, Kind.ADDRESS),
              tally.of(i, Kind.URL),
              tally.of(i, Kind.FINGERPRINT),
              tally.of(i, Kind.ASN),
              tally.of(i, Kind.EXCEPTION),
              tally.of(i, Kind.DUPLICATE)));
    }
    return counts;
  }
}

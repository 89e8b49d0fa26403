package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.guard.KnownGoodCheck;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.guard.KnownGoodSet;
import io.bloomgate.blocklists.index.EntryTally;
import io.bloomgate.blocklists.index.EntryTally.Kind;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NameIndexBuilder;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.index.NetworkIndexBuilder;
import io.bloomgate.blocklists.index.TooManyEntriesException;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Subject;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the files of one generation from feeds: exact indexes first, then filters sized from what
 * the indexes hold, then the proof that all of it is found. Called by {@link SnapshotStore} on the
 * feed-refresher thread.
 */
public final class SnapshotBuilder {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotBuilder.class);

  /** The number of a feed is 16 bits wide in files. */
  private static final int MAX_FEEDS = 1 << 16;

  private static final String TEMPORARY = "names.tmp";

  /** Part of the heap that entries may take while their index is built; the filters come later. */
  private static final double HEAP_FOR_ENTRIES = 0.625;

  private final Supplier<FilterSeed> seeds;
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
    this(FilterSeed.random(random), heapOctets);
  }

  /**
   * Builds with the seed of a fleet, so that builds of the same entries are alike on all nodes.
   *
   * @param seed for each build
   */
  public SnapshotBuilder(FilterSeed seed) {
    this(() -> seed, Runtime.getRuntime().maxMemory());
  }

  private SnapshotBuilder(Supplier<FilterSeed> seeds, long heapOctets) {
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
    FilterSeed seed = seeds.get();
    Keying keying =
        new Keying(KeyHash.VERSION, MappedSnapshot.NORMALISATION_VERSION, seed.high(), seed.low());
    EntryTally tally = new EntryTally(feeds.size());
    Map<String, String> digests = new LinkedHashMap<>();
    KnownGoodSet.Builder good = new KnownGoodSet.Builder();
    options.knownGood().collect(good);
    List<KnownGoodCheck> checks = checks(good, feeds.size());
    writeIndexes(directory, keying, feeds, checks, tally, digests);
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
    KnownGoodCounts knownGood = new KnownGoodProof(snapshot).run(options.knownGood());
    ManifestFile.write(
        directory,
        manifest.with(
            new KnownGoodCounts(knownGood.proven(), knownGood.listed(), hits(feeds, checks))));
  }

  private static List<KnownGoodCheck> checks(KnownGoodSet.Builder good, int feeds) {
    if (good.omitted() > 0) {
      LOG.warn(
          "the known-good set is larger than {}; for {} of it nobody tells which feed lists them",
          KnownGoodSet.MAX_SUBJECTS,
          good.omitted());
    }
    KnownGoodSet set = good.build();
    return Stream.generate(() -> new KnownGoodCheck(set)).limit(feeds).toList();
  }

  private static Map<String, KnownGoodHits> hits(List<FeedInput> feeds, List<KnownGoodCheck> checks)
      throws IOException {
    Map<String, KnownGoodHits> hits = new LinkedHashMap<>();
    for (int i = 0; i < feeds.size(); i++) {
      KnownGoodCheck check = checks.get(i);
      if (check.wantsAnotherReading()) {
        check = check.another();
        feeds.get(i).entries().forEach(check::take);
      }
      if (check.hits().entries() > 0) {
        hits.put(feeds.get(i).name(), check.hits());
      }
    }
    return hits;
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
      List<KnownGoodCheck> checks,
      EntryTally tally,
      Map<String, String> digests)
      throws IOException {
    NetworkIndexBuilder networks = new NetworkIndexBuilder(tally, maxEntryOctets);
    try (NameIndexBuilder names =
        NameIndexBuilder.create(tally, maxEntryOctets, keying, directory.resolve(TEMPORARY))) {
      for (int i = 0; i < feeds.size(); i++) {
        int feed = i;
        KnownGoodCheck check = checks.get(i);
        feeds
            .get(i)
            .entries()
            .forEach(entry -> {
              add(networks, names, feed, entry);
              check.take(entry);
            });
      }
      digests.put(
          MappedSnapshot.NETWORK_INDEX,
          networks.write(directory.resolve(MappedSnapshot.NETWORK_INDEX), keying));
      digests.put(
          MappedSnapshot.NAME_INDEX, names.write(directory.resolve(MappedSnapshot.NAME_INDEX)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void add(
      NetworkIndexBuilder networks, NameIndexBuilder names, int feed, ListEntry entry) {
    try {
      switch (entry) {
        case ListEntry.Network network -> networks.add(feed, network);
        case ListEntry.Domain _, ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _ ->
            names.add(feed, entry);
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
              tally.of(i, Kind.EXCEPTION),
              tally.of(i, Kind.DUPLICATE)));
    }
    return counts;
  }

  /**
   * Asks a finished generation for every known-good subject as sessions ask it: counts what no list
   * names, and logs the rest. Run by {@link SnapshotBuilder} on the building thread.
   */
  static final class KnownGoodProof {

    /** Subjects that the log names. */
    private static final int SAMPLE = 5;

    private final ListSnapshot snapshot;
    private final List<String> sample = new ArrayList<>();
    private long proven;
    private long listed;
    private long wide;

    KnownGoodProof(ListSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    KnownGoodCounts run(KnownGood knownGood) {
      knownGood.forEach(this::ask);
      if (proven + listed > 0) {
        LOG.info("known-good set: {} not listed, {} listed", proven, listed);
      }
      if (listed > 0) {
        LOG.warn(
            "the lists hold {} of the known-good set, under a listed name or in or beside a listed"
                + " network; that is judged like other mail unless an allow entry lifts it; the"
                + " first: {}",
            listed,
            String.join(", ", sample));
      }
      if (wide > 0) {
        LOG.warn("{} networks of the known-good set are too wide to be proven host by host", wide);
      }
      return new KnownGoodCounts(proven, listed);
    }

    private void ask(Subject subject) {
      List<ListKey> keys = KnownGood.keys(subject);
      if (keys.isEmpty()) {
        wide++;
      } else if (keys.stream().noneMatch(this::isListed)) {
        proven++;
      } else {
        listed++;
        if (sample.size() < SAMPLE) {
          sample.add(subject.toString());
        }
      }
    }

    private boolean isListed(ListKey key) {
      return snapshot.ask(key) instanceof ListAnswer.Listed;
    }
  }
}

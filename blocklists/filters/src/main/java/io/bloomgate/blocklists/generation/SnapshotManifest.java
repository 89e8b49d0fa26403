package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.config.name.Fingerprint;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The contents of a generation. Written by {@link SnapshotBuilder} beside the files it describes,
 * read by {@code status}, {@code feeds} and metrics on any thread. Immutable.
 *
 * @param generation number, 0 for none
 * @param created when the build ended
 * @param inputs digest of everything except the feed versions that decided what is in the
 *     generation: settings, protected sets, known-good files; empty when none was given
 * @param feeds in feed order; the position is the feed's number in the index files
 * @param filters by the word of their {@link Partition}
 * @param files digest of the header of every file by file name, so that files of two generations
 *     are never mixed
 * @param knownGood the result of the check of the known-good set
 * @param warnings texts for the operator, such as a rate above the asked one
 */
public record SnapshotManifest(
    long generation,
    Instant created,
    String inputs,
    List<FeedCounts> feeds,
    Map<String, FilterShape> filters,
    Map<String, String> files,
    KnownGoodCounts knownGood,
    List<String> warnings) {

  private static final int ID_DIGITS = 16;

  /** No generation yet. */
  public static final SnapshotManifest EMPTY =
      new SnapshotManifest(
          0, Instant.EPOCH, "", List.of(), Map.of(), Map.of(), KnownGoodCounts.NONE, List.of());

  public SnapshotManifest {
    feeds = List.copyOf(feeds);
    filters = Collections.unmodifiableMap(new LinkedHashMap<>(filters));
    files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    warnings = List.copyOf(warnings);
  }

  /** The same with what was found of the known-good set. */
  SnapshotManifest with(KnownGoodCounts counts) {
    return new SnapshotManifest(
        generation, created, inputs, feeds, filters, files, counts, warnings);
  }

  /** Number of the version of each feed, in feed order: what is live of it. */
  public Map<String, Long> versions() {
    Map<String, Long> versions = new LinkedHashMap<>();
    feeds.forEach(feed -> versions.put(feed.name(), feed.number()));
    return versions;
  }

  /**
   * Equal on all nodes whose feeds list the same on the same lines, in the same order of feeds, and
   * whose seed is the same: SHA-256 of the names of the feeds and of the digests of both indexes,
   * the first 64 bits in hexadecimal. Settings count as far as they change what is listed. Empty
   * when there is no generation.
   */
  public String id() {
    if (generation == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("bloomgate generation 1\n");
    feeds.forEach(feed -> text.append(feed.name()).append('\n'));
    text.append(files.get(MappedSnapshot.NETWORK_INDEX)).append('\n');
    text.append(files.get(MappedSnapshot.NAME_INDEX)).append('\n');
    return Fingerprint.ofText(text.toString()).toString().substring(0, ID_DIGITS);
  }

  /** The counts of a feed, if it is part of the generation. */
  public Optional<FeedCounts> feed(String name) {
    return feeds.stream().filter(f -> f.name().equals(name)).findFirst();
  }

  /** Distinct entries of all feeds that list something. */
  public long entries() {
    return sum(FeedCounts::entries);
  }

  private long sum(ToLongFunction<FeedCounts> count) {
    return feeds.stream().mapToLong(count).sum();
  }
}

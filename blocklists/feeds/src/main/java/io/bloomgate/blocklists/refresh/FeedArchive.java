package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of all feeds, in memory and in {@link FeedStates}, and which of their stored versions
 * may be live and are whole. What is live is not stored here: the manifest of the live generation
 * says it. Thread-safe: the feed-refresher and the control server change records; versions are read
 * on the feed-refresher thread, where reading all octets of one takes some tenths of a second for
 * 150 MB.
 */
final class FeedArchive {

  private static final Logger LOG = LoggerFactory.getLogger(FeedArchive.class);

  private final FeedFiles files;
  private final FeedStates states;
  private final Supplier<SnapshotManifest> manifest;
  private final Consumer<String> alarm;
  private final Map<String, FeedRecord> records = new HashMap<>();

  /** The changes that {@link #presume} wrote and no update has replaced. */
  private final Map<String, UnaryOperator<FeedRecord>> presumed = new HashMap<>();

  /** Feeds whose state could not be written: the alarm is raised once until it is. */
  private final Set<String> unwritten = new HashSet<>();

  /**
   * @param manifest of the generation that is live: what it names is live, whatever is stored
   */
  FeedArchive(
      FeedFiles files,
      FeedStates states,
      Supplier<SnapshotManifest> manifest,
      Consumer<String> alarm) {
    this.files = files;
    this.states = states;
    this.manifest = manifest;
    this.alarm = alarm;
  }

  /** The stored versions. */
  FeedFiles files() {
    return files;
  }

  /** The record of a feed. */
  synchronized FeedRecord get(String name) {
    FeedRecord record = records.computeIfAbsent(name, this::load);
    long built = built(name);
    return record.withLive(built != 0 ? built : newest(record));
  }

  /** The record of a feed, of which nothing counts that a former address of it answered. */
  FeedRecord get(Source source, Instant now) {
    return get(source.name()).at(VersionReader.locationKey(source.location()), now);
  }

  /**
   * Reads the stored record of a feed; an empty one of a feed that is new.
   *
   * @throws IOException when something was written and cannot be read
   */
  static FeedRecord stored(FeedStates states, String name) throws IOException {
    return states
        .get(name, Part.RECORD, FeedRecord.class)
        .map(record -> record.named(name))
        .orElseGet(() -> FeedRecord.unknown(name));
  }

  private void save(FeedRecord record) throws IOException {
    states.put(record.name(), Part.RECORD, record.stored());
  }

  private FeedRecord load(String name) {
    try {
      return stored(states, name);
    } catch (IOException e) {
      alarm.accept(
          "what is known of feed "
              + name
              + " cannot be read: "
              + Faults.words(e)
              + "; if the feed was disabled, it is on again: `bloomgate feeds disable "
              + name
              + "` switches it off");
      return FeedRecord.unknown(name);
    }
  }

  /** True when the last change of a feed's state could not be written: the alarm was raised. */
  synchronized boolean isUnwritten(String name) {
    return unwritten.contains(name);
  }

  /**
   * Changes a record. A disk that cannot be written keeps the change in memory and raises the
   * alarm; true when it was written.
   */
  synchronized boolean update(String name, UnaryOperator<FeedRecord> change) {
    try {
      FeedRecord next = change.apply(get(name));
      records.put(name, next);
      presumed.remove(name);
      save(next);
      unwritten.remove(name);
      return true;
    } catch (IOException e) {
      // The file that cannot be read has its own alarm, once for all feeds.
      if (unwritten.add(name) && states.problem().isEmpty()) {
        alarm.accept("the state of feed " + name + " cannot be written: " + Faults.words(e));
      }
      return false;
    }
  }

  /**
   * Writes what the next start is to find if the process ends before the next update. In memory
   * nothing changes.
   *
   * @throws IOException when it cannot be written; what may end the process must not begin then
   */
  synchronized void presume(String name, UnaryOperator<FeedRecord> change) throws IOException {
    save(change.apply(get(name)));
    presumed.put(name, change);
  }

  /**
   * Switches a feed on or off, on any thread and also while a version of it is read.
   *
   * @throws IOException when it is switched and that cannot be written
   */
  synchronized void pause(String name, FeedRecord.Pause pause) throws IOException {
    FeedRecord next = get(name).with(pause);
    records.put(name, next);
    save(presumed.getOrDefault(name, r -> r).apply(next));
  }

  private long built(String name) {
    return manifest.get().feed(name).map(FeedCounts::number).orElse(0L);
  }

  /** The newest stored version that a build may take. */
  private long newest(FeedRecord record) {
    return files.versions(record.name()).stream()
        .filter(record::mayBeLive)
        .mapToLong(FeedVersion::id)
        .findFirst()
        .orElse(0);
  }

  /**
   * The version that the next build takes, 0 for none: the newest that was live or accepted and not
   * rolled back from. A newer one that is live counts too, although nothing is known of it yet.
   */
  long wanted(String name) {
    long built = built(name);
    FeedRecord record = get(name);
    boolean left = record.rollback().from().contains(built);
    return Math.max(left ? 0 : built, newest(record));
  }

  /** A number for the next version of a feed that no other version has or had. */
  long nextId(String name) throws IOException {
    return Math.max(files.nextId(name), built(name) + 1);
  }

  /** The octets of a version; empty when they are lost or changed. */
  Optional<Stored> whole(String name, FeedVersion version) {
    try {
      Stored stored = files.stored(name, version);
      if (stored.content().sha256().equals(version.sha256())) {
        return Optional.of(stored);
      }
      LOG.error("feed {}: the octets of stored version {} have changed", name, version.id());
    } catch (IOException e) {
      LOG.error(
          "feed {}: stored version {} cannot be read: {}", name, version.id(), Faults.words(e));
    }
    return Optional.empty();
  }

  /** The same by its number; empty also when there is no such version. */
  Optional<Stored> whole(String name, long id) {
    return files.version(name, id).flatMap(v -> whole(name, v));
  }

  /** The live version, or where it is lost the newest older one that was live and is whole. */
  Optional<Stored> wholeLive(String name) {
    long live = get(name).live();
    return whole(name, live)
        .or(() -> wholeOnes(name).filter(v -> v.version().id() < live).findFirst());
  }

  /** The versions that a build may take, newest first; each is read when it is asked for. */
  Stream<Stored> wholeOnes(String name) {
    return files.versions(name).stream()
        .filter(get(name)::mayBeLive)
        .flatMap(v -> whole(name, v).stream());
  }

  /**
   * Removes versions but for the newest, those in use, and what the guard compares others with.
   *
   * @param keep number of the newest that stay
   */
  void prune(String name, int keep, Set<Long> inUse, Instant now) throws IOException {
    Set<Long> kept = new HashSet<>(inUse);
    kept.addAll(VersionOfYesterday.wanted(files.versions(name), now));
    files.prune(name, keep, kept);
  }
}

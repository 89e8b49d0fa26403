package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The records of all feeds in memory, each change written through to disk. Thread-safe: the
 * feed-refresher and the control server change it.
 */
final class FeedArchive {

  private final FeedFiles files;
  private final Supplier<SnapshotManifest> manifest;
  private final Consumer<String> alarm;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, FeedRecord> records = new HashMap<>();

  /**
   * @param manifest of the generation that is live: what it names is live, whatever is stored
   */
  FeedArchive(FeedFiles files, Supplier<SnapshotManifest> manifest, Consumer<String> alarm) {
    this.files = files;
    this.manifest = manifest;
    this.alarm = alarm;
  }

  /** The record of a feed. */
  FeedRecord get(String name) {
    lock.lock();
    try {
      FeedRecord record = records.computeIfAbsent(name, this::load);
      long built = built(name);
      return record.withLive(built != 0 ? built : newest(record));
    } finally {
      lock.unlock();
    }
  }

  private FeedRecord load(String name) {
    try {
      return files.record(name);
    } catch (IOException e) {
      alarm.accept(
          "what is known of feed "
              + name
              + " cannot be read: "
              + e.getMessage()
              + "; if the feed was disabled, it is on again: `bloomgate feeds disable "
              + name
              + "` switches it off");
      return FeedRecord.unknown(name);
    }
  }

  /**
   * Changes a record. A disk that cannot be written keeps the change in memory and raises the
   * alarm; true when it was written.
   */
  boolean update(String name, UnaryOperator<FeedRecord> change) {
    lock.lock();
    try {
      FeedRecord next = change.apply(get(name));
      records.put(name, next);
      files.save(next);
      return true;
    } catch (IOException e) {
      alarm.accept("the state of feed " + name + " cannot be written: " + e.getMessage());
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes what the next start is to find if the process ends before the next update. In memory
   * nothing changes.
   *
   * @throws IOException when it cannot be written; what may end the process must not begin then
   */
  void presume(String name, UnaryOperator<FeedRecord> change) throws IOException {
    lock.lock();
    try {
      files.save(change.apply(get(name)));
    } finally {
      lock.unlock();
    }
  }

  private long built(String name) {
    return manifest.get().feed(name).map(FeedCounts::number).orElse(0L);
  }

  /** The newest stored version that a build may take. */
  private long newest(FeedRecord record) {
    return files.versionsOrNone(record.name()).stream()
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
}

package io.bloomgate.blocklists.refresh;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The records of all feeds in memory, each change written through to disk. Thread-safe: the
 * feed-refresher and the control server change it.
 */
final class FeedBook {

  private final FeedStore store;
  private final Consumer<String> alarm;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, FeedRecord> records = new HashMap<>();

  FeedBook(FeedStore store, Consumer<String> alarm) {
    this.store = store;
    this.alarm = alarm;
  }

  /** The record of a feed. */
  FeedRecord get(String name) {
    lock.lock();
    try {
      return records.computeIfAbsent(name, this::load);
    } finally {
      lock.unlock();
    }
  }

  private FeedRecord load(String name) {
    try {
      return store.record(name);
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
      FeedRecord next = change.apply(records.computeIfAbsent(name, this::load));
      records.put(name, next);
      store.save(next);
      return true;
    } catch (IOException e) {
      alarm.accept("the state of feed " + name + " cannot be written: " + e.getMessage());
      return false;
    } finally {
      lock.unlock();
    }
  }
}

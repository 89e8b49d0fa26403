package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionLine.DecisionFields;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Gives decisions to watchers as they happen ({@code bloomgate tail}).
 *
 * <p>Session threads publish and never wait: a watcher that is too slow misses decisions and learns
 * how many. Watchers read on their control connection's thread.
 */
public final class TailHub {

  /** Watchers at the same time. */
  public static final int MAX_WATCHERS = 16;

  private static final int QUEUE_CAPACITY = 512;

  private final CopyOnWriteArrayList<Watcher> watchers = new CopyOnWriteArrayList<>();

  /** Gives a decision to all watchers that want it. */
  public void publish(DecisionRecord record) {
    for (Watcher watcher : watchers) {
      watcher.offer(record);
    }
  }

  /**
   * Adds a watcher; empty when there are {@link #MAX_WATCHERS} already.
   *
   * @param verdict only decisions with this verdict word, {@code null} for all
   * @param feed only decisions in which this feed had a listing, {@code null} for all
   */
  public synchronized Optional<Watcher> watch(
      @Nullable String verdict, @Nullable String feed, Privacy privacy) {
    if (watchers.size() >= MAX_WATCHERS) {
      return Optional.empty();
    }
    Watcher watcher = new Watcher(verdict, feed, privacy);
    watchers.add(watcher);
    return Optional.of(watcher);
  }

  /** A watcher; close it to stop. */
  public final class Watcher implements AutoCloseable {
    private final @Nullable String verdict;
    private final @Nullable String feed;
    private final Privacy privacy;
    private final BlockingQueue<DecisionRecord> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final LongAdder missed = new LongAdder();

    private Watcher(@Nullable String verdict, @Nullable String feed, Privacy privacy) {
      this.verdict = verdict;
      this.feed = feed;
      this.privacy = privacy;
    }

    /** The next decision as named fields, or empty when none came in time. */
    public Optional<JsonObject> next(Duration patience) throws InterruptedException {
      DecisionRecord next = queue.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      return Optional.ofNullable(next).map(record -> DecisionFields.of(record, privacy, true));
    }

    /** Decisions that were missed since the last call. */
    public long missed() {
      return missed.sumThenReset();
    }

    @Override
    public void close() {
      watchers.remove(this);
    }

    private void offer(DecisionRecord record) {
      if (wanted(record) && !queue.offer(record)) {
        missed.increment();
      }
    }

    private boolean wanted(DecisionRecord record) {
      Verdict found = record.verdict();
      if (verdict != null && !record.isOf(verdict)) {
        return false;
      }
      return feed == null || (found != null && names(found, feed));
    }

    private static boolean names(Verdict verdict, String feed) {
      return verdict.grounds().standing().stream()
          .anyMatch(ground -> ground instanceof Ground.Found e && e.source().equals(feed));
    }
  }
}

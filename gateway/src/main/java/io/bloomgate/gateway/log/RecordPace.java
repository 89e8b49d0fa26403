package io.bloomgate.gateway.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the records a minute that clients can cause at will; further records become one record
 * with a count at the end of the minute. One for each client network in {@link RecordPaces}, and
 * one at the composition root for replies of limits, of all sessions together. Thread-safe.
 */
public final class RecordPace {

  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Grounds that each pace has without using the shared ones. */
  static final int OWN_GROUNDS = 4;

  private final LongSupplier nanoTime;
  private final Supplier<String> ids;
  private final Bounds bounds;
  private final Semaphore sharedGrounds;
  private final Map<Kind, Ground> grounds = new LinkedHashMap<>();

  /** Records beyond {@link Bounds#grounds}, by verdict. */
  private final Map<String, Sum> others = new LinkedHashMap<>();

  /** Records by verdict that were written in addition to the first of each ground. */
  private final Map<String, Integer> written = new HashMap<>();

  private final List<DecisionRecord> due = new ArrayList<>();
  private int borrowed;
  private long minuteBegan;

  /**
   * The records that are counted together.
   *
   * @param verdict of the record
   * @param ground reason and recipient: one id may be used for all records that are equal here
   */
  public record Kind(String verdict, String ground) {}

  /**
   * The number of records that are written one by one.
   *
   * @param ofAGround records a minute
   * @param ofAVerdict records a minute, beside the first of each ground
   * @param grounds different ones a minute; those beyond share one sum, and have no id
   */
  public record Bounds(int ofAGround, int ofAVerdict, int grounds) {}

  /** A number of records, and the first of them, which is written for all. */
  private static final class Sum {
    private final DecisionRecord first;
    private int times;

    private Sum(DecisionRecord first) {
      this.first = first;
    }
  }

  /** Records of one ground in this minute. */
  private static final class Ground {
    private int written;
    private @Nullable Sum beyond;
  }

  /**
   * A pace whose first minute begins with its first record.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param ids for sums of records that have none
   * @param sharedGrounds grounds that all paces share
   */
  public RecordPace(
      LongSupplier nanoTime, Supplier<String> ids, Bounds bounds, Semaphore sharedGrounds) {
    this.nanoTime = nanoTime;
    this.ids = ids;
    this.bounds = bounds;
    this.sharedGrounds = sharedGrounds;
  }

  /**
   * The id for the next record of a kind: a new one, or the id of the sum that will include it, so
   * that every id that a client got can be found; empty when that sum has other grounds too.
   */
  synchronized String id(Kind kind) {
    beginMinute();
    Ground known = grounds.get(kind);
    if (known == null) {
      return hasRoom() ? ids.get() : "";
    }
    Sum beyond = known.beyond;
    return beyond == null ? ids.get() : beyond.first.id();
  }

  /** True when a record may be written by itself; otherwise it is counted into a sum. */
  public synchronized boolean admit(Kind kind, DecisionRecord record) {
    beginMinute();
    Ground ground = grounds.get(kind);
    if (ground == null) {
      ground = newGround(kind);
      if (ground == null) {
        return heard(record)
            || beyond(others.computeIfAbsent(kind.verdict(), ignored -> sum(record)), record);
      }
      ground.written++;
      return true;
    }
    int ofVerdict = written.getOrDefault(kind.verdict(), 0);
    if (ground.written < bounds.ofAGround() && ofVerdict < bounds.ofAVerdict()) {
      ground.written++;
      written.put(kind.verdict(), ofVerdict + 1);
      return true;
    }
    Sum beyond = ground.beyond;
    if (beyond == null) {
      beyond = sum(record);
      ground.beyond = beyond;
    } else if (heard(record) && !record.id().equals(beyond.first.id())) {
      // Another session was faster, and the client got this id; it must be found.
      return true;
    }
    return beyond(beyond, record);
  }

  private static boolean beyond(Sum sum, DecisionRecord record) {
    sum.times += record.times();
    return false;
  }

  private Sum sum(DecisionRecord record) {
    return new Sum(record.id().isEmpty() ? record.withId(ids.get()) : record);
  }

  /** True when the client was given the id of this record. */
  private static boolean heard(DecisionRecord record) {
    return !record.id().isEmpty()
        && switch (record.outcome()) {
          case REFUSED, WOULD_REFUSE -> true;
          case DELIVERED,
              PROTOCOL,
              TURNED_AWAY,
              UPSTREAM_REFUSED,
              UPSTREAM_FAILED,
              UNKNOWN,
              ABANDONED,
              DROPPED ->
              false;
        };
  }

  private boolean hasRoom() {
    return grounds.size() < OWN_GROUNDS
        || (grounds.size() < bounds.grounds() && sharedGrounds.availablePermits() > 0);
  }

  private @Nullable Ground newGround(Kind kind) {
    if (grounds.size() >= OWN_GROUNDS) {
      if (grounds.size() >= bounds.grounds() || !sharedGrounds.tryAcquire()) {
        return null;
      }
      borrowed++;
    }
    Ground ground = new Ground();
    grounds.put(kind, ground);
    return ground;
  }

  /** The sums of minutes that are over; each is given once. */
  public synchronized List<DecisionRecord> due() {
    if (isIdle()) {
      return List.of();
    }
    beginMinute();
    return take();
  }

  /** All sums, also of the current minute; for the end of the program. */
  synchronized List<DecisionRecord> rest() {
    endMinute();
    return take();
  }

  /** True when it has no records, as a new one. */
  synchronized boolean isIdle() {
    return grounds.isEmpty() && due.isEmpty();
  }

  /** Returns when its minute began, by the monotonic clock, nanoseconds. */
  synchronized long minuteBegan() {
    return minuteBegan;
  }

  private List<DecisionRecord> take() {
    List<DecisionRecord> sums = List.copyOf(due);
    due.clear();
    return sums;
  }

  private void beginMinute() {
    long now = nanoTime.getAsLong();
    if (grounds.isEmpty()) {
      minuteBegan = now;
    } else if (now - minuteBegan >= MINUTE_NANOS) {
      endMinute();
      minuteBegan = now;
    }
  }

  private void endMinute() {
    for (Ground ground : grounds.values()) {
      if (ground.beyond != null) {
        due.add(ground.beyond.first.standingFor(ground.beyond.times));
      }
    }
    for (Sum other : others.values()) {
      due.add(other.first.standingFor(other.times));
    }
    grounds.clear();
    others.clear();
    written.clear();
    sharedGrounds.release(borrowed);
    borrowed = 0;
  }
}

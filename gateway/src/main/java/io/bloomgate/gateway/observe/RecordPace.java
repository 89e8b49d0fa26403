package io.bloomgate.gateway.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps records of one kind, which a client can provoke at will, to so many a minute; those beyond
 * are one record with a count when the minute is over. One for each session, used by its thread,
 * and one in {@link ObservingTelemetry} for all sessions together. Thread-safe.
 */
public final class RecordPace {

  /** Refusals of one session and one verdict that are written one by one, a minute. */
  public static final int SESSION_RECORDS = 20;

  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final int recordsAMinute;
  private final Map<String, Kind> kinds = new LinkedHashMap<>();
  private final List<DecisionRecord> due = new ArrayList<>();
  private long minuteBegan;

  /** What came of one kind in this minute. */
  private static final class Kind {
    private int written;
    private int beyond;

    /** The first that was not written; it stands for all of them. */
    private DecisionRecord first;

    private Kind(DecisionRecord first) {
      this.first = first;
    }
  }

  /**
   * A pace whose first minute begins with its first record.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public RecordPace(LongSupplier nanoTime, int recordsAMinute) {
    this.nanoTime = nanoTime;
    this.recordsAMinute = recordsAMinute;
  }

  /**
   * The id for the next record of a kind: that of the sum which will stand for it, so that every id
   * that a client hears is found again, or a new one.
   */
  public synchronized String id(String kind, Supplier<String> ids) {
    beginMinute();
    Kind known = kinds.get(kind);
    return known == null || known.beyond == 0 ? ids.get() : known.first.id();
  }

  /** True when a record may be written by itself; otherwise it is counted into a sum. */
  public synchronized boolean admit(String kind, DecisionRecord record) {
    beginMinute();
    Kind known = kinds.computeIfAbsent(kind, ignored -> new Kind(record));
    if (known.written < recordsAMinute) {
      known.written++;
      return true;
    }
    if (known.beyond == 0) {
      known.first = record;
    }
    known.beyond += record.times();
    return false;
  }

  /** The sums of minutes that are over; each is given once. */
  public synchronized List<DecisionRecord> due() {
    if (kinds.isEmpty() && due.isEmpty()) {
      return List.of();
    }
    beginMinute();
    return take();
  }

  /** All sums, also that of the minute that goes on; for the end. */
  public synchronized List<DecisionRecord> rest() {
    endMinute();
    return take();
  }

  private List<DecisionRecord> take() {
    List<DecisionRecord> sums = List.copyOf(due);
    due.clear();
    return sums;
  }

  private void beginMinute() {
    long now = nanoTime.getAsLong();
    if (kinds.isEmpty()) {
      minuteBegan = now;
    } else if (now - minuteBegan >= MINUTE_NANOS) {
      endMinute();
      minuteBegan = now;
    }
  }

  private void endMinute() {
    for (Kind kind : kinds.values()) {
      if (kind.beyond > 0) {
        due.add(kind.first.standingFor(kind.beyond));
      }
    }
    kinds.clear();
  }
}

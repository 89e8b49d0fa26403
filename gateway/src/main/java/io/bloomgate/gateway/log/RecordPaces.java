package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the records a minute that clients can cause at will, by client network across all its
 * sessions, so that a new connection does not help a client; further records become one record with
 * a count at the end of the minute. Asked by sessions for what was not delivered, {@link #writeDue}
 * by housekeeping. Thread-safe; networks do not wait for each other.
 */
public final class RecordPaces {
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Networks at the same time; when there are more, the oldest minute ends early. */
  static final int NETWORKS = 2_048;

  /** Records a minute of one network and one ground, written one by one. */
  public static final int GROUND_RECORDS = 20;

  /** Records a minute of one network and one verdict, in addition to the first of each ground. */
  public static final int VERDICT_RECORDS = 60;

  /** Different grounds a minute of one network; those beyond share one sum, and have no id. */
  public static final int GROUNDS = 200;

  /** Grounds that each network has without using the shared ones. */
  private static final int OWN_GROUNDS = 4;

  /** Grounds of all networks together, in addition to their own. */
  private static final int SHARED_GROUNDS = 4_096;

  private final LongSupplier nanoTime;
  private final Supplier<String> ids;
  private final AtomicInteger sharedGrounds = new AtomicInteger();
  private final Map<IpAddress, Pace> paces = new ConcurrentHashMap<>();
  private final Queue<DecisionRecord> endedEarly = new ConcurrentLinkedQueue<>();

  /**
   * No network known yet.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param ids makes incident ids
   */
  public RecordPaces(LongSupplier nanoTime, Supplier<String> ids) {
    this.nanoTime = nanoTime;
    this.ids = ids;
  }

  /**
   * The records that are counted together.
   *
   * @param verdict of the record
   * @param ground reason and recipient: one id may be used for all records that are equal here
   */
  public record Kind(String verdict, String ground) {}

  /** The same bounds and ids, for sessions that are counted apart. */
  public RecordPaces another() {
    return new RecordPaces(nanoTime, ids);
  }

  /**
   * The id for the next record: it finds that record, or a sum of records of its kind only; empty
   * when the network has had too many.
   */
  public String id(IpAddress network, Kind kind) {
    Pace pace = paces.get(network);
    return pace == null ? ids.get() : pace.id(kind);
  }

  /** True when a record may be written by itself; otherwise it is counted into a sum. */
  public boolean admit(IpAddress network, Kind kind, DecisionRecord record) {
    if (paces.size() >= NETWORKS && !paces.containsKey(network)) {
      endOldest();
    }
    boolean[] admitted = new boolean[1];
    // Inside compute, so that no pace ends while a record is counted in it.
    paces.compute(
        network,
        (_, known) -> {
          Pace pace = known == null ? new Pace() : known;
          admitted[0] = pace.admit(kind, record);
          return pace;
        });
    return admitted[0];
  }

  private void endOldest() {
    long now = nanoTime.getAsLong();
    IpAddress oldest = null;
    long age = -1;
    for (Map.Entry<IpAddress, Pace> entry : paces.entrySet()) {
      long its = now - entry.getValue().minuteBegan;
      if (its > age) {
        age = its;
        oldest = entry.getKey();
      }
    }
    Pace ended = oldest == null ? null : paces.remove(oldest);
    if (ended != null) {
      endedEarly.addAll(ended.sums(true));
    }
  }

  /** Writes the sums of minutes that are over, and forgets networks without records. */
  public void writeDue(Consumer<DecisionRecord> writer) {
    write(false, writer);
  }

  /** Writes all sums, also those of the current minutes; for the end of the program. */
  public void writeRest(Consumer<DecisionRecord> writer) {
    write(true, writer);
  }

  private void write(boolean all, Consumer<DecisionRecord> writer) {
    for (IpAddress network : paces.keySet()) {
      paces.computeIfPresent(
          network,
          (_, pace) -> {
            endedEarly.addAll(pace.sums(all));
            return pace.grounds.isEmpty() ? null : pace;
          });
    }
    for (DecisionRecord sum = endedEarly.poll(); sum != null; sum = endedEarly.poll()) {
      writer.accept(sum);
    }
  }

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

  /** The records of one network in a minute that begins with its first record. */
  private final class Pace {
    private final Map<Kind, Ground> grounds = new LinkedHashMap<>();

    /** Records beyond the grounds, by verdict. */
    private final Map<String, Sum> others = new LinkedHashMap<>();

    /** Records by verdict that were written in addition to the first of each ground. */
    private final Map<String, Integer> written = new HashMap<>();

    private final List<DecisionRecord> due = new ArrayList<>();
    private volatile long minuteBegan;

    /** A new id, or the id of the sum that will include the record, so that it can be found. */
    synchronized String id(Kind kind) {
      beginMinute();
      Ground known = grounds.get(kind);
      if (known == null) {
        return hasRoom() ? ids.get() : "";
      }
      return known.beyond == null ? ids.get() : known.beyond.first.id();
    }

    synchronized boolean admit(Kind kind, DecisionRecord record) {
      beginMinute();
      Ground ground = grounds.get(kind);
      if (ground == null) {
        if (!hasRoom()) {
          return isHeard(record)
              || isBeyond(others.computeIfAbsent(kind.verdict(), _ -> sum(record)), record);
        }
        ground = new Ground();
        ground.written = 1;
        grounds.put(kind, ground);
        if (grounds.size() > OWN_GROUNDS) {
          sharedGrounds.incrementAndGet();
        }
        return true;
      }
      int ofVerdict = written.getOrDefault(kind.verdict(), 0);
      if (ground.written < GROUND_RECORDS && ofVerdict < VERDICT_RECORDS) {
        ground.written++;
        written.put(kind.verdict(), ofVerdict + 1);
        return true;
      }
      Sum beyond = ground.beyond == null ? sum(record) : ground.beyond;
      ground.beyond = beyond;
      // Another session was faster, and the client got the id of this record: it must be found.
      return (isHeard(record) && !record.id().equals(beyond.first.id()))
          || isBeyond(beyond, record);
    }

    private boolean isBeyond(Sum sum, DecisionRecord record) {
      sum.times += record.times();
      return false;
    }

    private Sum sum(DecisionRecord record) {
      return new Sum(record.id().isEmpty() ? record.withId(ids.get()) : record);
    }

    /** True when the client was given the id of this record. */
    private boolean isHeard(DecisionRecord record) {
      return !record.id().isEmpty()
          && (record.outcome() == Outcome.REFUSED || record.outcome() == Outcome.WOULD_REFUSE);
    }

    private boolean hasRoom() {
      return grounds.size() < OWN_GROUNDS
          || (grounds.size() < GROUNDS && sharedGrounds.get() < SHARED_GROUNDS);
    }

    /** The sums of minutes that are over, or all; each is given once. */
    synchronized List<DecisionRecord> sums(boolean all) {
      if (all) {
        endMinute();
      } else if (!grounds.isEmpty()) {
        beginMinute();
      }
      List<DecisionRecord> sums = List.copyOf(due);
      due.clear();
      return sums;
    }

    private void beginMinute() {
      long now = nanoTime.getAsLong();
      if (now - minuteBegan >= MINUTE_NANOS) {
        endMinute();
      }
      if (grounds.isEmpty()) {
        minuteBegan = now;
      }
    }

    private void endMinute() {
      for (Ground ground : grounds.values()) {
        if (ground.beyond != null) {
          due.add(ground.beyond.first.standingFor(ground.beyond.times));
        }
      }
      others.values().forEach(other -> due.add(other.first.standingFor(other.times)));
      sharedGrounds.addAndGet(-Math.max(0, grounds.size() - OWN_GROUNDS));
      grounds.clear();
      others.clear();
      written.clear();
    }
  }
}

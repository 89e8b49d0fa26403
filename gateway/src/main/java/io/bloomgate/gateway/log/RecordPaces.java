package io.bloomgate.gateway.log;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.RecordPace.Bounds;
import io.bloomgate.gateway.log.RecordPace.Kind;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The pace of records by client network, across all its sessions, so that a new connection does not
 * help a client. One for the program; asked by sessions for what was not delivered, {@link
 * #writeDue} by housekeeping. Thread-safe; networks do not wait for each other.
 */
public final class RecordPaces {

  /** Networks at the same time; when there are more, the oldest minute ends early. */
  static final int NETWORKS = 2_048;

  /** Records a minute of one network and one ground, written one by one. */
  public static final int GROUND_RECORDS = 20;

  /** Records a minute of one network and one verdict, in addition to the first of each ground. */
  public static final int VERDICT_RECORDS = 60;

  /** Different grounds a minute of one network that have an id. */
  public static final int GROUNDS = 200;

  /** Grounds of all networks together, in addition to {@link RecordPace#OWN_GROUNDS} of each. */
  private static final int SHARED_GROUNDS = 4_096;

  private static final Bounds BOUNDS = new Bounds(GROUND_RECORDS, VERDICT_RECORDS, GROUNDS);

  private final LongSupplier nanoTime;
  private final Supplier<String> ids;
  private final Semaphore sharedGrounds = new Semaphore(SHARED_GROUNDS);
  private final Map<IpAddress, RecordPace> paces = new ConcurrentHashMap<>();
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

  /** The same bounds and ids, for sessions that are counted apart. */
  public RecordPaces another() {
    return new RecordPaces(nanoTime, ids);
  }

  /**
   * The id for the next record: it finds that record, or a sum of records of its kind only; empty
   * when the network has had too many.
   */
  public String id(IpAddress network, Kind kind) {
    RecordPace pace = paces.get(network);
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
        (key, known) -> {
          RecordPace pace =
              known == null ? new RecordPace(nanoTime, ids, BOUNDS, sharedGrounds) : known;
          admitted[0] = pace.admit(kind, record);
          return pace;
        });
    return admitted[0];
  }

  private void endOldest() {
    long now = nanoTime.getAsLong();
    IpAddress oldest = null;
    long age = -1;
    for (Map.Entry<IpAddress, RecordPace> entry : paces.entrySet()) {
      long its = now - entry.getValue().minuteBegan();
      if (its > age) {
        age = its;
        oldest = entry.getKey();
      }
    }
    if (oldest != null) {
      RecordPace ended = paces.remove(oldest);
      if (ended != null) {
        endedEarly.addAll(ended.rest());
      }
    }
  }

  /** Writes the sums of minutes that are over, and forgets networks without records. */
  public void writeDue(Consumer<DecisionRecord> writer) {
    write(RecordPace::due, writer);
  }

  /** Writes all sums, also those of the current minutes; for the end of the program. */
  public void writeRest(Consumer<DecisionRecord> writer) {
    write(RecordPace::rest, writer);
  }

  private void write(
      Function<RecordPace, List<DecisionRecord>> which, Consumer<DecisionRecord> writer) {
    for (IpAddress network : paces.keySet()) {
      paces.computeIfPresent(
          network,
          (key, pace) -> {
            endedEarly.addAll(which.apply(pace));
            return pace.isIdle() ? null : pace;
          });
    }
    for (DecisionRecord sum = endedEarly.poll(); sum != null; sum = endedEarly.poll()) {
      writer.accept(sum);
    }
  }
}

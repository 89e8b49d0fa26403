package io.bloomgate.gateway.log;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the records a minute that clients can cause at will, by client network across all its
 * sessions, so that a new connection does not help a client; further records become one record with
 * a count at the end of the minute. Asked by sessions for what was not delivered, {@link #writeDue}
 * by housekeeping. Thread-safe.
 */
public final class RecordPaces {
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Records a minute of one network and one ground, written one by one. */
  public static final int GROUND_RECORDS = 20;

  /** Records a minute of one network, in addition to the first of each ground. */
  private static final int NETWORK_RECORDS = 60;

  /** Different grounds a minute of one network; those beyond share one sum, and have no id. */
  public static final int GROUNDS = 200;

  /** The same of all networks together, in addition to the own ones. */
  private static final int ALL_GROUNDS = 12_000;

  /** Grounds that a network has whatever others do, so that its first refusals have ids. */
  private static final int OWN_GROUNDS = 4;

  /** Networks a minute that have grounds of their own. */
  private static final int NETWORKS = 16_000;

  /** The ground of records beyond the bounds. */
  private static final String OTHERS = "others";

  private static final IpAddress EVERYWHERE = new IpAddress(0, 0);

  private final LongSupplier nanoTime;
  private final Supplier<String> ids;

  // Guarded by this; all begin again with each minute, but for what is due.
  private final Map<Source, Records> records = new LinkedHashMap<>();
  private final Multiset<IpAddress> grounds = HashMultiset.create();
  private final Multiset<IpAddress> repeated = HashMultiset.create();
  private long minuteBegan;
  private List<DecisionRecord> due = new ArrayList<>();

  /**
   * No network known yet.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param ids makes incident ids
   */
  public RecordPaces(LongSupplier nanoTime, Supplier<String> ids) {
    this.nanoTime = nanoTime;
    this.ids = ids;
    this.minuteBegan = nanoTime.getAsLong();
  }

  /**
   * The records that are counted together.
   *
   * @param verdict of the record
   * @param ground reason and recipient: one id may be used for all records that are equal here
   */
  public record Kind(String verdict, String ground) {}

  private record Source(IpAddress network, Kind kind) {}

  /** The records of one source in this minute: those written, and the sum of the others. */
  private static final class Records {
    private int written;
    private @Nullable DecisionRecord sum;
    private int times;
  }

  /** The same bounds and ids, for sessions that are counted apart. */
  public RecordPaces another() {
    return new RecordPaces(nanoTime, ids);
  }

  /**
   * The id for the next record: it finds that record, or a sum of records of its kind only; empty
   * when the network has had too many.
   */
  public synchronized String id(IpAddress network, Kind kind) {
    endMinuteIfOver();
    Records known = records.get(new Source(network, kind));
    if (known == null) {
      return hasRoom(network) ? ids.get() : "";
    }
    return known.sum == null ? ids.get() : known.sum.id();
  }

  /** True when a record may be written by itself; otherwise it is counted into a sum. */
  public synchronized boolean admit(IpAddress network, Kind kind, DecisionRecord record) {
    endMinuteIfOver();
    Source source = new Source(network, kind);
    Records known = records.get(source);
    if (known == null && hasRoom(network)) {
      grounds.add(network);
      records.computeIfAbsent(source, _ -> new Records()).written = 1;
      return true;
    }
    if (known != null
        && known.written < GROUND_RECORDS
        && repeated.count(network) < NETWORK_RECORDS) {
      repeated.add(network);
      known.written++;
      return true;
    }
    Records beyond = known == null ? others(network, kind) : known;
    // The client was given the id of this record: it must be found.
    DecisionRecord sum = beyond.sum;
    if (isHeard(record) && (known == null || (sum != null && !record.id().equals(sum.id())))) {
      return true;
    }
    if (sum == null) {
      beyond.sum = record.id().isEmpty() ? record.withId(ids.get()) : record;
    }
    beyond.times += record.times();
    return false;
  }

  private Records others(IpAddress network, Kind kind) {
    IpAddress of = records.size() < 2 * ALL_GROUNDS ? network : EVERYWHERE;
    return records.computeIfAbsent(
        new Source(of, new Kind(kind.verdict(), OTHERS)), _ -> new Records());
  }

  private static boolean isHeard(DecisionRecord record) {
    return !record.id().isEmpty()
        && (record.outcome() == Outcome.REFUSED || record.outcome() == Outcome.WOULD_REFUSE);
  }

  private boolean hasRoom(IpAddress network) {
    int own = grounds.count(network);
    return (own < OWN_GROUNDS && grounds.elementSet().size() < NETWORKS)
        || (own < GROUNDS && grounds.size() < ALL_GROUNDS);
  }

  /** Writes the sums of a minute that is over; to be called about once a second. */
  public void writeDue(Consumer<DecisionRecord> writer) {
    write(false, writer);
  }

  /** Writes all sums, also those of the current minute; for the end of the program. */
  public void writeRest(Consumer<DecisionRecord> writer) {
    write(true, writer);
  }

  private void write(boolean all, Consumer<DecisionRecord> writer) {
    List<DecisionRecord> sums;
    synchronized (this) {
      if (all) {
        endMinute();
      } else {
        endMinuteIfOver();
      }
      sums = due;
      due = new ArrayList<>();
    }
    sums.forEach(writer);
  }

  private void endMinuteIfOver() {
    if (nanoTime.getAsLong() - minuteBegan >= MINUTE_NANOS) {
      endMinute();
    }
  }

  private void endMinute() {
    for (Records each : records.values()) {
      if (each.sum != null) {
        due.add(each.sum.standingFor(each.times));
      }
    }
    records.clear();
    grounds.clear();
    repeated.clear();
    minuteBegan = nanoTime.getAsLong();
  }
}

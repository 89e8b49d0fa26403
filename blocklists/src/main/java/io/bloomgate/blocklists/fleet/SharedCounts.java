package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.counts.CountKeys;
import io.bloomgate.blocklists.fleet.counts.CountOutbox;
import io.bloomgate.blocklists.fleet.counts.CountSeal;
import io.bloomgate.blocklists.fleet.counts.Counted;
import io.bloomgate.blocklists.fleet.counts.DamagedBatchException;
import io.bloomgate.blocklists.fleet.counts.KnownRuns;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.resps.StreamEntryBinary;

/**
 * What nodes count together, by way of a stream in Redis: each node adds what it has counted every
 * 50 ms, and counts what the others have added. Each decides by what it knows itself. Two threads
 * wait for Redis; sessions only call {@link #add}, which never waits.
 *
 * <p>A node that starts reads all that the stream still has, also what it has added before: the
 * counters of rates and copies are not on its disk.
 */
public final class SharedCounts implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SharedCounts.class);

  /** How often a node adds what it has counted. */
  static final Duration EVERY = Duration.ofMillis(50);

  private static final Duration RETRY = Duration.ofMillis(500);

  /** Lines about batches that cannot be read come no faster. */
  private static final Duration LINE_EVERY = Duration.ofMinutes(1);

  /**
   * A batch is of this moment, or of when it was added, within this time: what is added again later
   * counts for no node, also for one that was started after the first time.
   */
  static final Duration MOST_LATE = Duration.ofMinutes(5);

  private static final int SENT_BATCHES = 64;

  /** Then what is in Redis is left out: it is larger than any reply may be. */
  private static final int MOST_TRIES = 5;

  /** Counts what another node has counted. */
  @FunctionalInterface
  public interface Merge {
    /**
     * Takes one count, on a thread of the fleet.
     *
     * @param ago since it was counted there
     */
    void merge(Counted counted, Duration ago);
  }

  /**
   * What it takes from around it.
   *
   * @param threads for blocking commands
   * @param run a random number
   * @param alarm receives sentences for the operator
   */
  public record Surroundings(
      LongSupplier nanoTime, ThreadFactory threads, long run, Consumer<String> alarm) {}

  /**
   * How it goes.
   *
   * @param connected false while Redis is lost, and where nothing is counted together
   * @param sent counts of this node that are in Redis
   * @param sentOctets of their batches
   * @param merged counts of other nodes, and of earlier starts of this one
   * @param dropped counts of this node that no other one gets, because Redis was away for long
   * @param skipped batches that could not be read
   * @param waiting counts of this node that are not in Redis yet
   * @param problem why Redis is lost, or why nothing is counted together; empty for none
   */
  public record Figures(
      boolean connected,
      long sent,
      long sentOctets,
      long merged,
      long dropped,
      long skipped,
      long waiting,
      String problem) {

    /** Of a gateway that counts alone. */
    public static Figures alone(String why) {
      return new Figures(false, 0, 0, 0, 0, 0, 0, why);
    }
  }

  private final RedisAddress address;
  private final String prefix;
  private final Surroundings around;
  private final CountSeal seal;
  private final CountOutbox outbox = new CountOutbox();
  private final KnownRuns runs = new KnownRuns();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong sentOctets = new AtomicLong();
  private final AtomicLong merged = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();
  private final Thread reader;
  private final Thread sender;

  /** Read to the end; {@code null} while there is no such server. */
  private volatile @Nullable CountStream live;

  private volatile String problem = "not connected yet";
  private volatile boolean isLost;
  private volatile Merge merge = (counted, ago) -> {};

  /** The thread that sends ends, and then the one that reads, whose connection it uses. */
  private volatile boolean closing;

  private volatile boolean closed;

  /** Behind the last batch that was read; of the thread that reads, as what follows. */
  private StreamEntryID place = new StreamEntryID(0, 0);

  /** How often in a row what is behind the place could not be read. */
  private int tries;

  private long lineNanos;
  private long skippedSinceLine = -1;

  /**
   * Connects to nothing yet; what is added waits.
   *
   * @param settings with Redis
   */
  public SharedCounts(FleetSettings settings, CountKeys keys, Surroundings around) {
    this.address = Objects.requireNonNull(settings.redis());
    this.prefix = settings.keyPrefix();
    this.around = around;
    this.seal = new CountSeal(keys.seal(), settings.node(), around.run());
    this.reader = around.threads().newThread(this::read);
    this.sender = around.threads().newThread(this::send);
  }

  /** Starts to connect. */
  public void start(Merge by) {
    merge = by;
    reader.start();
    sender.start();
  }

  /** Has other nodes count this, too. Called by sessions; returns at once. */
  public void add(Counted counted) {
    outbox.add(counted);
  }

  private void pause(Duration time) {
    if (!closing) {
      LockSupport.parkNanos(this, time.toNanos());
    }
  }

  // ---- reading

  private void read() {
    while (!closed) {
      try (RedisServer connected = RedisServer.at(address, around.nanoTime())) {
        follow(new CountStream(connected, prefix, around.nanoTime()));
      } catch (JedisException e) {
        lost(RedisException.of(address, e).problem());
      } catch (RuntimeException e) {
        failed(e);
      }
      pause(RETRY);
    }
  }

  /** A fault that nothing foresaw must not end a thread that counting needs. */
  private void failed(RuntimeException e) {
    LOG.error("fleet counts: failed unexpectedly", e);
    lost("failed unexpectedly, see the log");
  }

  private void lost(String why) {
    problem = why;
    if (!isLost) {
      isLost = true;
      around
          .alarm()
          .accept("fleet counts: " + why + "; this gateway counts alone until it is back");
    }
  }

  private void found() {
    if (!problem.isEmpty()) {
      LOG.info("fleet counts: connected to {}", address);
    }
    problem = "";
    isLost = false;
  }

  private void follow(CountStream stream) {
    StreamEntryID here = stream.begin(seal.first());
    if (place.compareTo(here) > 0) {
      place = new StreamEntryID(0, 0); // the stream was lost, and the server's clock is behind
    }
    if (tries == MOST_TRIES) {
      skip(place, "what follows it cannot be read from Redis; it is left out up to " + here);
      place = here;
    }
    tries++;
    while (!closed && merge(stream, false) > 0) {
      // To the end: what was counted before counts first.
    }
    tries = 0;
    live = stream;
    found();
    try {
      while (!closed) {
        merge(stream, true);
      }
    } finally {
      live = null; // before the connection is closed
    }
  }

  private int merge(CountStream stream, boolean block) {
    List<StreamEntryBinary> batches = stream.read(place, block);
    for (StreamEntryBinary batch : batches) {
      place = batch.getID();
      byte[] octets = CountStream.octets(batch);
      if (!seal.isOwn(octets)) {
        try {
          merge(seal.open(octets), stream);
        } catch (DamagedBatchException e) {
          skip(place, e.getMessage());
        } catch (RuntimeException e) {
          // A fault of this program must not end what all other batches need.
          skip(place, e.toString());
        }
      }
    }
    return batches.size();
  }

  private void merge(CountSeal.Opened batch, CountStream stream) {
    if (batch.counts().isEmpty()) {
      return;
    }
    long late = Math.abs(place.getTime() - batch.atMillis());
    if (Math.min(late, Math.abs(stream.millis() - batch.atMillis())) > MOST_LATE.toMillis()) {
      skip(place, "it is of another time, so it was copied");
    } else if (runs.isNew(batch.run(), batch.number())) {
      Duration ago = Duration.ofMillis(stream.ageMillis(place)).plusMillis(batch.ageMillis());
      batch.counts().forEach(counted -> merge.merge(counted, ago));
      merged.addAndGet(batch.counts().size());
    }
  }

  private void skip(StreamEntryID id, @Nullable String why) {
    skipped.incrementAndGet();
    skippedSinceLine++;
    long now = around.nanoTime().getAsLong();
    if (skippedSinceLine == 0 || now - lineNanos > LINE_EVERY.toNanos()) {
      String more = skippedSinceLine == 0 ? "" : "; " + skippedSinceLine + " since the last line";
      around.alarm().accept("fleet counts: batch " + id + " is skipped: " + why + more);
      skippedSinceLine = 0;
      lineNanos = now;
    }
  }

  // ---- sending

  private void send() {
    while (!closing) {
      pause(sendAll() ? EVERY : RETRY);
    }
    boolean _ = sendAll();
  }

  private List<byte[]> next(CountStream stream) {
    return outbox.next(SENT_BATCHES, seal, around.nanoTime().getAsLong(), stream.millis());
  }

  /** False when Redis is lost. */
  private boolean sendAll() {
    outbox.collect(around.nanoTime().getAsLong());
    CountStream stream = live;
    if (stream == null) {
      return true;
    }
    try {
      List<byte[]> batches = next(stream);
      while (!batches.isEmpty()) {
        stream.add(batches);
        sent.addAndGet(outbox.sent(batches.size()));
        batches.forEach(batch -> sentOctets.addAndGet(batch.length));
        found();
        batches = next(stream);
      }
      return true;
    } catch (JedisException e) {
      if (stream == live) { // else the thread that reads has reported it, and may have another one
        lost(RedisException.of(address, e).problem());
      }
      return false;
    } catch (RuntimeException e) {
      failed(e);
      return false;
    }
  }

  // ---- seen from outside

  /** How it goes now. */
  public Figures figures() {
    return new Figures(
        live != null && problem.isEmpty(),
        sent.get(),
        sentOctets.get(),
        merged.get(),
        outbox.dropped(),
        skipped.get(),
        outbox.waiting(),
        problem);
  }

  /**
   * How far the stream reaches back: what a node that starts now would learn. Asks Redis.
   *
   * @return -1 when it cannot be asked
   */
  public long reachMillis() {
    CountStream stream = live;
    try {
      return stream == null ? -1 : stream.reachMillis();
    } catch (JedisException e) {
      return -1;
    }
  }

  /** Sends what is left, for a bounded time, and ends the threads. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(sender);
    try {
      if (sender.getState() != Thread.State.NEW) {
        boolean _ = sender.join(RedisServer.TIMEOUT.plus(RETRY));
      }
      closed = true;
      LockSupport.unpark(reader);
      if (reader.getState() != Thread.State.NEW) {
        boolean _ = reader.join(RedisServer.TIMEOUT.plus(RETRY));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

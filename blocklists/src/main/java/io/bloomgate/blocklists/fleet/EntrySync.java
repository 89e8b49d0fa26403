package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Keeps the entries of this node and the stream of Redis alike. {@link #read} is the work of the
 * one thread that connects and reads, {@link #send} that of another one that adds what waits; any
 * thread asks for the server. Made by {@link SharedLists}.
 */
final class EntrySync implements EntryStream.Remarks {

  private static final Logger LOG = LoggerFactory.getLogger(EntrySync.class);

  private static final long IDLE_MILLIS = 200;
  private static final long RETRY_MILLIS = 250;

  /** A stream of others is replaced no faster: another fleet may write under the same keys. */
  private static final Duration REPLACE_EVERY = Duration.ofMinutes(1);

  /** For this time the operator sees that records were missing. */
  private static final Duration SHOWN = Duration.ofHours(1);

  private final RedisAddress address;
  private final FleetNodes fleet;
  private final FleetLease lease;
  private final FleetThreads threads;
  private final FleetTroubles troubles;
  private final LongSupplier nanoTime;
  private final EntryStream.Parts parts;
  private final RareLine refusals;
  private final RareLine wideChanges;
  private final RareLine newStreams;
  private final RareLine removals;
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong starts = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private volatile long lastGapNanos;
  private boolean hasReplaced;
  private long replacedNanos;

  /** Read to the end of the stream; {@code null} while there is no such server. */
  private volatile @Nullable RedisServer live;

  /**
   * Connects to nothing yet.
   *
   * @param settings with Redis
   */
  EntrySync(
      FleetSettings settings,
      SharedEntries entries,
      RecordSeal seal,
      SharedLists.Surroundings around,
      FleetNodes fleet,
      FleetLease lease,
      FleetThreads threads,
      FleetTroubles troubles) {
    this.address = Objects.requireNonNull(settings.redis());
    this.fleet = fleet;
    this.lease = lease;
    this.threads = threads;
    this.troubles = troubles;
    this.nanoTime = around.nanoTime();
    this.parts =
        new EntryStream.Parts(
            settings.keyPrefix(), entries, seal, around.clock(), around.word(), fleet::older, this);
    this.refusals = new RareLine(around.nanoTime(), around.alarm());
    this.wideChanges = new RareLine(around.nanoTime(), text -> LOG.warn("fleet: {}", text));
    this.removals =
        new RareLine(around.nanoTime(), text -> around.alarm().accept("fleet: " + text));
    this.newStreams = new RareLine(around.nanoTime(), text -> LOG.warn("fleet: {}", text));
  }

  /** Connects, and reads until the server is lost. */
  void read() {
    try (RedisServer server = RedisServer.at(address, nanoTime)) {
      follow(server);
    } catch (JedisException e) {
      lost(RedisException.of(address, e).sentence());
    } catch (OperatorListsException e) {
      lost(e.userMessage());
    } finally {
      live = null;
      threads.wake();
    }
    threads.pause(RETRY_MILLIS);
  }

  private void lost(String why) {
    lease.lost();
    troubles.failed(Work.READ, why);
  }

  private void follow(RedisServer server) throws OperatorListsException {
    EntryStream stream = stream(server);
    while (!threads.isClosed()) {
      boolean first = parts.entries().stream().isEmpty();
      if (stream.join()) {
        if (first) {
          LOG.info("fleet: this node reads the stream of entries for the first time");
        } else {
          newStreams.line("the stream of entries is new; this node adds what it has", 1);
        }
        starts.incrementAndGet();
      }
      while (stream.read(false) > 0) {
        // To the end: own records that are there already are not sent again.
      }
      if (stream.isReplaced()) {
        continue;
      }
      stream.tell();
      place(server);
      live = server;
      troubles.works(Work.READ, address);
      threads.wake();
      do {
        if (stream.read(true) > 0) {
          place(server);
          threads.wake();
        }
      } while (!threads.isClosed() && !stream.isReplaced());
    }
  }

  /** A server that refuses this, because it is full or a replica, can still be read. */
  private void place(RedisServer server) throws OperatorListsException {
    try {
      fleet.place(server);
    } catch (JedisDataException e) {
      troubles.failed(Work.BEAT, RedisException.of(address, e).sentence());
    }
  }

  private EntryStream stream(RedisServer server) {
    return new EntryStream(server, parts);
  }

  /** Something of another node is not done here. */
  void skip(String why) {
    refused(why, 1);
  }

  @Override
  public void refused(String why, int records) {
    skipped.addAndGet(records);
    refusals.line(why, records);
  }

  @Override
  public void missing(String what) {
    gaps.incrementAndGet();
    lastGapNanos = nanoTime.getAsLong();
    removals.line(what + "; all nodes add again what they have", 1);
  }

  @Override
  public boolean mayReplace() {
    long now = nanoTime.getAsLong();
    boolean may = !hasReplaced || now - replacedNanos > REPLACE_EVERY.toNanos();
    if (may) {
      hasReplaced = true;
      replacedNanos = now;
    }
    return may;
  }

  /** What the operator should know of the stream; none while there is nothing. */
  List<String> notices() {
    return gaps.get() > 0 && nanoTime.getAsLong() - lastGapNanos < SHOWN.toNanos()
        ? List.of(
            "somebody removed records from the stream of entries within the last hour: entries were"
                + " added again; give modes, `feeds accept` and `feeds rollback` of that time"
                + " again")
        : List.of();
  }

  @Override
  public void wide(List<String> changes) {
    wideChanges.line(changes.getFirst(), changes.size());
  }

  /** Adds what waits, or rests. */
  void send() {
    RedisServer server = live;
    try {
      if (server == null || stream(server).send() == 0) {
        threads.pause(IDLE_MILLIS);
      } else {
        threads.wake();
      }
      if (server != null) {
        troubles.works(Work.SEND, address);
      }
    } catch (JedisException e) {
      notSent(RedisException.of(address, e).sentence());
    } catch (OperatorListsException e) {
      notSent(e.userMessage());
    }
  }

  private void notSent(String why) {
    troubles.failed(Work.SEND, why);
    threads.pause(RETRY_MILLIS);
  }

  /** The server, while it was read to the end. */
  @Nullable RedisServer server() {
    return live;
  }

  /** How often this node began with a new stream. */
  long starts() {
    return starts.get();
  }

  /** How often records had been removed from the stream. */
  long gaps() {
    return gaps.get();
  }

  /** What others did and could not be done here. */
  long skipped() {
    return skipped.get();
  }
}

package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;

/**
 * Keeps the commands of this node and those of {@link EntryHash} equal: what waits is written
 * there, what the stream names is read from the hash, and after a gap in the stream and at a start
 * the hash is read whole. One thread connects, reads, writes and beats; any thread asks for the
 * server. Made by {@link SharedLists}.
 */
final class EntrySync {

  private static final Logger LOG = LoggerFactory.getLogger(EntrySync.class);

  private static final long RETRY_MILLIS = 250;

  /** The time between two heartbeats, and until a refused command is tried again. */
  private static final long BEAT_NANOS = 1_000_000_000L;

  /** Replies about the time of Redis until one is taken that took longer than this. */
  private static final int MAX_CLOCK_REPLIES = 5;

  private static final long SHORT_MILLIS = 10;

  /** A heartbeat without an answer for this time is a fault; a slow server is not. */
  private static final Duration MOST_SILENCE = Duration.ofSeconds(10);

  private final FleetParts parts;
  private final FleetNodes fleet;
  private final FleetLease lease;
  private final RareLine refusals;
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private long redisAhead;
  private volatile long nextBeat;
  private long nextSend;
  private volatile StreamEntryID lastSent = EntryHash.START;

  /** The last change that this node has applied; before the first whole reading it has none. */
  private @Nullable StreamEntryID place;

  /** Read to the end; {@code null} while there is no such server. */
  private volatile @Nullable RedisServer live;

  /** Connects to nothing yet. */
  EntrySync(FleetParts parts, FleetNodes fleet, FleetLease lease) {
    this.parts = parts;
    this.fleet = fleet;
    this.lease = lease;
    this.refusals = new RareLine(parts.around().nanoTime(), parts.around().alarm());
    this.nextSend = parts.around().nanoTime().getAsLong();
  }

  /** Connects, and keeps the commands equal until the server is lost. */
  void run() {
    try (RedisServer server = RedisServer.at(parts.address())) {
      while (!parts.threads().isClosed()) {
        follow(new EntryHash(server, parts.key("")));
      }
    } catch (JedisException e) {
      lost(RedisException.of(parts.address(), e).sentence());
    } catch (OperatorListsException e) {
      lost(e.userMessage());
    } finally {
      live = null;
      parts.threads().wake();
    }
    parts.threads().pause(RETRY_MILLIS);
  }

  private void lost(String why) {
    lease.lost();
    parts.troubles().failed(Work.READ, why);
  }

  /** Reads and writes until there is a gap. */
  private void follow(EntryHash redis) throws OperatorListsException {
    String word = redis.word(parts.around().word());
    compareClocks(redis.server());
    StreamEntryID last = place;
    if (last == null || !word.equals(parts.entries().word()) || !redis.holds(last)) {
      last = readAll(redis, word, last != null);
    }
    place = last;
    beat(redis, last);
    live = redis.server();
    parts.works(Work.READ);
    while (!parts.threads().isClosed()) {
      if (isTime(nextBeat)) {
        if (!word.equals(redis.word(parts.around().word())) || !redis.holds(last)) {
          return;
        }
        compareClocks(redis.server());
        beat(redis, last);
      }
      send(redis);
      EntryHash.Changes changes = redis.next(last);
      if (changes != null) {
        apply(redis.commands(changes.subjects()));
        last = changes.place();
        applied(redis, last);
      }
    }
  }

  private boolean isTime(long nanos) {
    return parts.around().nanoTime().getAsLong() - nanos >= 0;
  }

  private long soon() {
    return parts.around().nanoTime().getAsLong() + BEAT_NANOS;
  }

  private StreamEntryID readAll(EntryHash redis, String word, boolean isGap)
      throws OperatorListsException {
    String before = parts.entries().word();
    boolean isLost = !before.isEmpty() && !before.equals(word);
    if (isLost || isGap) {
      gaps.incrementAndGet();
      LOG.warn(
          isLost
              ? "fleet: Redis has lost what it had; this node sends it again"
              : "fleet: changes were missed; all that Redis has is read");
    }
    StreamEntryID newest = redis.newest();
    parts.entries().complete();
    String cursor = ScanParams.SCAN_POINTER_START;
    do {
      Map<String, String> some = new HashMap<>();
      cursor = redis.scan(cursor, some);
      apply(some).forEach(redis::remove);
      beatInTime(redis);
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START) && !parts.threads().isClosed());
    List<String> subjects = parts.entries().subjects("");
    while (!subjects.isEmpty() && !parts.threads().isClosed()) {
      parts.entries().sendAgain(redis.missing(subjects));
      beatInTime(redis);
      subjects = parts.entries().subjects(subjects.getLast());
    }
    parts.entries().read(word);
    return newest;
  }

  /**
   * Compares the clocks by the quickest of some replies. What may still be right is kept: else the
   * time of a reply would decide which of two commands is the newer one.
   */
  private void compareClocks(RedisServer server) throws OperatorListsException {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < MAX_CLOCK_REPLIES && shortest > SHORT_MILLIS; i++) {
      long asked = parts.around().clock().millis();
      long redis = server.millis();
      long now = parts.around().clock().millis();
      if (redisAhead >= redis - now && redisAhead <= redis - asked) {
        break;
      }
      if (now - asked < shortest) {
        shortest = now - asked;
        redisAhead = redis - asked - shortest / 2;
      }
    }
    parts.entries().redisIsAhead(redisAhead);
  }

  /**
   * Applies what is newer here; what is no command is skipped and counted.
   *
   * @return subjects of commands that are forgotten everywhere
   */
  private List<String> apply(Map<String, String> values) throws OperatorListsException {
    if (values.isEmpty()) {
      return List.of();
    }
    Applied applied = parts.entries().apply(values);
    skipped.addAndGet(applied.refused().size());
    refusals.lines(applied.refused());
    applied.overtaken().forEach(one -> LOG.warn("fleet: {}", one));
    return applied.old();
  }

  private void applied(EntryHash redis, StreamEntryID last) {
    place = last;
    try {
      fleet.applied(redis.server(), last);
    } catch (JedisDataException e) {
      parts.failed(Work.BEAT, e);
    }
    parts.threads().wake();
  }

  /** Beats between two steps of a reading that takes long; not before the first is done. */
  private void beatInTime(EntryHash redis) {
    StreamEntryID last = place;
    if (last != null && isTime(nextBeat)) {
      beat(redis, last);
    }
  }

  /** A server that refuses this, because it is full or a replica, can still be read. */
  private void beat(EntryHash redis, StreamEntryID last) {
    nextBeat = soon();
    try {
      fleet.beat(redis.server(), last, redisAhead);
      parts.works(Work.BEAT);
    } catch (JedisDataException e) {
      parts
          .troubles()
          .failed(
              Work.BEAT,
              RedisException.of(parts.address(), e).sentence()
                  + (lease.leads() ? "; this node leads on until its lease ends" : ""));
    }
  }

  /** Ends the lead and reports it when the server has kept the other thread for long. */
  void watch() {
    lease.endInTime();
    if (live != null && isTime(nextBeat + MOST_SILENCE.toNanos())) {
      parts
          .troubles()
          .failed(
              Work.BEAT,
              "%s has not answered the heartbeat for %d s; look at the server, and at the network to it"
                  .formatted(parts.address(), MOST_SILENCE.toSeconds()));
    }
  }

  /** Notes that something of another node is not done here. */
  void skip(String why) {
    skipped.incrementAndGet();
    refusals.line(why, 1);
  }

  /** Sends what waits. A newer command that Redis has is applied, and ours is not sent. */
  private void send(EntryHash redis) throws OperatorListsException {
    if (!isTime(nextSend)) {
      return;
    }
    try {
      if (parts.entries().isWaiting()) {
        List<SharedRow> waiting = parts.entries().next(EntryHash.AT_ONCE);
        apply(redis.commands(waiting.stream().map(SharedRow::subject).toList()));
        waiting = parts.entries().next(EntryHash.AT_ONCE);
        if (!waiting.isEmpty()) {
          lastSent = redis.write(waiting);
          parts.entries().sent(waiting);
        }
      }
      parts.works(Work.SEND);
    } catch (JedisDataException e) {
      nextSend = soon();
      parts.failed(Work.SEND, e);
    }
  }

  // ---- seen from outside

  /** The server, while it was read to the end. */
  @Nullable RedisServer server() {
    return live;
  }

  /** The last change of this node that is in the stream, since it was started. */
  StreamEntryID lastSent() {
    return lastSent;
  }

  /** Counts how often Redis had lost something. */
  long gaps() {
    return gaps.get();
  }

  /** Counts commands of others that could not be done here. */
  long skipped() {
    return skipped.get();
  }
}

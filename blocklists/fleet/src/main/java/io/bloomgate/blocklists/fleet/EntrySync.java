package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedEntries.Clocks;
import io.bloomgate.blocklists.operator.SharedRow;
import io.bloomgate.blocklists.operator.StreamId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;

/**
 * Keeps the commands of this node and those of {@link EntryHash} equal: what the stream names is
 * read from the hash, and after a gap in the stream and at a start the hash is read whole. {@link
 * #read} is the work of the one thread that connects and reads, {@link #send} that of another one
 * that adds what waits; any thread asks for the server. Made by {@link SharedLists}.
 */
final class EntrySync {

  private static final Logger LOG = LoggerFactory.getLogger(EntrySync.class);

  private static final long IDLE_MILLIS = 200;
  private static final long RETRY_MILLIS = 250;

  /** Replies about the time of Redis until one is taken that took longer than this. */
  private static final int MAX_CLOCK_REPLIES = 5;

  private static final long SHORT_MILLIS = 10;

  private final FleetParts parts;
  private final FleetNodes fleet;
  private final FleetLease lease;
  private final RareLine refusals;

  /**
   * Held from the writing of commands until it is noted that Redis has them. An older command that
   * another node writes over one of them in that time is then applied behind the note, and ours is
   * sent again.
   */
  private final ReentrantLock writing = new ReentrantLock();

  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private volatile StreamId lastSent = StreamId.START;

  /** The last change that this node has applied; before the first whole reading it has none. */
  private volatile @Nullable StreamId place;

  /** Read to the end; {@code null} while there is no such server. */
  private volatile @Nullable RedisServer live;

  /** Connects to nothing yet. */
  EntrySync(FleetParts parts, FleetNodes fleet, FleetLease lease) {
    this.parts = parts;
    this.fleet = fleet;
    this.lease = lease;
    this.refusals = new RareLine(parts.around().nanoTime(), parts.around().alarm());
  }

  // ---- reading

  /** Connects, and reads until the server is lost. */
  void read() {
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

  /** Reads until there is a gap. */
  private void follow(EntryHash redis) throws OperatorListsException {
    String word = redis.word(parts.around().word());
    StreamId last = place;
    if (last == null || !word.equals(parts.entries().word()) || !redis.holds(last)) {
      last = readAll(redis, word, last != null);
    }
    applied(redis, last);
    live = redis.server();
    parts.works(Work.READ);
    while (!parts.threads().isClosed()
        && word.equals(redis.word(parts.around().word()))
        && redis.holds(last)) {
      EntryHash.Changes changes = redis.next(last);
      if (changes != null) {
        apply(redis, redis.commands(changes.subjects()));
        last = changes.place();
        applied(redis, last);
      }
    }
  }

  private StreamId readAll(EntryHash redis, String word, boolean isGap)
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
    StreamId newest = redis.newest();
    parts.entries().complete();
    long now = redis.server().millis();
    String cursor = ScanParams.SCAN_POINTER_START;
    do {
      Map<String, String> some = new HashMap<>();
      cursor = redis.scan(cursor, some);
      apply(redis, some).forEach(redis::remove);
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START) && !parts.threads().isClosed());
    List<String> subjects = parts.entries().subjects("", now);
    while (!subjects.isEmpty() && !parts.threads().isClosed()) {
      parts.entries().sendAgain(redis.missing(subjects));
      subjects = parts.entries().subjects(subjects.getLast(), now);
    }
    parts.entries().read(word);
    return newest;
  }

  /**
   * Compares the clocks by the quickest of some replies. Two that may agree count as equal: else
   * the time of a reply would decide which of two commands is the newer one.
   */
  private Clocks clocks(RedisServer server) {
    long shortest = Long.MAX_VALUE;
    Clocks best = new Clocks(0, 0);
    for (int i = 0; i < MAX_CLOCK_REPLIES && shortest > SHORT_MILLIS; i++) {
      long asked = parts.around().clock().millis();
      long redis = server.millis();
      long now = parts.around().clock().millis();
      if (redis >= asked && redis <= now) {
        return new Clocks(now, now);
      }
      if (now - asked < shortest) {
        shortest = now - asked;
        best = new Clocks(redis, asked + shortest / 2);
      }
    }
    return best;
  }

  /**
   * Applies what is newer here; what is no command is skipped and counted.
   *
   * @return subjects of commands that are forgotten everywhere
   */
  private List<String> apply(EntryHash redis, Map<String, String> values)
      throws OperatorListsException {
    if (values.isEmpty()) {
      return List.of();
    }
    Clocks clocks = clocks(redis.server());
    Applied applied;
    writing.lock();
    try {
      applied = parts.entries().apply(values, clocks);
    } finally {
      writing.unlock();
    }
    skipped.addAndGet(applied.refused().size());
    refusals.lines(applied.refused());
    applied.overtaken().forEach(one -> LOG.warn("fleet: {}", one));
    return applied.old();
  }

  /** A server that refuses this, because it is full or a replica, can still be read. */
  private void applied(EntryHash redis, StreamId last) {
    place = last;
    try {
      fleet.place(redis.server(), last);
    } catch (JedisDataException e) {
      parts.failed(Work.BEAT, e);
    }
    parts.threads().wake();
  }

  /** Notes that something of another node is not done here. */
  void skip(String why) {
    skipped.incrementAndGet();
    refusals.line(why, 1);
  }

  // ---- sending

  /** Sends what waits, or rests. */
  void send() {
    RedisServer server = live;
    try {
      if (server == null || !sendNext(new EntryHash(server, parts.key("")))) {
        parts.threads().pause(IDLE_MILLIS);
      } else {
        parts.threads().wake();
      }
      if (server != null) {
        parts.works(Work.SEND);
      }
    } catch (JedisException e) {
      notSent(RedisException.of(parts.address(), e).sentence());
    } catch (OperatorListsException e) {
      notSent(e.userMessage());
    }
  }

  private void notSent(String why) {
    parts.troubles().failed(Work.SEND, why);
    parts.threads().pause(RETRY_MILLIS);
  }

  /** False when nothing waits. A newer command that Redis has is applied, and ours is not sent. */
  private boolean sendNext(EntryHash redis) throws OperatorListsException {
    if (!parts.entries().isWaiting()) {
      return false;
    }
    List<SharedRow> waiting = parts.entries().next(EntryHash.AT_ONCE, clocks(redis.server()));
    apply(redis, redis.commands(waiting.stream().map(SharedRow::subject).toList()));
    waiting = parts.entries().next(EntryHash.AT_ONCE, clocks(redis.server()));
    if (waiting.isEmpty()) {
      return true;
    }
    long number = redis.numbers(waiting.size());
    List<SharedRow> numbered = new ArrayList<>();
    for (SharedRow one : waiting) {
      number++;
      boolean isNew = one.send() == SharedRow.Send.WAITS;
      numbered.add(isNew ? one.with(new StreamId(one.version().millis(), number)) : one);
    }
    writing.lock();
    try {
      lastSent = redis.write(numbered);
      parts.entries().sent(numbered);
    } finally {
      writing.unlock();
    }
    return true;
  }

  // ---- seen from outside

  /** The server, while it was read to the end. */
  @Nullable RedisServer server() {
    return live;
  }

  /** The last change that this node has applied. */
  StreamId place() {
    StreamId last = place;
    return last == null ? StreamId.START : last;
  }

  /** The last change of this node that is in the stream, since it was started. */
  StreamId lastSent() {
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

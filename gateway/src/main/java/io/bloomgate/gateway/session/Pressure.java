package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ContentBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one rule for what clients may hold open. Two things can be used up: the sessions of a
 * listener, and the heap that the lists leave, of which a session takes the octets below and its
 * message what {@link ContentBudget} counts. Above 80 % of either, a client may be silent for 10 s
 * at most (Postfix shortens its limits under stress, too), and sessions without a transaction that
 * have been silent for 3 s are ended until 80 % are left. Above 90 %, so are those within a
 * transaction. Those of the networks that hold most go first, the longest silent before others.
 * When the heap is used up, no session, no encryption and no message begins.
 *
 * <p>Silence lasts until the client gets further: greets, begins a mail, has another recipient
 * accepted, sends content. A NOOP, a refused RCPT and what it has done before do not end it.
 *
 * <p>Only waits for a client are ended, so no session is closed between the reply of the mail
 * server and ours. One a {@link SessionRegistry}, whose tick calls {@link #relieve}; sessions count
 * what they take on their own threads.
 */
final class Pressure {

  private static final Logger LOG = LoggerFactory.getLogger(Pressure.class);

  /** Octets of the heap that a session takes, its stack included; idle.sh measured 6.7 kB. */
  static final long SESSION_OCTETS = 8 * 1024;

  /**
   * Octets that an encrypted connection takes in addition. Measured of 3,000 that waited: 3 kB of
   * heap and 6 kB outside of it by the native engine, 8 kB of heap by Java's.
   */
  static final long TLS_OCTETS = 12 * 1024;

  /** Time that a client may be silent under pressure. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A session stays in any case while its client is silent for less: round trips take time. */
  static final Duration LEAST_SILENCE = Duration.ofSeconds(3);

  private static final int TIGHT_PERCENT = 80;
  private static final int SCARCE_PERCENT = 90;

  /** An alarm is shown for this long behind its cause: who looks comes later. */
  private static final Duration SHOWN = Duration.ofMinutes(1);

  private static final long MIB = 1 << 20;

  private final ContentBudget content;
  private final Heap heap;
  private final AtomicLong ownOctets = new AtomicLong();
  private volatile long roomOctets;
  private final List<Bound> bounds = new CopyOnWriteArrayList<>();
  private final Map<Bound, Shown> shown = new ConcurrentHashMap<>();

  /**
   * The heap of the process.
   *
   * @param octets all of it
   * @param listOctets what the lists need of it, now and while the next ones are built
   */
  record Heap(long octets, LongSupplier listOctets) {

    /**
     * Returns the room for sessions: without the lists, and without a quarter for the gateway and
     * the collector, but an eighth in any case.
     */
    long room() {
      return Math.max(octets / 8, octets / 4 * 3 - listOctets.getAsLong());
    }
  }

  /** Something that sessions can use up. */
  interface Bound {

    /** Returns how much of it there is. */
    long permitted();

    /** Returns how much of it this session holds. */
    long heldBy(SessionControl session);

    /** Tells an operator that this much is held, in the words of the settings. */
    String says(long held);
  }

  private record Shown(String alarm, long untilNanos) {}

  /** A session that waits for its client, and what its network holds while it is there. */
  private record Silent(SessionControl session, long networkHolds) {}

  /**
   * Starts without sessions.
   *
   * @param content what messages take
   */
  Pressure(ContentBudget content, Heap heap) {
    this.content = content;
    this.heap = heap;
    this.roomOctets = heap.room();
    bounds.add(new Memory());
  }

  // ---- memory

  /** A session takes this much, beside what its message does; less than nothing gives it back. */
  void take(long octets) {
    ownOctets.addAndGet(octets);
  }

  /** True when nothing more may begin. */
  boolean isFull() {
    return ownOctets.get() + content.takenOctets() >= roomOctets;
  }

  private final class Memory implements Bound {
    @Override
    public long permitted() {
      return roomOctets;
    }

    @Override
    public long heldBy(SessionControl session) {
      return session.octets();
    }

    @Override
    public String says(long held) {
      return "sessions take %d of the %d MiB of heap that the lists leave (BLOOMGATE_JAVA_OPTS=-Xmx)"
          .formatted(held / MIB, permitted() / MIB);
    }
  }

  // ---- relief

  /** Sessions of a listener can be used up, too. */
  void add(Bound bound) {
    bounds.add(bound);
  }

  /**
   * Ends what has to go. Called about once a second.
   *
   * @param now of the monotonic clock
   * @return how long a client may be silent, whatever its deadline; in nanoseconds
   */
  long relieve(Collection<SessionControl> sessions, long now) {
    roomOctets = heap.room();
    shown.values().removeIf(alarm -> now - alarm.untilNanos > 0);
    boolean tight = false;
    for (Bound bound : bounds) {
      long held = heldOf(bound, sessions);
      if (held > part(bound, TIGHT_PERCENT)) {
        tight = true;
        alarm(bound, held, now);
        end(bound, TIGHT_PERCENT, sessions, one -> one.inTransaction() ? null : silent(one, now));
        end(bound, SCARCE_PERCENT, sessions, one -> silent(one, now));
      }
    }
    return tight ? PATIENCE.toNanos() : Long.MAX_VALUE;
  }

  private static long part(Bound bound, int percent) {
    return Math.ceilDiv(bound.permitted() * percent, 100);
  }

  private static long heldOf(Bound bound, Collection<SessionControl> sessions) {
    return sessions.stream().filter(one -> !one.leaving()).mapToLong(bound::heldBy).sum();
  }

  private static @Nullable Long silent(SessionControl session, long now) {
    Long since = session.silentSince();
    return since == null || now - since < LEAST_SILENCE.toNanos() ? null : since;
  }

  /**
   * Ends sessions until this part of the bound is held: of the network that holds most the one that
   * is silent longest, again and again.
   */
  private static void end(
      Bound bound,
      int percent,
      Collection<SessionControl> sessions,
      Function<SessionControl, @Nullable Long> mayGoSilentSince) {
    long excess = heldOf(bound, sessions) - part(bound, percent);
    if (excess <= 0) {
      return;
    }
    Map<IpAddress, List<SessionControl>> networks = new HashMap<>();
    for (SessionControl session : sessions) {
      IpAddress network = session.network();
      if (network != null && bound.heldBy(session) > 0 && !session.leaving()) {
        networks.computeIfAbsent(network, key -> new ArrayList<>()).add(session);
      }
    }
    List<Silent> inTurn = new ArrayList<>();
    for (List<SessionControl> network : networks.values()) {
      long held = network.stream().mapToLong(bound::heldBy).sum();
      for (SessionControl session : longestSilentFirst(network, mayGoSilentSince)) {
        inTurn.add(new Silent(session, held));
        held -= bound.heldBy(session);
      }
    }
    inTurn.sort(Comparator.comparingLong(Silent::networkHolds).reversed());
    for (Silent next : inTurn) {
      if (excess > 0 && next.session.leave(Limit.SESSIONS)) {
        excess -= bound.heldBy(next.session);
      }
    }
  }

  private static List<SessionControl> longestSilentFirst(
      List<SessionControl> network, Function<SessionControl, @Nullable Long> mayGoSilentSince) {
    Map<SessionControl, Long> silent = new HashMap<>();
    for (SessionControl session : network) {
      Long since = mayGoSilentSince.apply(session);
      if (since != null) {
        silent.put(session, since);
      }
    }
    return silent.entrySet().stream()
        .sorted((a, b) -> Long.signum(a.getValue() - b.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  // ---- alarms

  private void alarm(Bound bound, long held, long now) {
    String alarm =
        bound.says(held)
            + ": silent clients get 421 after "
            + LEAST_SILENCE.toSeconds()
            + " to "
            + PATIENCE.toSeconds()
            + " s, those of the networks that hold most first";
    if (shown.put(bound, new Shown(alarm, now + SHOWN.toNanos())) == null) {
      LOG.warn("{}", alarm);
    }
  }

  /** Returns what is scarce, or was within the last minute; a sentence each. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    shown.values().forEach(one -> alarms.add(one.alarm));
    return alarms;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which sessions one listener lets in. There are limits for all sessions, for those from
 * one client (an IPv4 address, or an IPv6 /64), and for those from one {@link ClientNetwork}, whose
 * owner has more addresses than there are places. Also how often a client may connect. Made by
 * {@link SubethaListener}; thread-safe.
 */
public final class Admission implements Pressure.Bound {

  private final AtomicInteger sessions = new AtomicInteger();
  private final Map<IpAddress, Integer> perClient = new ConcurrentHashMap<>();
  private final Map<IpAddress, Integer> perNetwork = new ConcurrentHashMap<>();
  private final RateTable<IpAddress> connections;
  private volatile Settings.Listener newest;

  /**
   * No session is here.
   *
   * @param nanoTime monotonic time in nanoseconds
   * @param settings as they are now
   */
  Admission(LongSupplier nanoTime, Settings.Listener settings) {
    this.connections = new RateTable<>(nanoTime);
    this.newest = settings;
  }

  /** Returns the address that a client counts as; also for the pages of {@code gateway.page}. */
  public static IpAddress accountOf(IpAddress client) {
    return client.isV4() ? client : new IpAddress(client.high(), 0);
  }

  /**
   * A place for one session, not taken yet.
   *
   * @param settings whose limits count for this session, so that a reload counts for the next one
   */
  Place place(Settings.Listener settings) {
    newest = settings;
    return new Place(settings);
  }

  // ---- when sessions are scarce

  @Override
  public long permitted() {
    return newest.maxSessions();
  }

  @Override
  public long heldBy(SessionControl session) {
    return session.admission() == this ? 1 : 0;
  }

  @Override
  public String says(long held) {
    return "listener %s has %d of its %d sessions (max_sessions)"
        .formatted(newest.address(), held, permitted());
  }

  /**
   * One session's place among all sessions and among those of its client. The latter moves when
   * PROXY or XCLIENT names another client. Used by one session's thread.
   */
  final class Place {

    private final Settings.Listener settings;
    private boolean entered;
    private @Nullable IpAddress held;

    private Place(Settings.Listener settings) {
      this.settings = settings;
    }

    /** Takes a place among all sessions; false when there is none, or no memory for it. */
    boolean enter(SessionControl session) {
      entered = sessions.incrementAndGet() <= settings.maxSessions() && !session.isMemoryFull();
      if (!entered) {
        sessions.decrementAndGet();
      } else {
        session.admitted(Admission.this);
      }
      return entered;
    }

    /** Counts one connection of this client; false when it connects too often. */
    boolean mayConnect(IpAddress client) {
      Rate rate = settings.connectionRate();
      return rate == null || connections.take(accountOf(client), rate);
    }

    /**
     * Gives up the place among the sessions of a client and takes one for this client.
     *
     * @return the limit that is reached; {@code null} for a place
     */
    @Nullable Limit take(IpAddress client) {
      release();
      int maxPerClient = settings.maxSessionsPerIp();
      // Settings may allow one address more than the share of a network: then that number counts.
      int maxPerNetwork = Math.max(maxPerClient, ClientNetwork.share(settings.maxSessions()));
      if (!claim(perClient, accountOf(client), maxPerClient)) {
        return Limit.SESSIONS_PER_IP;
      }
      if (!claim(perNetwork, ClientNetwork.of(client), maxPerNetwork)) {
        giveBack(perClient, accountOf(client));
        return Limit.SESSIONS_PER_NETWORK;
      }
      held = client;
      return null;
    }

    private void release() {
      IpAddress client = held;
      if (client != null) {
        giveBack(perClient, accountOf(client));
        giveBack(perNetwork, ClientNetwork.of(client));
        held = null;
      }
    }

    /** Gives up both places; does nothing when that is done already. */
    void leave() {
      release();
      if (entered) {
        sessions.decrementAndGet();
        entered = false;
      }
    }
  }

  private static boolean claim(Map<IpAddress, Integer> counts, IpAddress account, int max) {
    boolean[] granted = new boolean[1];
    counts.compute(
        account,
        (key, count) -> {
          int taken = count == null ? 0 : count;
          granted[0] = taken < max;
          return granted[0] ? Integer.valueOf(taken + 1) : count;
        });
    return granted[0];
  }

  private static void giveBack(Map<IpAddress, Integer> counts, IpAddress account) {
    counts.computeIfPresent(account, (key, count) -> count <= 1 ? null : count - 1);
  }
}

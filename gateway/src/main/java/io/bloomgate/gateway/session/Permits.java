package io.bloomgate.gateway.session;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many sessions one listener has: in all, from one client (contract, section 2: an IPv4
 * address, or an IPv6 /64), and from one {@link ClientNetwork}, which owns more addresses than
 * there are places. Thread-safe; the limits come with each call, so a reload counts for the next
 * session.
 */
final class Permits {

  private final AtomicInteger sessions = new AtomicInteger();
  private final Map<IpAddress, Integer> perClient = new ConcurrentHashMap<>();
  private final Map<IpAddress, Integer> perNetwork = new ConcurrentHashMap<>();

  /** Takes a place among all sessions; false when there is none, and then nothing was taken. */
  boolean enter(int maxSessions) {
    if (sessions.incrementAndGet() > maxSessions) {
      sessions.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Gives the place back. */
  void leave() {
    sessions.decrementAndGet();
  }

  /**
   * Takes a place among the sessions of a client and of its network.
   *
   * @return the limit that is reached, and then nothing was taken; {@code null} for a place
   */
  @Nullable Limit claim(IpAddress client, int maxPerClient, int maxPerNetwork) {
    if (!claim(perClient, accountOf(client), maxPerClient)) {
      return Limit.SESSIONS_PER_IP;
    }
    if (!claim(perNetwork, ClientNetwork.of(client), maxPerNetwork)) {
      release(perClient, accountOf(client));
      return Limit.SESSIONS_PER_NETWORK;
    }
    return null;
  }

  /** Gives it back. */
  void release(IpAddress client) {
    release(perClient, accountOf(client));
    release(perNetwork, ClientNetwork.of(client));
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

  private static void release(Map<IpAddress, Integer> counts, IpAddress account) {
    counts.computeIfPresent(account, (key, count) -> count <= 1 ? null : count - 1);
  }

  /** Whom a client is counted as. */
  static IpAddress accountOf(IpAddress client) {
    return client.isV4() ? client : new IpAddress(client.high(), 0);
  }
}

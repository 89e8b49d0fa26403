package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.key.IpAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many sessions one listener has, in all and from one client (contract, section 2: an IPv4
 * address, or an IPv6 /64). Thread-safe; the limits come with each call, so a reload counts for the
 * next session.
 */
final class Permits {

  private final AtomicInteger sessions = new AtomicInteger();
  private final ConcurrentHashMap<IpAddress, Integer> perClient = new ConcurrentHashMap<>();

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

  /** Takes a place among a client's sessions; false when there is none. */
  boolean claim(IpAddress client, int maxPerClient) {
    boolean[] granted = new boolean[1];
    perClient.compute(
        accountOf(client),
        (account, count) -> {
          int taken = count == null ? 0 : count;
          granted[0] = taken < maxPerClient;
          return granted[0] ? taken + 1 : count;
        });
    return granted[0];
  }

  /** Gives it back. */
  void release(IpAddress client) {
    perClient.computeIfPresent(
        accountOf(client), (account, count) -> count <= 1 ? null : count - 1);
  }

  /** Whom a client is counted as. */
  static IpAddress accountOf(IpAddress client) {
    return client.isV4() ? client : new IpAddress(client.high(), 0);
  }
}

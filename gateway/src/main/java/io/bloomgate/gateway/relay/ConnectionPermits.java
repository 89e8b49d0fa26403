package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Permits for {@code downstream.max_connections}. Used by {@link MailServer} on session threads;
 * thread-safe.
 *
 * <p>A {@link ClientNetwork} gets a quarter of them at most, and one at least, even when all others
 * are free: otherwise two networks could use all connections. The client is the one that a trusted
 * PROXY header or XCLIENT named, so clients behind a gateway in front do not count as one network.
 * Waiting networks take turns; within a network, sessions are served in order of arrival.
 */
final class ConnectionPermits {

  private final int max;
  private final int share;
  private final LongSupplier nanoTime;
  private final Map<IpAddress, Network> networks = new HashMap<>();

  /** Networks that wait, the next first. */
  private final Set<Network> waitingNetworks = new LinkedHashSet<>();

  private int inUse;

  /** The time since which all have been in use while a session waited; {@code null} when not so. */
  private volatile @Nullable Long fullSinceNanos;

  /** A client network that holds connections or waits for one; compared by identity. */
  private static final class Network {

    /** Sessions that wait; open once they have a permit. */
    private final Queue<CountDownLatch> waiters = new ArrayDeque<>();

    private int held;
  }

  /**
   * @param max {@code downstream.max_connections}
   * @param nanoTime a monotonic clock, nanoseconds
   */
  ConnectionPermits(int max, LongSupplier nanoTime) {
    this.max = max;
    this.nanoTime = nanoTime;
    this.share = ClientNetwork.share(max);
  }

  /**
   * Takes one for a client, waiting for it if need be.
   *
   * @return false when none could be had in that time
   */
  boolean take(IpAddress client, Duration patience) throws InterruptedException {
    CountDownLatch turn = new CountDownLatch(1);
    if (takeOrWait(client, turn)) {
      return true;
    }
    try {
      return turn.await(patience.toNanos(), TimeUnit.NANOSECONDS) || !leaves(client, turn);
    } catch (InterruptedException e) {
      if (!leaves(client, turn)) {
        release(client);
      }
      throw e;
    }
  }

  private synchronized boolean takeOrWait(IpAddress client, CountDownLatch turn) {
    Network network = networks.computeIfAbsent(ClientNetwork.of(client), key -> new Network());
    // No waiting session can use this one: each release serves them at once.
    if (mayTake(network)) {
      count(network);
      return true;
    }
    network.waiters.add(turn);
    waitingNetworks.add(network);
    if (inUse == max && fullSinceNanos == null) {
      fullSinceNanos = nanoTime.getAsLong();
    }
    return false;
  }

  /** False for one that got its permit in this moment. */
  private synchronized boolean leaves(IpAddress client, CountDownLatch turn) {
    Network network = networks.get(ClientNetwork.of(client));
    if (network == null || !network.waiters.remove(turn)) {
      return false;
    }
    if (network.waiters.isEmpty()) {
      waitingNetworks.remove(network);
    }
    forgetIfIdle(network, client);
    return true;
  }

  /** True when a client could have one now, without waiting. */
  synchronized boolean hasRoom(IpAddress client) {
    Network network = networks.get(ClientNetwork.of(client));
    return inUse < max && (network == null || network.held < share);
  }

  /** Takes one for ourselves, if any is free; given back by {@link #release()}. */
  synchronized boolean tryTake() {
    boolean free = inUse < max;
    inUse += free ? 1 : 0;
    return free;
  }

  /** Gives back what {@link #tryTake} took. */
  synchronized void release() {
    inUse--;
    grant();
  }

  /** Gives back what a client had. */
  synchronized void release(IpAddress client) {
    Network network = networks.get(ClientNetwork.of(client));
    if (network == null || network.held == 0) {
      throw new IllegalStateException("given back twice");
    }
    network.held--;
    forgetIfIdle(network, client);
    release();
  }

  /** Returns the number of permits in use. */
  synchronized int inUse() {
    return inUse;
  }

  /**
   * Returns the number of waiting sessions that could use the connection that this client gives
   * back. A session that waits only because its own network has used its quarter can only use a
   * connection of that network.
   */
  synchronized int awaited(IpAddress client) {
    Network own = networks.get(ClientNetwork.of(client));
    int could = 0;
    for (Network network : waitingNetworks) {
      int room = share - network.held + (network == own ? 1 : 0);
      could += Math.clamp(room, 0, network.waiters.size());
    }
    return could;
  }

  /**
   * Returns the time for which all have been in use while clients had to wait for one; zero when
   * there is room, or no session waited.
   */
  Duration fullFor() {
    Long since = fullSinceNanos;
    return since == null ? Duration.ZERO : Duration.ofNanos(nanoTime.getAsLong() - since);
  }

  /** True when {@link #fullFor} is not zero; takes no lock. */
  boolean isCrowded() {
    return fullSinceNanos != null;
  }

  /** Serves waiters while any may be served. */
  private void grant() {
    Network next = nextEligible();
    while (next != null) {
      // To the end of the queue, so that networks take turns.
      waitingNetworks.remove(next);
      CountDownLatch turn = next.waiters.remove();
      if (!next.waiters.isEmpty()) {
        waitingNetworks.add(next);
      }
      count(next);
      turn.countDown();
      next = nextEligible();
    }
    if (inUse < max) {
      fullSinceNanos = null;
    }
  }

  /** The search is short: only networks that have used their share are passed over. */
  private @Nullable Network nextEligible() {
    for (Network network : waitingNetworks) {
      if (mayTake(network)) {
        return network;
      }
    }
    return null;
  }

  private boolean mayTake(Network network) {
    return inUse < max && network.held < share;
  }

  private void count(Network network) {
    network.held++;
    inUse++;
  }

  private void forgetIfIdle(Network network, IpAddress client) {
    if (network.held == 0 && network.waiters.isEmpty()) {
      networks.remove(ClientNetwork.of(client));
    }
  }
}

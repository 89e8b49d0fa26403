package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final int max;
  private final int share;
  private final Map<IpAddress, Network> networks = new HashMap<>();
  private final Set<Network> waitingNetworks = new LinkedHashSet<>();
  private final LongSupplier nanoTime;
  private int inUse;

  /** The time since which all have been in use while a session waited; {@code null} when not so. */
  private volatile @Nullable Long fullSinceNanos;

  private final AtomicInteger waiting = new AtomicInteger();

  /** A client network that holds connections or waits for one; compared by identity. */
  private static final class Network {
    private final Queue<Waiter> waiters = new ArrayDeque<>();
    private int held;
  }

  private static final class Waiter {
    private final Condition turn;
    private boolean granted;

    Waiter(Condition turn) {
      this.turn = turn;
    }
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
    lock.lock();
    try {
      Network network = networks.computeIfAbsent(ClientNetwork.of(client), key -> new Network());
      // No waiting session can use this one: each release serves them at once.
      if (mayTake(network)) {
        count(network);
        return true;
      }
      return await(network, client, patience.toNanos());
    } finally {
      lock.unlock();
    }
  }

  /** True when a client could have one now, without waiting. */
  boolean hasRoom(IpAddress client) {
    lock.lock();
    try {
      Network network = networks.get(ClientNetwork.of(client));
      return inUse < max && (network == null || network.held < share);
    } finally {
      lock.unlock();
    }
  }

  /** Takes one for ourselves, if any is free; given back by {@link #release()}. */
  boolean tryTake() {
    lock.lock();
    try {
      if (inUse == max) {
        return false;
      }
      inUse++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what {@link #tryTake} took. */
  void release() {
    lock.lock();
    try {
      inUse--;
      grant();
      noteRoom();
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what a client had. */
  void release(IpAddress client) {
    lock.lock();
    try {
      Network network = networks.get(ClientNetwork.of(client));
      if (network == null || network.held == 0) {
        throw new IllegalStateException("given back twice");
      }
      network.held--;
      inUse--;
      forgetIfIdle(network, client);
      grant();
      noteRoom();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of permits in use. */
  int inUse() {
    lock.lock();
    try {
      return inUse;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number of waiting sessions that could use the connection that this client gives
   * back. A session that waits only because its own network has used its quarter can only use a
   * connection of that network.
   */
  int awaited(IpAddress client) {
    if (waiting.get() == 0) {
      return 0;
    }
    lock.lock();
    try {
      Network own = networks.get(ClientNetwork.of(client));
      int could = 0;
      for (Network network : waitingNetworks) {
        int room = share - network.held + (network == own ? 1 : 0);
        could += Math.clamp(room, 0, network.waiters.size());
      }
      return could;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the time for which all have been in use while clients had to wait for one; zero when
   * there is room, or no session waited.
   */
  Duration fullFor() {
    lock.lock();
    try {
      Long since = fullSinceNanos;
      return since == null ? Duration.ZERO : Duration.ofNanos(nanoTime.getAsLong() - since);
    } finally {
      lock.unlock();
    }
  }

  /** True when {@link #fullFor} is not zero; takes no lock. */
  boolean isCrowded() {
    return fullSinceNanos != null;
  }

  private void noteRoom() {
    if (inUse < max) {
      fullSinceNanos = null;
    }
  }

  private boolean await(Network network, IpAddress client, long nanos) throws InterruptedException {
    Waiter waiter = new Waiter(lock.newCondition());
    network.waiters.add(waiter);
    waitingNetworks.add(network);
    waiting.incrementAndGet();
    if (inUse == max && fullSinceNanos == null) {
      fullSinceNanos = nanoTime.getAsLong();
    }
    boolean interrupted = true;
    try {
      long left = nanos;
      while (!waiter.granted && left > 0) {
        left = waiter.turn.awaitNanos(left);
      }
      interrupted = false;
      return waiter.granted;
    } finally {
      if (!waiter.granted) {
        leave(network, waiter, client);
      } else if (interrupted) {
        release(client);
      }
    }
  }

  private void leave(Network network, Waiter waiter, IpAddress client) {
    network.waiters.remove(waiter);
    waiting.decrementAndGet();
    if (network.waiters.isEmpty()) {
      waitingNetworks.remove(network);
    }
    forgetIfIdle(network, client);
  }

  /** Serves waiters while any may be served. */
  private void grant() {
    Network next = nextEligible();
    while (next != null) {
      // To the end of the queue, so that networks take turns.
      waitingNetworks.remove(next);
      Waiter waiter = next.waiters.remove();
      waiting.decrementAndGet();
      if (!next.waiters.isEmpty()) {
        waitingNetworks.add(next);
      }
      count(next);
      waiter.granted = true;
      waiter.turn.signal();
      next = nextEligible();
    }
  }

  /** The search is short: only networks that have used their share are passed over. */
  private @Nullable Network nextEligible() {
    if (inUse == max) {
      return null;
    }
    Iterator<Network> all = waitingNetworks.iterator();
    while (all.hasNext()) {
      Network network = all.next();
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

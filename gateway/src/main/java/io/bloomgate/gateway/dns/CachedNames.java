package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.ReverseName;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up names of clients, each on its own virtual thread, and keeps the answers for a while.
 * Made by the composition root and kept over reloads; asked by sessions on their threads,
 * thread-safe.
 */
public final class CachedNames implements ClientNames {

  /** How long a session waits for a name, counted from the beginning of its look-up. */
  static final Duration WAIT = Duration.ofSeconds(3);

  /** About 4 MB when it is full; the oldest go. */
  static final int MAX_NAMES = 10_000;

  /**
   * Look-ups at the same time, a quarter of them for one client network; a client beyond that has
   * no name for now.
   */
  static final int MAX_LOOKUPS = 500;

  /** Log lines a minute about look-ups that failed. */
  private static final int WARNINGS = 1;

  private static final Logger LOG = LoggerFactory.getLogger(CachedNames.class);

  private final Function<IpAddress, NameServers.Answer> servers;
  private final ThreadFactory threads;
  private final LongSupplier nanoTime;
  private final WarningPace warnings;
  private final LookupPlaces places = new LookupPlaces(MAX_LOOKUPS);

  /** Guarded by itself; in the order in which look-ups began. */
  private final Map<IpAddress, Lookup> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<IpAddress, Lookup> eldest) {
          return size() > MAX_NAMES;
        }
      };

  CachedNames(
      Function<IpAddress, NameServers.Answer> servers,
      ThreadFactory threads,
      LongSupplier nanoTime) {
    this.servers = servers;
    this.threads = threads;
    this.nanoTime = nanoTime;
    this.warnings = new WarningPace(nanoTime, WARNINGS);
  }

  /**
   * Asks these name servers; nothing is asked yet.
   *
   * @param servers as the settings name them; empty for those of the system
   * @param threads virtual ones
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public static CachedNames of(
      Supplier<List<InetSocketAddress>> servers, ThreadFactory threads, LongSupplier nanoTime) {
    return new CachedNames(
        new NameServers(
            new Resolvers(
                () -> servers.get().isEmpty() ? Resolvers.ofSystem() : servers.get(),
                NameServers.LOOK_UP_TIME,
                task -> threads.newThread(task).start(),
                nanoTime),
            nanoTime),
        threads,
        nanoTime);
  }

  @Override
  public ReverseName.Pending lookUp(IpAddress client) {
    Lookup lookup;
    synchronized (known) {
      lookup = known.get(client);
      if (lookup != null && lookup.counts()) {
        return lookup;
      }
      if (!places.take(client)) {
        return () -> ReverseName.DEAD;
      }
      known.remove(client);
      lookup = new Lookup(client, nanoTime.getAsLong());
      known.put(client, lookup);
    }
    threads.newThread(lookup).start();
    return lookup;
  }

  /** One look-up: begun, then answered, then out of date. */
  private final class Lookup implements ReverseName.Pending, Runnable {
    private final IpAddress client;
    private final long beganNanos;
    private final CompletableFuture<ReverseName> answer = new CompletableFuture<>();
    private volatile long endNanos;

    Lookup(IpAddress client, long beganNanos) {
      this.client = client;
      this.beganNanos = beganNanos;
      this.endNanos = beganNanos;
    }

    boolean counts() {
      return !answer.isDone() || endNanos - nanoTime.getAsLong() > 0;
    }

    @Override
    public void run() {
      ReverseName found = ReverseName.DEAD;
      try {
        NameServers.Answer given = servers.apply(client);
        endNanos = nanoTime.getAsLong() + given.keep().toNanos();
        found = given.name();
      } catch (RuntimeException e) {
        warnings.say(more -> LOG.warn("the name of {} was not looked up{}", client, more, e));
      } finally {
        answer.complete(found);
        places.giveBack(client);
      }
    }

    @Override
    public ReverseName await() {
      long left = beganNanos + WAIT.toNanos() - nanoTime.getAsLong();
      try {
        return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        return ReverseName.DEAD;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return ReverseName.DEAD;
      }
    }
  }
}

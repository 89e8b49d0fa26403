package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.dns.KeptAnswers.Asked;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.ReverseName;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up names of clients, each on its own virtual thread, and keeps the answers for a while.
 * Made by the composition root and kept over reloads; asked by sessions on their threads,
 * thread-safe.
 */
public final class CachedNames implements ClientNames {

  /** The time that a session waits for a name, counted from the beginning of its look-up. */
  static final Duration WAIT = Duration.ofSeconds(3);

  /** About 4 MB when it is full; the oldest go. */
  static final int MAX_NAMES = 10_000;

  /**
   * Look-ups at the same time, a share of them for one client network ({@link LookupPlaces}); a
   * client beyond that has no name for now.
   */
  static final int MAX_LOOKUPS = 2_000;

  /** The time for which an alarm says that a client had no place. */
  static final Duration ALARM_TIME = Duration.ofMinutes(10);

  /** Log lines a minute about look-ups that failed. */
  private static final int WARNINGS = 1;

  private static final Logger LOG = LoggerFactory.getLogger(CachedNames.class);

  private final Function<IpAddress, NameServers.Answer> servers;
  private final ThreadFactory threads;
  private final LongSupplier nanoTime;
  private final WarningPace warnings;
  private final LookupPlaces places;
  private volatile Runnable counter = () -> {};
  private volatile @Nullable Missed missed;

  /** A client that had no place, and when. */
  private record Missed(IpAddress client, long nanos) {}

  private final KeptAnswers<IpAddress, ReverseName> known;

  CachedNames(
      Function<IpAddress, NameServers.Answer> servers,
      ThreadFactory threads,
      LongSupplier nanoTime) {
    this.servers = servers;
    this.threads = threads;
    this.nanoTime = nanoTime;
    this.warnings = new WarningPace(nanoTime, WARNINGS);
    this.places = new LookupPlaces(MAX_LOOKUPS, nanoTime);
    this.known = new KeptAnswers<>(MAX_NAMES, nanoTime);
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
    Asked<ReverseName> lookup = known.ask(client, () -> place(client));
    return lookup == null ? () -> ReverseName.DEAD : () -> lookup.await(WAIT, ReverseName.DEAD);
  }

  private @Nullable Consumer<Asked<ReverseName>> place(IpAddress client) {
    if (!places.take(client)) {
      counter.run();
      missed = new Missed(client, nanoTime.getAsLong());
      return null;
    }
    return lookup -> threads.newThread(() -> lookUp(client, lookup)).start();
  }

  private void lookUp(IpAddress client, Asked<ReverseName> lookup) {
    NameServers.Answer found = new NameServers.Answer(ReverseName.DEAD, Duration.ZERO);
    try {
      found = servers.apply(client);
    } catch (RuntimeException e) {
      warnings.say(more -> LOG.warn("the name of {} was not looked up{}", client, more, e));
    } finally {
      lookup.complete(found.name(), found.keep());
      places.giveBack(client, found.name().dead());
    }
  }

  /** Counts look-ups from now on that were not made, because there was no place. */
  public void countBy(Runnable count) {
    counter = count;
  }

  /** A sentence when clients had no place lately. */
  public List<String> alarms() {
    Missed last = missed;
    if (last == null || nanoTime.getAsLong() - last.nanos() > ALARM_TIME.toNanos()) {
      return List.of();
    }
    return List.of(
        "names of clients are not looked up, because their network has as many look-ups without an"
            + " answer as it may have, last of "
            + last.client()
            + "; checks of names do not apply to them");
  }
}

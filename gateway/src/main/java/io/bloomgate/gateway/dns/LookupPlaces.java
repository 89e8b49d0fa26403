package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the look-ups that run, in all and for one {@link ClientNetwork}: the owner of a network
 * can have names there without an answer, and must not block the look-ups of all others. Used on
 * session threads and on those of look-ups; thread-safe.
 *
 * <p>A network may have a quarter of all places, less its dead answers of the last seconds, and
 * never more than are still free: so a few networks that want all leave as many as each of them
 * has, and a network that has none gets the next place.
 */
final class LookupPlaces {

  /** The time for which a dead answer counts as if its look-up still ran. */
  static final Duration DEAD_TIME = Duration.ofSeconds(10);

  private final int max;
  private final int share;
  private final LongSupplier nanoTime;

  /** Guarded by this, as what follows; a network without look-ups and dead answers is not in it. */
  private final Map<IpAddress, Use> perNetwork = new HashMap<>();

  private int taken;

  /** The places that one network has. Mutable. */
  private static final class Use {
    private int running;
    private int dead;
    private long deadEndNanos;
  }

  /**
   * No place is taken yet.
   *
   * @param max look-ups at the same time
   * @param nanoTime a monotonic clock, nanoseconds
   */
  LookupPlaces(int max, LongSupplier nanoTime) {
    this.max = max;
    this.share = ClientNetwork.share(max);
    this.nanoTime = nanoTime;
  }

  /** Takes a place for a client; false when there is none for it, and then nothing was taken. */
  synchronized boolean take(IpAddress client) {
    IpAddress network = ClientNetwork.of(client);
    Use use = perNetwork.get(network);
    int running = use == null ? 0 : use.running;
    int left = Math.min(share - deadOf(use), max - taken);
    // A network that has nothing gets what is free, however many dead answers it had.
    boolean free = taken < max && (running == 0 || running < left);
    if (free) {
      taken++;
      perNetwork.computeIfAbsent(network, _ -> new Use()).running++;
    }
    return free;
  }

  /**
   * Gives back what this client got.
   *
   * @param dead true when its look-up had no answer
   */
  synchronized void giveBack(IpAddress client, boolean dead) {
    taken--;
    IpAddress network = ClientNetwork.of(client);
    Use use = perNetwork.computeIfAbsent(network, _ -> new Use());
    use.dead = deadOf(use) + (dead ? 1 : 0);
    use.deadEndNanos = dead ? nanoTime.getAsLong() + DEAD_TIME.toNanos() : use.deadEndNanos;
    use.running--;
    if (isIdle(use)) {
      perNetwork.remove(network);
    } else if (perNetwork.size() > 2 * max) {
      perNetwork.values().removeIf(this::isIdle);
    }
  }

  private boolean isIdle(Use use) {
    return use.running == 0 && deadOf(use) == 0;
  }

  private int deadOf(@Nullable Use use) {
    return use == null || use.deadEndNanos - nanoTime.getAsLong() <= 0 ? 0 : use.dead;
  }
}

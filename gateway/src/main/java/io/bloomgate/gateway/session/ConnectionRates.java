package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often each client of one listener may connect ({@code connection_rate}): a number of times a
 * minute, all at once or spread over it. Clients are counted as {@link Admission} counts them.
 * Thread-safe.
 *
 * <p>For each client one number is kept: the time at which it has its whole allowance again (the
 * generic cell rate algorithm, ITU-T I.371). The client that connected least recently is forgotten
 * first, so that many addresses cost no more memory than {@link #MAX_CLIENTS} do.
 */
final class ConnectionRates {

  /** About 10 MB when full. */
  static final int MAX_CLIENTS = 65_536;

  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private final int maxClients;
  private final Map<IpAddress, Long> wholeAgain;

  /**
   * Nobody has connected yet.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  ConnectionRates(LongSupplier nanoTime) {
    this(nanoTime, MAX_CLIENTS);
  }

  /** For tests: with room for fewer. */
  ConnectionRates(LongSupplier nanoTime, int maxClients) {
    this.nanoTime = nanoTime;
    this.maxClients = maxClients;
    this.wholeAgain =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<IpAddress, Long> eldest) {
            return size() > ConnectionRates.this.maxClients;
          }
        };
  }

  /** Counts a connection; false when the client connects too often, and then nothing is counted. */
  synchronized boolean take(IpAddress client, int perMinute) {
    long now = nanoTime.getAsLong();
    long each = PERIOD_NANOS / perMinute;
    IpAddress account = Admission.accountOf(client);
    Long before = wholeAgain.get(account);
    long ahead = before == null ? 0 : Math.max(0, before - now);
    if (ahead > PERIOD_NANOS - each) {
      return false;
    }
    wholeAgain.put(account, now + ahead + each);
    return true;
  }

  /** Clients that are remembered. */
  synchronized int size() {
    return wholeAgain.size();
  }
}

package io.bloomgate.gateway.wire;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Limits how slow content may be: {@code command_timeout} of silence, {@code data_timeout} for the
 * whole, {@code min_data_rate} averaged over 60 s. Only time spent waiting for the client counts,
 * so that a slow mail server is not the client's fault. Used by one session's thread.
 *
 * <p>The rate is kept as a credit of time: 60 s at first, waiting takes from it, each octet adds
 * what it may take at that rate, and it never exceeds 60 s. So a burst pays for one minute, however
 * large it was.
 *
 * <p>While others have to wait for what this message takes (memory, or a connection to the mail
 * server), the rate is {@link #CROWDED_OCTETS_PER_SECOND} averaged over 4 s, as Postfix shortens
 * its limits under stress: otherwise a few slow messages keep all strangers out for {@code
 * data_timeout}.
 */
public final class ContentPace {

  private static final long WINDOW_NANOS = 60_000_000_000L;

  /**
   * The least rate under stress: far less than any mail server sends, and enough that keeping it up
   * costs a client something.
   */
  static final long CROWDED_OCTETS_PER_SECOND = 8 * 1024;

  private static final long CROWDED_WINDOW_NANOS = 4_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final long silenceNanos;
  private final long octetsPerSecond;
  private final BooleanSupplier crowded;
  private Deadline whole;
  private long creditNanos = WINDOW_NANOS;

  /**
   * Begins now.
   *
   * @param crowded true while others wait for what the message takes
   */
  public ContentPace(
      Settings.Limits limits, Deadline session, LongSupplier nanoTime, BooleanSupplier crowded) {
    this.crowded = crowded;
    this.nanoTime = nanoTime;
    this.silenceNanos = limits.commandTimeout().toNanos();
    this.octetsPerSecond = limits.minDataRateOctetsPerSecond();
    long end = nanoTime.getAsLong() + limits.dataTimeout().toNanos();
    this.whole = Deadline.first(new Deadline(end, Limit.DATA_TIMEOUT), session);
  }

  /**
   * The mail server took this long, in nanoseconds: the client's content, its final dot included,
   * may have been here all the time.
   */
  public void exempt(long nanos) {
    whole = new Deadline(whole.nanos() + nanos, whole.limit());
  }

  /**
   * Waits for more content. What came in time is read, even when the deadline has passed by now.
   *
   * @throws ClientTimeout when it comes too slowly
   */
  public void fill(WireReader wire) throws IOException {
    long begin = nanoTime.getAsLong();
    Deadline deadline =
        Deadline.first(whole, new Deadline(begin + silenceNanos, Limit.COMMAND_TIMEOUT));
    long rate = octetsPerSecond;
    if (rate > 0) {
      if (crowded.getAsBoolean()) {
        rate = Math.max(rate, CROWDED_OCTETS_PER_SECOND);
        creditNanos = Math.min(creditNanos, CROWDED_WINDOW_NANOS);
      }
      deadline = Deadline.first(deadline, new Deadline(begin + creditNanos, Limit.MIN_DATA_RATE));
    }
    int octets = wire.fill(deadline);
    if (rate > 0) {
      long waited = nanoTime.getAsLong() - begin;
      long earned = octets * NANOS_PER_SECOND / rate;
      creditNanos = Math.min(WINDOW_NANOS, creditNanos - waited + earned);
    }
  }
}

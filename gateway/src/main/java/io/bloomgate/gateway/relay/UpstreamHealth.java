package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.log.WarningPace;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the upstream could be used at the last try; tells of changes only, so that an outage is
 * one alarm and not one a message, and of so many a minute only: where a server takes some
 * connections and refuses others, each client brings a change. Used by {@link MailServerHealth} on
 * any thread.
 */
final class UpstreamHealth {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamHealth.class);

  /**
   * So long it may greet everybody with 421 and count as up: its own limits may be full, and who
   * fills them shall not be the one that makes a stand-in take all mail.
   */
  static final Duration LONG_BUSY = Duration.ofMinutes(2);

  /** Log lines a minute of each kind. */
  private static final int LINES = 5;

  private final String upstream;
  private final UpstreamListener listener;
  private final LongSupplier nanoTime;
  private final WarningPace troubles;
  private final WarningPace recoveries;
  private boolean tried;
  private volatile boolean up;
  private String problem = "";

  /** Since when it greets probes with 421, if it has served nobody since. */
  private volatile @Nullable Long busySinceNanos;

  /**
   * @param upstream as logs name it
   * @param nanoTime a monotonic clock, nanoseconds
   */
  UpstreamHealth(String upstream, UpstreamListener listener, LongSupplier nanoTime) {
    this.upstream = upstream;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.troubles = new WarningPace(nanoTime, LINES);
    this.recoveries = new WarningPace(nanoTime, LINES);
  }

  /** A client was served. Called for each message, so that it costs nothing while all is well. */
  void served() {
    if (!up || busySinceNanos != null) {
      succeeded();
    }
  }

  /** It could be used. */
  synchronized void succeeded() {
    busySinceNanos = null;
    if (!up) {
      listener.up();
      if (tried) {
        recoveries.say(more -> LOG.info("upstream {} can be used again{}", upstream, more));
      }
    }
    tried = true;
    up = true;
    problem = "";
  }

  /**
   * It could not be used.
   *
   * @param reason printable, bounded
   */
  synchronized void failed(String reason) {
    if (up || !tried) {
      listener.down(reason);
    }
    if (!reason.equals(problem)) {
      troubles.say(more ->
          LOG.warn(
              "upstream {} cannot be used, mail is answered 451 if no other serves: {}{}",
              upstream,
              reason,
              more));
    }
    tried = true;
    up = false;
    problem = reason;
  }

  /**
   * A probe was greeted with 421, which says nothing while others are served in between.
   *
   * @param reason printable, bounded
   */
  synchronized void busy(String reason) {
    long now = nanoTime.getAsLong();
    Long since = busySinceNanos;
    if (since == null) {
      busySinceNanos = now;
    }
    if (!up || (since != null && now - since >= LONG_BUSY.toNanos())) {
      failed(reason);
    }
  }

  synchronized boolean isUp() {
    return up;
  }

  /** True until it fails for the first time, and whenever it is up. */
  synchronized boolean worthTrying() {
    return up || !tried;
  }

  /** Why it is down; empty when it is up or was never tried. */
  synchronized String problem() {
    return problem;
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.observe.WarningPace;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the upstream could be used at the last try; tells of changes only, so that an outage is
 * one alarm and not one a message, and of so many a minute only: where a server takes some
 * connections and refuses others, each client brings a change. Used by {@link SmtpUpstream} on any
 * thread.
 */
final class UpstreamHealth {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamHealth.class);

  /** Log lines a minute of each kind. */
  private static final int LINES = 5;

  private final String upstream;
  private final UpstreamListener listener;
  private final WarningPace troubles;
  private final WarningPace recoveries;
  private boolean tried;
  private boolean up;
  private String problem = "";

  /**
   * @param upstream as logs name it
   * @param nanoTime a monotonic clock, nanoseconds
   */
  UpstreamHealth(String upstream, UpstreamListener listener, LongSupplier nanoTime) {
    this.upstream = upstream;
    this.listener = listener;
    this.troubles = new WarningPace(nanoTime, LINES);
    this.recoveries = new WarningPace(nanoTime, LINES);
  }

  /** It could be used. */
  synchronized void succeeded() {
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

package io.bloomgate.gateway.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the upstream could be used at the last try; tells of changes only, so that an outage is
 * one alarm and not one a message. Used by {@link SmtpUpstream} on any thread.
 */
final class UpstreamHealth {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamHealth.class);

  private final String upstream;
  private final UpstreamListener listener;
  private boolean tried;
  private boolean up;
  private String problem = "";

  /**
   * @param upstream as logs name it
   */
  UpstreamHealth(String upstream, UpstreamListener listener) {
    this.upstream = upstream;
    this.listener = listener;
  }

  /** It could be used. */
  synchronized void succeeded() {
    if (!up) {
      listener.up();
      if (tried) {
        LOG.info("upstream {} can be used again", upstream);
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
      LOG.warn(
          "upstream {} cannot be used, mail is answered 451 if no other serves: {}",
          upstream,
          reason);
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

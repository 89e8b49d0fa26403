package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.key.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * One session's place among all sessions and among those of its client; the latter moves when PROXY
 * or XCLIENT names another client. Used by one session's thread.
 */
final class ClientPlace {

  private final Permits permits;
  private final int maxPerClient;
  private boolean admitted;
  private @Nullable IpAddress held;

  ClientPlace(Permits permits, int maxPerClient) {
    this.permits = permits;
    this.maxPerClient = maxPerClient;
  }

  /** Takes a place among all sessions; false when there is none. */
  boolean enter(int maxSessions) {
    admitted = permits.enter(maxSessions);
    return admitted;
  }

  /** Gives up the place it has and takes one for this client; false when there is none. */
  boolean take(IpAddress client) {
    release();
    if (!permits.claim(client, maxPerClient)) {
      return false;
    }
    held = client;
    return true;
  }

  void release() {
    if (held != null) {
      permits.release(held);
      held = null;
    }
  }

  /** Gives up both places; does nothing when that is done already. */
  void leave() {
    release();
    if (admitted) {
      permits.leave();
      admitted = false;
    }
  }
}

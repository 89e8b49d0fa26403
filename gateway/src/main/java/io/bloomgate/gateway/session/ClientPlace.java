package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.key.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * One session's place among the sessions of its client; it moves when PROXY or XCLIENT names
 * another client. Used by one session's thread.
 */
final class ClientPlace {

  private final Permits permits;
  private final int maxPerClient;
  private @Nullable IpAddress held;

  ClientPlace(Permits permits, int maxPerClient) {
    this.permits = permits;
    this.maxPerClient = maxPerClient;
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
}

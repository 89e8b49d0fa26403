package io.bloomgate.gateway.session;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import org.jspecify.annotations.Nullable;

/**
 * One session's place among all sessions and among those of its client; the latter moves when PROXY
 * or XCLIENT names another client. Used by one session's thread.
 */
final class ClientPlace {

  private final Permits permits;
  private final ConnectionRates rates;
  private final Settings.Listener settings;
  private boolean admitted;
  private @Nullable IpAddress held;

  ClientPlace(Permits permits, ConnectionRates rates, Settings.Listener settings) {
    this.permits = permits;
    this.rates = rates;
    this.settings = settings;
  }

  /** Takes a place among all sessions; false when there is none. */
  boolean enter() {
    admitted = permits.enter(settings.maxSessions());
    return admitted;
  }

  /** Counts one connection of this client's; false when it comes too fast. */
  boolean comes(IpAddress client) {
    Integer perMinute = settings.connectionsPerMinute();
    return perMinute == null || rates.take(client, perMinute);
  }

  /**
   * Gives up the place it has and takes one for this client.
   *
   * @return the limit that is reached; {@code null} for a place
   */
  @Nullable Limit take(IpAddress client) {
    release();
    // Who allows one address more than a quarter of all means it.
    int perClient = settings.maxSessionsPerIp();
    int perNetwork = Math.max(perClient, ClientNetwork.share(settings.maxSessions()));
    Limit denied = permits.claim(client, perClient, perNetwork);
    if (denied == null) {
      held = client;
    }
    return denied;
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

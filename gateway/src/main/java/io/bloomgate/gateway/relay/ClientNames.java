package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;

/**
 * Looks up names of clients, for mail servers that learn them. Asked by {@link MailRoutes} on
 * session threads; does not block.
 */
@FunctionalInterface
public interface ClientNames {

  /** Looks nothing up. */
  ClientNames OFF = client -> ReverseName.Pending.NONE;

  /** Begins to look a name up, or finds it among those that were asked for lately. */
  ReverseName.Pending lookUp(IpAddress client);
}

package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.config.name.IpAddress;
import java.util.function.Supplier;

/**
 * Looks up names of clients, for mail servers that learn them. Asked by {@link MailRoutes} on
 * session threads; does not block.
 */
@FunctionalInterface
public interface ClientNames {

  /** The name of a client whose name is not looked up. */
  Supplier<ClientName> NOT_ASKED = () -> ClientName.NONE;

  /** Looks nothing up. */
  ClientNames OFF = client -> NOT_ASKED;

  /**
   * Begins to look a name up, or finds it among those that were asked for lately.
   *
   * @return waits for the answer, at most for the time limit of a look-up
   */
  Supplier<ClientName> lookUp(IpAddress client);
}

package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import java.util.List;

/**
 * Which ids belong to refusals of this gateway. Asked by {@link Appeal} on session threads, so it
 * waits for a bounded time only, and a store that fails knows no id.
 */
@FunctionalInterface
public interface KnownIncidents {

  /**
   * Those of the ids that belong to refusals.
   *
   * @param client whose message quotes the ids
   * @param ids as replies print them, a few
   */
  List<String> among(IpAddress client, List<String> ids);
}

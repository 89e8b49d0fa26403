package io.bloomgate.gateway.relay;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which servers have taken XCLIENT from us. From then on {@code client_address: auto} means XCLIENT
 * there, because a server that stops taking it would take every client for the gateway, which it
 * trusts. Asked by {@link UpstreamConnector} on any thread.
 */
public interface XclientMemory {

  /** True when this one did. */
  boolean holds(String server);

  /** This one did; must not throw. */
  void remember(String server);

  /** One that ends with the process. */
  static XclientMemory ofProcess() {
    Set<String> servers = ConcurrentHashMap.newKeySet();
    return new XclientMemory() {
      @Override
      public boolean holds(String server) {
        return servers.contains(server);
      }

      @Override
      public void remember(String server) {
        servers.add(server);
      }
    };
  }
}

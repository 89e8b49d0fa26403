package io.bloomgate.gateway;

import io.bloomgate.gateway.relay.Upstreams;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Upstreams of former settings whose connections still carry mail. Their writes are watched until
 * the last one has gone. Used by {@link Gateway} and its housekeeping.
 */
final class RetiredUpstreams {

  private final Set<Upstreams> upstreams = ConcurrentHashMap.newKeySet();

  void add(Upstreams upstream) {
    upstream.retire();
    upstreams.add(upstream);
  }

  /** Watches the writes and forgets those that are idle. */
  void tick() {
    upstreams.forEach(Upstreams::tick);
    upstreams.removeIf(Upstreams::unused);
  }

  void close() {
    upstreams.forEach(Upstreams::close);
  }
}

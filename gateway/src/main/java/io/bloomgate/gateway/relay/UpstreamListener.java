package io.bloomgate.gateway.relay;

/**
 * Who wants to know how the upstream fares: metrics and status. Called on session threads and on
 * the probing thread; must not block or throw.
 */
@FunctionalInterface
public interface UpstreamListener {

  /** Nobody wants to know. */
  UpstreamListener NONE = () -> {};

  /** It can be used (again). Told once per change. */
  default void up() {}

  /**
   * It cannot be used. Told once per change.
   *
   * @param reason printable, bounded
   */
  default void down(String reason) {}

  /** {@code downstream.max_connections} were in use for the whole waiting time. */
  void noFreeConnection();
}

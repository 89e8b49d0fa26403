package io.bloomgate.gateway.relay;

/**
 * Who wants to know how the upstream fares: metrics and status. Called on session threads and on
 * the probing thread; must not block or throw.
 */
public interface UpstreamListener {

  /** Nobody wants to know. */
  UpstreamListener NONE =
      new UpstreamListener() {
        @Override
        public void up() {}

        @Override
        public void down(String reason) {}

        @Override
        public void noFreeConnection() {}
      };

  /** It can be used (again). Told once per change. */
  void up();

  /**
   * It cannot be used. Told once per change.
   *
   * @param reason printable, bounded
   */
  void down(String reason);

  /** {@code downstream.max_connections} were in use for the whole waiting time. */
  void noFreeConnection();
}

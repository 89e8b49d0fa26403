package io.bloomgate.gateway.relay;

/** Faults for tests of packages that cannot make them; only this package may in the product. */
public final class UpstreamFaultFixture {

  private UpstreamFaultFixture() {}

  /** The upstream cannot be used before the final dot. */
  public static UpstreamException unreachable() {
    return UpstreamException.notReached("test");
  }

  /** The connection was lost behind the final dot. */
  public static UpstreamException lostAfterFinalDot() {
    return UpstreamException.lost("test");
  }
}

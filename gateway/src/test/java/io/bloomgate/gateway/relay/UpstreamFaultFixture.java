package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;

/** Faults for tests of packages that cannot make them; only this package may in the product. */
public final class UpstreamFaultFixture {

  private UpstreamFaultFixture() {}

  /** The upstream cannot be used before the final dot. */
  public static UpstreamException unreachable() {
    return new UpstreamException(
        Reply.of(451, "4.4.1", "No answer from mail server; try again later"),
        "test",
        UpstreamException.Lost.NO);
  }

  /** The upstream closed the connection before the final dot. */
  public static UpstreamException closed() {
    return UpstreamReplies.closed("test");
  }

  /** The connection was lost behind the final dot. */
  public static UpstreamException lostAfterFinalDot() {
    return new UpstreamException(
        Reply.of(451, "4.4.2", "Connection to mail server lost; try again later"),
        "test",
        UpstreamException.Lost.BEHIND_FINAL_DOT);
  }
}

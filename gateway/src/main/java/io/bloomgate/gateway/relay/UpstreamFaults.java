package io.bloomgate.gateway.relay;

import java.io.IOException;
import java.net.SocketTimeoutException;

/** What an I/O failure on the way to the upstream means. Pure; used inside this package. */
final class UpstreamFaults {

  private UpstreamFaults() {}

  /**
   * The exception for a failure before the final dot.
   *
   * @param where the command in hand, for the log
   */
  static UpstreamException of(IOException e, String where) {
    String detail = UpstreamReplies.excerpt(String.valueOf(e.getMessage()));
    return switch (e) {
      case ReplyReader.MalformedReplyException malformed ->
          UpstreamReplies.cannotUse("upstream at " + where + ": " + detail);
      case SocketTimeoutException timeout ->
          UpstreamReplies.notReached("upstream too slow at " + where + ": " + detail);
      case UpstreamHandshake.TlsFailedException failed -> UpstreamReplies.cannotUse(detail);
      default -> UpstreamReplies.notReached("upstream lost at " + where + ": " + detail);
    };
  }
}

package io.bloomgate.gateway.relay;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

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
      case UnknownHostException unknown ->
          UpstreamReplies.notReached("upstream's name is not known: " + detail);
      case ConnectException refused ->
          UpstreamReplies.notReached("upstream not reached: " + detail);
      case UpstreamHandshake.TlsFailedException failed -> UpstreamReplies.cannotUse(detail);
      default -> UpstreamReplies.closed("upstream lost at " + where + ": " + detail);
    };
  }
}

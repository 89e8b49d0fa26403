package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.relay.UpstreamSession.MailAndRcpt;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;

/**
 * Hands a message of the gateway itself to a mail server, over the same connections as relayed
 * mail: with the same TLS, LMTP, backups and limits of time. Blocks; called on threads that may.
 */
public final class OwnMessage {

  private OwnMessage() {}

  /**
   * Sends a message with the null reverse-path: a bounce of it has no recipient, so none can loop.
   *
   * @param route of the recipient's domain
   * @param from who the mail server takes us for
   * @param content lines that end with CRLF, of 7-bit octets
   * @return the mail server's answer to the message, or its refusal of something before
   * @throws UpstreamException when the mail server cannot be used
   */
  public static Reply send(Upstream route, ClientIdentity from, ForwardPath to, byte[] content)
      throws UpstreamException {
    try (OutgoingContent held = new OutgoingContent(new ContentBudget(Long.MAX_VALUE));
        UpstreamSession session = route.open(from)) {
      held.hold(content, 0, content.length);
      MailAndRcpt envelope =
          session.mailAndRcpt(ReversePath.NULL, MailParameters.NONE, to, RcptParameters.NONE);
      if (!envelope.rcpt().positive()) {
        return envelope.rcpt();
      }
      Reply data = session.data(held);
      return data.positive() ? session.endOfData().getFirst().reply() : data;
    }
  }
}

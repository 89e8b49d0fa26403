package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.relay.UpstreamSession.MailAndRcpt;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;

/**
 * Hands a message of the gateway itself to a mail server, over the same connections as relayed
 * mail: with the same TLS, LMTP, backups and limits of time. Blocks; called on threads that may.
 */
public final class OwnMessage {

  private OwnMessage() {}

  /**
   * Sends a message to one recipient.
   *
   * @param route of the recipient's domain
   * @param client who the mail server takes us for
   * @param from an address of our own. RFC 5321 section 4.5.5 keeps the null reverse-path for
   *     reports of delivery; some mail servers take it for nothing else
   * @param content lines that end with CRLF, of 7-bit octets
   * @return the mail server's answer to the message, or its refusal of something before
   * @throws UpstreamException when the mail server cannot be used
   */
  public static Reply send(
      Upstream route, ClientIdentity client, String from, ForwardPath to, byte[] content)
      throws UpstreamException {
    try (OutgoingContent held = new OutgoingContent(new ContentBudget(Long.MAX_VALUE));
        UpstreamSession session = route.open(client)) {
      held.hold(content, 0, content.length);
      MailAndRcpt envelope =
          session.mailAndRcpt(
              new MailCommand(new ReversePath(from, null, null)), new RcptCommand(to));
      if (!envelope.rcpt().positive()) {
        return envelope.rcpt();
      }
      Reply data = session.data(held);
      return data.positive() ? session.endOfData().getFirst().reply() : data;
    }
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;

/**
 * Hands a message of the gateway itself to a mail server, over the same connections as relayed
 * mail: with the same TLS, LMTP, backups and limits of time. Blocks; called on threads that may.
 */
public final class OwnMessage {

  private static final int SMTP_PORT = 25;

  private OwnMessage() {}

  /**
   * Sends a message to one recipient, through the mail server that receives mail of its domain.
   *
   * @param host the name that the gateway has in EHLO
   * @param from the reverse-path
   * @param to an address that {@link ReportSettings#recipient} took
   * @param content lines that end with CRLF, of 7-bit octets
   * @return the mail server's answer to the message, or its refusal of something before
   * @throws UpstreamException when the mail server cannot be used
   */
  public static Reply send(MailRoutes routes, String host, String from, String to, byte[] content)
      throws UpstreamException {
    String domain = ReportSettings.domain(to);
    return send(routes.route(domain), ourselves(routes, host), from, to, content);
  }

  /**
   * The address by which the mail server saw us last; the loopback address when it was never
   * reached.
   */
  private static ClientIdentity ourselves(MailRoutes routes, String host) {
    IpAddress own =
        routes.servers().stream()
            .flatMap(
                server -> IpAddress.parse(server.upstream().ownAddress()).toOptional().stream())
            .findFirst()
            .orElseGet(() -> IpAddress.parse("127.0.0.1").toOptional().orElseThrow());
    return new ClientIdentity(own, 0, host, true, own, SMTP_PORT);
  }

  private static Reply send(
      Upstream route, ClientIdentity client, String from, String to, byte[] content)
      throws UpstreamException {
    try (OutgoingContent held = new OutgoingContent(new ContentBudget(Long.MAX_VALUE));
        UpstreamSession session = route.open(client)) {
      held.hold(content, 0, content.length);
      Reply envelope = session.mailAndRcpt(new MailCommand(from), new RcptCommand(to));
      if (!envelope.positive()) {
        return envelope;
      }
      Reply data = session.data(held);
      return data.positive() ? session.endOfData().getFirst().reply() : data;
    }
  }
}

package io.bloomgate.gateway.report;

import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.message.ReportMessage;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.OwnMessage;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the mails of the gateway itself, reports and alarms, through the mail server that receives
 * mail of the recipient's domain. Blocks; any thread that may.
 *
 * <p>From and reverse-path: bloomgate@ the name that the gateway has in EHLO. SPF and DMARC look at
 * that name then, which has the address of the gateway; an address at a domain of the recipients
 * would need a DKIM signature, which the gateway has no key for. Nobody reads mail at that address:
 * a bounce has the null reverse-path, so that no mail server bounces the bounce (RFC 5321 section
 * 6.1), and nothing loops.
 *
 * @param hostname of the settings that count now
 * @param ids random words for ids of messages
 */
public record OwnMail(
    Supplier<MailRoutes> routes, Supplier<String> hostname, Supplier<String> ids) {

  /** The mail did not go out; the message is the reason, for people. */
  public static final class NotSentException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotSentException(String reason) {
      super(reason);
    }

    public NotSentException(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * The content of a mail.
   *
   * @param kind a word for its id
   * @param headline the end of its subject
   * @param html {@code null} for a notice of text alone, of which nobody wants a bounce (RFC 3834
   *     section 3.3)
   */
  public record Content(
      String kind, String headline, Instant at, String text, @Nullable String html) {}

  /**
   * Sends it.
   *
   * @param to an address that {@link ReportSettings#recipient} took
   * @return the mail server's reply
   */
  public String send(Content content, String to) throws NotSentException {
    String host = hostname.get();
    String from = "bloomgate@" + host;
    ReportMessage.Head head =
        new ReportMessage.Head(
            from,
            to,
            "Bloomgate " + host + ": " + content.headline(),
            content.kind() + "." + ids.get() + "@" + host,
            content.at());
    String html = content.html();
    byte[] message =
        html == null
            ? ReportMessage.compose(head, content.text())
            : ReportMessage.compose(head, content.text(), html);
    String path = html == null ? "" : from;
    Reply reply;
    try {
      reply = OwnMessage.send(routes.get(), host, path, to, message);
    } catch (UpstreamException e) {
      throw new NotSentException(String.valueOf(e.getMessage()), e);
    }
    if (!reply.positive()) {
      throw new NotSentException("the mail server refused it: " + reply);
    }
    return reply.toString();
  }
}

package io.bloomgate.gateway.report;

import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.message.ReportMessage;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.OwnMessage;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Sends a report through the mail server that receives mail of the recipient's domain. Blocks; any
 * thread that may.
 *
 * <p>From and reverse-path: bloomgate@ the name that the gateway has in EHLO. SPF and DMARC look at
 * that name then, which has the address of the gateway; an address at a domain of the recipients
 * would need a DKIM signature, which the gateway has no key for. Nobody reads mail at that address:
 * a bounce has the null reverse-path, so that no mail server bounces the bounce (RFC 5321 section
 * 6.1), and nothing loops.
 */
public final class ReportMail {

  private final Reports reports;
  private final Supplier<MailRoutes> routes;
  private final Supplier<String> hostname;
  private final Supplier<String> ids;
  private final InstantSource clock;

  /**
   * Nothing is sent yet.
   *
   * @param hostname of the settings that count now
   * @param ids random words for ids of messages
   */
  public ReportMail(
      Reports reports,
      Supplier<MailRoutes> routes,
      Supplier<String> hostname,
      Supplier<String> ids,
      InstantSource clock) {
    this.reports = reports;
    this.routes = routes;
    this.hostname = hostname;
    this.ids = ids;
    this.clock = clock;
  }

  /** The reports that are sent. */
  public Reports reports() {
    return reports;
  }

  /** The report did not go out; the message is the reason, for people. */
  public static final class NotSentException extends IOException {
    private static final long serialVersionUID = 1L;

    NotSentException(String reason) {
      super(reason);
    }

    NotSentException(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * Makes the report and sends it.
   *
   * @param to an address that {@link ReportSettings#recipient} took
   * @return the mail server's reply
   */
  public String send(Instant since, String to) throws NotSentException {
    Reply reply;
    try {
      reply = deliver(to, reports.since(since));
    } catch (UpstreamException e) {
      throw new NotSentException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new NotSentException("the kept sessions cannot be read: " + e.getMessage(), e);
    }
    if (!reply.positive()) {
      throw new NotSentException("the mail server refused it: " + reply);
    }
    return reply.toString();
  }

  private Reply deliver(String to, Reports.Forms report) throws UpstreamException {
    String host = hostname.get();
    String from = "bloomgate@" + host;
    byte[] message =
        ReportMessage.compose(
            new ReportMessage.Head(
                from,
                to,
                "Bloomgate " + host + ": " + report.headline(),
                "report." + ids.get() + "@" + host,
                clock.instant()),
            report.text(),
            report.html());
    // RFC 5321 section 4.5.5 keeps the null one for notices; some mail servers take it for nothing
    // else.
    ReversePath path = new ReversePath(from, null, null);
    return OwnMessage.send(routes.get(), host, path, to, message);
  }
}

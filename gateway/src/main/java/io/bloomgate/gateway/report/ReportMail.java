package io.bloomgate.gateway.report;

import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Sends a report through the mail server that receives mail of the recipient's domain. Blocks; any
 * thread that may.
 *
 * <p>The reverse-path is that of {@link OwnMail}: RFC 5321 section 4.5.5 keeps the null one for
 * notices, and some mail servers take it for nothing else.
 */
public record ReportMail(Reports reports, OwnMail mail, InstantSource clock) {

  /**
   * Makes the report and sends it.
   *
   * @param to an address that {@link ReportSettings#recipient} took
   * @return the mail server's reply
   */
  public String send(Instant since, String to) throws NotSentException {
    GatewayReport report;
    try {
      report = reports.since(since, null);
    } catch (IOException e) {
      throw new NotSentException("the kept sessions cannot be read: " + e.getMessage(), e);
    }
    return mail.send(
        new OwnMail.Content(
            "report",
            ReportTables.headline(report),
            clock.instant(),
            report.text(0),
            report.html()),
        to);
  }
}

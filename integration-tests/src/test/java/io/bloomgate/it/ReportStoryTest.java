package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ReportForm;
import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.report.DailyReport;
import io.bloomgate.gateway.report.OwnMail;
import io.bloomgate.gateway.report.ReportMail;
import io.bloomgate.gateway.testkit.ReportFixture;
import io.bloomgate.gateway.testkit.SampleStatus;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report reaches the administrator through the mail server behind the gateway. */
class ReportStoryTest {

  private static final String TO = "postmaster@example.com";

  @TempDir Path folder;
  private final GreenMail mailServer =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private Instant now = ReportFixture.NOW.minus(Duration.ofHours(1));

  @AfterEach
  void stopMailServer() {
    mailServer.stop();
  }

  private MailRoutes routes(int port) {
    String text =
        "hostname: mx.example.com\ndomains: [example.com]\ndownstream: {host: 127.0.0.1, port: "
            + port
            + ", connect_timeout: 1s}\n";
    Settings settings = SampleStatus.settings(text);
    return new MailRoutes(
        settings.downstream(),
        settings.hostname(),
        System::nanoTime,
        () -> {},
        ServerMemory.ofProcess(),
        Runnable::run,
        ClientNames.OFF);
  }

  @Test
  void theDailyReportArrivesAtTheSetTimeAfterAFailure() throws Exception {
    mailServer.start();
    try (MailRoutes down = routes(FreePort.next());
        MailRoutes up = routes(mailServer.getSmtp().getPort())) {
      ReportMail mail =
          new ReportMail(
              new ReportFixture(folder).ordinaryDay().reports(),
              new OwnMail(
                  () -> now.isBefore(ReportFixture.NOW.plusSeconds(600)) ? down : up,
                  () -> "mx.example.com",
                  () -> "7K3Q9ZT2AB"),
              () -> now);
      ReportSettings settings = new ReportSettings(TO, LocalTime.of(7, 0));
      DailyReport daily =
          new DailyReport(
              () -> settings,
              mail::send,
              () -> now,
              ReportFixture.ZONE,
              folder.resolve(DailyReport.FILE_NAME));
      for (int minute = 0; minute < 74; minute++) {
        daily.tick();
        now = now.plusSeconds(60);
      }
      assertEquals(0, mailServer.getReceivedMessages().length, "the mail server is down");
      for (int minute = 0; minute < 300; minute++) {
        daily.tick();
        now = now.plusSeconds(60);
      }
      assertEquals(1, mailServer.getReceivedMessages().length);
      MimeMessage message = mailServer.getReceivedMessages()[0];
      assertHead(message);
      assertEquals(
          ReportFixture.NOW.plus(Duration.ofMinutes(15)), message.getSentDate().toInstant());
      assertParts(message, "203.0.113.0/24");
    }
  }

  private static void assertHead(MimeMessage message) throws MessagingException {
    assertEquals("Bloomgate <bloomgate@mx.example.com>", message.getHeader("From", null));
    assertEquals(TO, message.getHeader("To", null));
    assertEquals("auto-generated", message.getHeader("Auto-Submitted", null));
    assertEquals("<bloomgate@mx.example.com>", message.getHeader("Return-Path", null));
    assertEquals("1.0", message.getHeader("MIME-Version", null));
    assertTrue(message.getMessageID().matches("<report\\.[0-9A-Z]{10}@mx\\.example\\.com>"));
    assertTrue(message.getSubject().startsWith("Bloomgate mx.example.com: "));
  }

  private static void assertParts(MimeMessage message, String both)
      throws MessagingException, IOException {
    assertTrue(message.isMimeType("multipart/alternative"), message.getContentType());
    MimeMultipart parts = (MimeMultipart) message.getContent();
    assertEquals(2, parts.getCount());
    BodyPart text = parts.getBodyPart(0);
    BodyPart html = parts.getBodyPart(1);
    assertTrue(text.isMimeType("text/plain"), text.getContentType());
    assertTrue(html.isMimeType("text/html"), html.getContentType());
    assertTrue(text.getContent().toString().contains(both));
    assertTrue(html.getContent().toString().contains(both));
    assertTrue(html.getContent().toString().contains("</html>"));
  }

  @Test
  void theCommandShowsAndSendsWhatTheGatewayDid() throws Exception {
    mailServer.start();
    try (GatewayFixture gateway =
        GatewayFixture.in(folder, mailServer.getSmtp().getPort()).start()) {
      try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), "203.0.113.7")) {
        SmtpClient.expect(
            "554 5.7.1",
            client.rcpt("mail.partner.example", "a@partner.example", "bob@example.com"));
      }
      Instant since = Instant.now().minus(Duration.ofHours(24));
      Answer text = gateway.control(new ControlRequest.Report(since, ReportForm.TEXT, null));
      assertTrue(text.toString().contains("203.0.113.0/24"), text.toString());
      assertTrue(text.toString().contains("drop"), text.toString());
      Answer html = gateway.control(new ControlRequest.Report(since, ReportForm.HTML, null));
      assertTrue(html.toString().contains("<svg"), html.toString());
      Answer sent = gateway.control(new ControlRequest.Report(since, ReportForm.DATA, TO));
      assertTrue(sent.toString().contains("mailed_to"), sent.toString());
      assertTrue(mailServer.waitForIncomingEmail(20_000, 1));
      assertHead(mailServer.getReceivedMessages()[0]);
      assertParts(mailServer.getReceivedMessages()[0], "203.0.113.0/24");
    }
  }

  @Test
  void itIsPlainAsciiOfShortLines() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        MailRoutes routes = routes(upstream.port())) {
      ReportMail mail =
          new ReportMail(
              new ReportFixture(folder).reports(),
              new OwnMail(() -> routes, () -> "mx.example.com", () -> "7K3Q9ZT2AB"),
              () -> now);
      assertTrue(mail.send(now.minus(Duration.ofDays(1)), TO).startsWith("250 "));
      String content = upstream.nextDelivery().content();
      assertTrue(content.contains("Auto-Submitted: auto-generated\r\n"), content);
      assertTrue(content.chars().allMatch(c -> c < 0x80), "7-bit lines");
      assertTrue(content.lines().allMatch(line -> line.length() < 998));
      assertFalse(content.contains("<script"), content);
    }
  }
}

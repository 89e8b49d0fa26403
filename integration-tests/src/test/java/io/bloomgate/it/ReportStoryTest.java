package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ReportForm;
import io.bloomgate.gateway.testkit.SmtpClient;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report reaches the administrator through the mail server behind the gateway. */
class ReportStoryTest {

  private static final String TO = "postmaster@example.com";

  @TempDir Path folder;
  private final GreenMail mailServer =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

  @AfterEach
  void stopMailServer() {
    mailServer.stop();
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
}

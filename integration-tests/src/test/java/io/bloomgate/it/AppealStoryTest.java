package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sender that was refused complains to postmaster, and the administrator lets its mail in. */
class AppealStoryTest {

  private static final String CLIENT = "203.0.113.7";
  private static final String FROM = "alice@partner.example";

  @TempDir Path folder;

  /** What the mail server gets of a message to postmaster. */
  private static String complaint(
      GatewayFixture gateway, ScriptedUpstream upstream, String client, String content)
      throws IOException {
    expect("250", gateway.send(client, FROM, content, "postmaster@example.com"));
    return upstream.nextDelivery().content();
  }

  @Test
  void theQuotedIdLeadsFromTheComplaintToTheEndOfTheRefusal() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start()) {
      String refusal = gateway.rcpt(CLIENT, FROM);
      expect("554 5.7.1", refusal);
      String id = refusal.replaceFirst(".*\\[([0-9A-Z]{10})\\]$", "$1");
      String complaint =
          "Subject: Undelivered\r\nX-Bloomgate-Incident: 7K3Q9ZT2AB\r\n"
              + "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
              + refusal.replace(id, id.substring(0, 4) + "=\r\n" + id.substring(4))
              + "\r\n";
      String relayed = complaint(gateway, upstream, CLIENT, complaint);
      assertTrue(relayed.startsWith("X-Bloomgate-Incident: " + id + "\r\nReceived: "), relayed);
      assertTrue(
          relayed.endsWith(complaint.replace("X-Bloomgate-Incident: 7K3Q9ZT2AB\r\n", "")), relayed);
      Conditions.await(
          "the id in the log",
          () -> Files.readString(gateway.logFile()).contains("incident=" + id + "\n"));
      expect("554 5.7.1", gateway.rcpt(CLIENT, FROM));
      gateway.control(
          Addition.allow()
              .incident(id)
              .expires(Instant.now().plus(Duration.ofDays(7)))
              .reason("ticket 12")
              .request());
      expect("250", gateway.rcpt(CLIENT, FROM));
      String again = complaint(gateway, upstream, CLIENT, complaint);
      assertTrue(again.startsWith("X-Bloomgate-Incident: " + id + "\r\n"), again);
    }
  }

  @Test
  void inModeObserveTheIdOfTheLogIsKnownToo() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            GatewayFixture.in(folder, upstream.port()).with("mode", "observe").start()) {
      expect("250", gateway.rcpt(CLIENT, FROM));
      Conditions.await("the warning", () -> Files.exists(gateway.logFile()) && !id().isEmpty());
      String relayed =
          complaint(gateway, upstream, "192.0.2.9", "Subject: " + id() + "\r\n\r\nhello\r\n");
      String field = "X-Bloomgate-Incident: " + id().replaceAll("\\W", "");
      assertTrue(relayed.startsWith(field + "\r\n"), relayed);
      String unknown =
          complaint(gateway, upstream, "192.0.2.9", "Subject: [7K3Q9ZT2AB]\r\n\r\nhello\r\n");
      assertFalse(unknown.contains("X-Bloomgate-Incident"), unknown);
      assertEquals(1, relayed.split("X-Bloomgate-Incident", -1).length - 1);
    }
  }

  @Test
  void theIdOfMailThatWasTakenIsNoRefusal() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start()) {
      String taken = complaint(gateway, upstream, "192.0.2.9", "Subject: hello\r\n\r\nhello\r\n");
      Matcher received = Pattern.compile("(?s)^Received: .*? id ([0-9A-Z]{10}).*").matcher(taken);
      assertTrue(received.matches(), taken);
      Conditions.await(
          "the session", () -> Files.readString(gateway.logFile()).contains(received.group(1)));
      String quoted =
          complaint(
              gateway,
              upstream,
              "192.0.2.9",
              "Subject: [" + received.group(1) + "]\r\n\r\nhello\r\n");
      assertFalse(quoted.contains("X-Bloomgate-Incident"), quoted);
    }
  }

  /** Of the refusal that mode observe only noted, in brackets; empty while it is not written. */
  private String id() throws IOException {
    Matcher matcher =
        Pattern.compile("reject_warning: .* (\\[[0-9A-Z]{10}\\]);")
            .matcher(Files.readString(folder.resolve("mail.log")));
    return matcher.find() ? matcher.group(1) : "";
  }
}

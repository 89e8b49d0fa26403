package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What EHLO offers behind a start: as much as the mail server does, or nothing is said yet. */
final class GatewayOffersTest {

  private static final String EHLO = "EHLO mail.partner.example";

  @TempDir private Path directory;

  private GatewayHouse house(int port) throws Exception {
    return new GatewayHouse(directory).upstream(port).write();
  }

  private static String ehlo(Gateway gateway) throws Exception {
    try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      assertTrue(client.reply().startsWith("220 "));
      return client.ask(EHLO);
    }
  }

  @Test
  void theGreetingWaitsForTheFirstAnswerOfTheMailServer() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (ScriptedUpstream upstream = ScriptedUpstream.start().offering("8BITMIME", "SMTPUTF8")) {
      upstream.on(
          ScriptedUpstream.CONNECT,
          connection -> {
            try {
              asked.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            connection.reply("220 slow.example");
          });
      try (Gateway gateway = house(upstream.port()).start();
          SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        client.raw(EHLO + "\r\n");
        upstream.nextConnection();
        asked.countDown();
        assertTrue(client.reply().startsWith("220 "));
        String offered = client.reply();
        assertTrue(offered.contains("8BITMIME") && offered.contains("SMTPUTF8"), offered);
      }
    }
  }

  @Test
  void afterARestartTheLastOffersCountUntilTheServerAnswers() throws Exception {
    int port;
    String before;
    try (ScriptedUpstream upstream =
        ScriptedUpstream.start().offering("8BITMIME", "SMTPUTF8", "DSN", "SIZE 1000")) {
      port = upstream.port();
      try (Gateway gateway = house(port).start()) {
        before = ehlo(gateway);
        assertTrue(before.contains("SMTPUTF8") && before.contains("SIZE 1000"), before);
      }
    }
    try (Gateway gateway = house(port).start()) {
      assertEquals(before, ehlo(gateway));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        String rcpt = client.rcpt("mail.partner.example", "a@b.example", "bob@company.example");
        assertTrue(rcpt.startsWith("451 4.4.1"), rcpt);
      }
    }
  }

  @Test
  void whereNoMailServerEverAnsweredTheClientComesAgain() throws Exception {
    int port;
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      port = upstream.port();
    }
    GatewayHouse house = house(port).more("policy: {reject_at: connect}").write();
    Files.createDirectories(directory.resolve("state"));
    Files.writeString(
        directory.resolve("state/mail.servers"),
        "{\"servers\":{\"192.0.2.25:25\":{\"offers\":{\"smtp_utf8\":true}}}}");
    try (Gateway gateway = house.start();
        SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      assertTrue(client.reply().startsWith("421 4.3.2 Starting"));
      assertEquals(SmtpClient.END, client.reply());
    }
  }
}

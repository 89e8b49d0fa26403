package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.memory.OtherNodes;
import io.bloomgate.blocklists.memory.OwnMemory;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.testkit.SampleStatus;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lists of the own memory in a whole gateway. */
final class OwnMemoryGatewayTest {

  private static final String SPAM =
      """
      From: Shop <any@where.example>
      Subject: hello

      Dear customer we are glad to tell you that your parcel is waiting in our store and cannot be
      delivered because a small fee is missing please pay it within two days or it will be lost
      pay at http://evil.example/now
      """
          .replace("\n", "\r\n");

  @TempDir private Path directory;
  private Instant clock = Instant.now().minus(Duration.ofDays(15));

  /** The hourly chore, between two runs of a gateway; behind two weeks of it where it is new. */
  private void tend(GatewayHouse house, boolean isNew) throws IOException {
    Settings settings = SampleStatus.settings(Files.readString(house.settings()));
    Path state = directory.resolve("state");
    Files.createDirectories(state);
    try (OwnMemory memory =
        new OwnMemory(
            state,
            new OwnMemory.Surroundings(
                () -> settings,
                (_, _) -> true,
                () -> _ -> false,
                () -> 0,
                OtherNodes.NONE,
                "",
                () -> clock))) {
      for (int day = 0; isNew && day < 15; day++) {
        memory.tend();
        clock = clock.plus(Duration.ofDays(1));
      }
      clock = Instant.now();
      memory.tend();
    }
  }

  private static String send(Gateway gateway, String client, String sender) throws IOException {
    return send(gateway, client, sender, "bob");
  }

  private static String send(Gateway gateway, String client, String sender, String to)
      throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), client)) {
      smtp.upToMail(sender);
      expect("250", smtp.ask("RCPT TO:<" + to + "@company.example>"));
      return smtp.message(SPAM);
    }
  }

  /** From the SMTP of two strangers to the refusal of a third, and back by a report. */
  @Test
  void mailForATrapIsRememberedAndAReportTakesItOut() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayHouse house =
          new GatewayHouse(directory)
              .upstream(upstream.port())
              .listener(", proxy_protocol: both, trusted_proxies: [127.0.0.1]")
              .more("traps: {addresses: [old@company.example], drop: true}")
              .write();
      tend(house, true);
      try (Gateway gateway = house.start()) {
        expect("250", send(gateway, "192.0.2.1", "one@first.example", "old"));
        expect("250", send(gateway, "198.51.100.1", "two@second.example", "old"));
      }
      tend(house, false);
      String id;
      try (Gateway gateway = house.start()) {
        house.refresh();
        String refused = send(gateway, "203.0.113.77", "x@third.example");
        assertTrue(refused.startsWith("554"), refused);
        String why = house.incident(refused).toString();
        assertTrue(why.contains("own-memory") && why.contains("trap mail"), why);
        assertEquals(5, house.ask(new ControlRequest.FeedsList()).items().size());
        id = refused.replaceFirst("(?s).*\\[([A-Z0-9]{10,})].*", "$1");
      }
      try (Gateway _ = house.start()) {
        Answer good = house.ask(new ControlRequest.SpamReport(true, id, List.of()));
        assertTrue(good.only().number("keys").orElse(0) > 0, good.toString());
      }
      tend(house, false);
      try (Gateway gateway = house.start()) {
        house.refresh();
        String passed = send(gateway, "203.0.113.78", "x@fourth.example");
        assertTrue(passed.startsWith("250"), passed);
      }
    }
  }
}

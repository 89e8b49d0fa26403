package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mail of the warm-up goes through sessions, and leaves no trace anywhere. */
final class WarmUpTest {

  /** What {@code status} says of mail. */
  private static final List<String> OF_MAIL =
      List.of("sessions", "lookup", "verdicts_1h", "kept_sessions", "greylist", "unknown_domains");

  @TempDir private Path directory;
  private final ScriptedUpstream upstream = ScriptedUpstream.start();

  @AfterEach
  void close() {
    upstream.close();
  }

  /** The lists of this gateway are on disk. */
  private GatewayHouse house(String more) throws Exception {
    GatewayHouse house = new GatewayHouse(directory).upstream(upstream.port()).more(more).write();
    Files.writeString(house.feed(), "warm-up.invalid\n");
    try (Gateway _ = house.start()) {
      house.ask(new ControlRequest.FeedsRefresh(List.of(), true, true));
    }
    return house;
  }

  private static List<String> ofMail(GatewayHouse house) throws Exception {
    JsonObject status = house.ask(new ControlRequest.Status()).only();
    return OF_MAIL.stream().map(key -> key + " " + status.get(key)).toList();
  }

  @Test
  void noCounterLogOrMailServerSeesIt() throws Exception {
    GatewayHouse house = house("");
    List<String> without;
    try (Gateway _ = house.start()) {
      without = ofMail(house);
    }
    try (LogLines lines = new LogLines(WarmUp.class, Level.DEBUG);
        Gateway gateway = Gateway.start(house.settings(), Map.of(), 100)) {
      assertTrue(lines.all().getFirst().startsWith("INFO warmed up by 100 mails"), lines::toString);
      assertEquals(without, ofMail(house));
      assertEquals(0, gateway.blocklists().filters().confirmed());
      assertEquals(0, upstream.deliveredCount());

      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        client.reply();
        client.ask("EHLO client.example");
        client.ask("MAIL FROM:<a@sender.example>");
        String domainOfWarmUp = client.ask("RCPT TO:<b@warm-up.invalid>");
        assertTrue(domainOfWarmUp.startsWith("554"), domainOfWarmUp);
      }
    }
    try (Stream<String> records = Files.lines(house.log())) {
      assertEquals(List.of(), records.filter(line -> line.contains("a@warm-up.invalid")).toList());
    }
  }

  @Test
  void limitOfTheSettingsEndsItAndTheGatewayStarts() throws Exception {
    GatewayHouse house = house("limits: {message_size: 1KiB}");
    try (LogLines lines = new LogLines(WarmUp.class, Level.INFO);
        Gateway gateway = Gateway.start(house.settings(), Map.of(), 100)) {
      assertTrue(lines.all().getFirst().startsWith("INFO warmed up by 0 mails"), lines::toString);
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.reply().startsWith("220 "));
      }
    }
  }
}

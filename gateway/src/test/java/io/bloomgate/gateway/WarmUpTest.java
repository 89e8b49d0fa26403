package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

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
  private GatewayHouse house(String more, String listener) throws Exception {
    GatewayHouse house =
        new GatewayHouse(directory).upstream(upstream.port()).listener(listener).more(more).write();
    Files.writeString(house.feed(), "warm-up.invalid\n");
    try (Gateway _ = house.start()) {
      house.refresh();
    }
    return house;
  }

  private static List<String> ofMail(GatewayHouse house) throws Exception {
    JsonObject status = house.status();
    return OF_MAIL.stream().map(key -> key + " " + status.get(key)).toList();
  }

  @Test
  void noCounterLogOrMailServerSeesIt() throws Exception {
    GatewayHouse house = house("", ", tls: starttls");
    List<String> without;
    try (Gateway _ = house.start()) {
      without = ofMail(house);
    }
    try (LogLines lines = new LogLines(WarmUp.class, Level.DEBUG);
        Gateway gateway = Gateway.start(house.settings(), Map.of(), 100)) {
      // Beside much other work not all 100 are sent in the time that a warm-up has.
      String said = lines.all().getFirst();
      assertTrue(said.matches("INFO warmed up by .*, [1-9][0-9]* of them by TLS.*"), said);
      assertEquals(without, ofMail(house));
      assertEquals(0, gateway.blocklists().filters().count(FilterCounters.Outcome.CONFIRMED));
      assertEquals(0, upstream.deliveredCount());

      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        String domainOfWarmUp =
            client.rcpt("client.example", "a@sender.example", "b@warm-up.invalid");
        assertTrue(domainOfWarmUp.startsWith("554"), domainOfWarmUp);
      }
    }
    try (Stream<String> records = Files.lines(house.log())) {
      assertEquals(List.of(), records.filter(line -> line.contains("a@warm-up.invalid")).toList());
    }
  }

  @Test
  void limitOfTheSettingsEndsItAndTheGatewayStarts() throws Exception {
    GatewayHouse house = house("limits: {message_size: 1KiB}", "");
    try (LogLines lines = new LogLines(WarmUp.class, Level.INFO);
        Gateway gateway = Gateway.start(house.settings(), Map.of(), 100)) {
      assertTrue(lines.all().getFirst().startsWith("INFO warmed up by 0 mails"), lines::toString);
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.reply().startsWith("220 "));
      }
    }
  }

  /**
   * Mail is taken meanwhile, slowly; a monitor should send it elsewhere until the gateway is warm.
   */
  @Test
  void gatewayIsNotReadyBeforeItIsWarm() throws Exception {
    GatewayHouse house = house("", "");
    List<String> meanwhile = new ArrayList<>();
    AppenderBase<ILoggingEvent> asking =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            try {
              meanwhile.add(readiness(house, new ControlRequest.Health()));
              meanwhile.add(readiness(house, new ControlRequest.Status()));
              JsonObject status = house.status();
              meanwhile.add("serves mail " + status.isTrue("serves_mail"));
            } catch (IOException e) {
              meanwhile.add(e.toString());
            }
          }
        };
    asking.start();
    Logger warmUp = (Logger) LoggerFactory.getLogger(WarmUp.class);
    Level before = warmUp.getLevel();
    warmUp.setLevel(Level.INFO);
    warmUp.addAppender(asking);
    try (Gateway _ = Gateway.start(house.settings(), Map.of(), 1)) {
      assertEquals(List.of("false starting", "false starting", "serves mail true"), meanwhile);
      assertEquals("true ", readiness(house, new ControlRequest.Health()));
    } finally {
      warmUp.detachAppender(asking);
      warmUp.setLevel(before);
    }
  }

  private static String readiness(GatewayHouse house, ControlRequest request) throws IOException {
    JsonObject answer = house.ask(request).only();
    return answer.isTrue("ready") + " " + answer.text("reason").orElse("");
  }
}

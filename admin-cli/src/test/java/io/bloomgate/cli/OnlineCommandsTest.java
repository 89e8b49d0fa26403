package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

/** What of commands against a control socket depends on the machine, or on time that passes. */
class OnlineCommandsTest extends ScriptedAnswers {

  @Test
  void timesAreInTheZoneOfTheMachineWhereThatIsAskedFor() throws IOException {
    ControlReply[] answer =
        replies(item("{\"time\":\"2026-11-21T07:39:01.5Z\",\"id\":\"7K3Q9ZT2AB\"}"), new Done(0));
    ZoneId zone = ZoneId.systemDefault();
    String local =
        Instant.parse("2026-11-21T07:39:01Z")
            .atZone(zone)
            .format(DateTimeFormatter.ofPattern("MM-dd HH:mm:ss"));
    answered(answer, "sessions", "list", "--local").prints("\n" + local + "  7K3Q9ZT2AB");
    answered(answer, "sessions", "list", "--local", "-o", "json").prints("07:39:01.5Z");
    Files.delete(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      run("stats", "--since", "2026-01-01T00:00:00Z", "--local").exits(0);
      run("report", "--since", "2026-01-01T00:00:00Z", "--local", "-o", "json").exits(0);
      assertEquals(
          zone.getId(), ((ControlRequest.SessionsStats) gateway.asked().getFirst()).zone());
      assertEquals(zone.getId(), ((ControlRequest.Report) gateway.asked().getLast()).zone());
    }
  }

  @Test
  void aSilentGatewayIsGivenUp() throws IOException {
    try (FakeGateway gateway = FakeGateway.answering(socket)) {
      run("status", "--timeout", "1s").fails(3, "said nothing for 1 s");
      assertEquals(1, gateway.asked().size());
    }
  }
}

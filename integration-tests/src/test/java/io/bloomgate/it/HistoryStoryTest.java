package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed changes twice, and the gateway still knows what it listed when. */
class HistoryStoryTest {

  private static final String CLIENT = "192.0.2.77";

  @TempDir Path folder;

  @Test
  void explainAnswersWithTheListsOfThen() throws IOException {
    Instant before = Instant.now();
    Instant first;
    Instant second;
    Instant third;
    ScriptedUpstream upstream = ScriptedUpstream.start();
    GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start();
    try (upstream;
        gateway) {
      first = Instant.now();
      second = list(gateway, CLIENT, "203.0.113.7", "192.0.2.0/25");
      JsonObject live = explain(gateway, null);
      third = list(gateway, "203.0.113.7");

      assertEquals("accept", explain(gateway, first).text("verdict").orElseThrow());
      JsonObject then = explain(gateway, second);
      assertEquals("reject", then.text("verdict").orElseThrow());
      assertEquals(
          live.elements("listings").size(), then.elements("listings").size(), live + " " + then);
      JsonObject listing = (JsonObject) then.elements("listings").getFirst();
      assertEquals(CLIENT, listing.text("entry").orElseThrow());
      Instant since = Instant.parse(listing.text("since").orElseThrow());
      Instant until = Instant.parse(listing.text("until").orElseThrow());
      assertTrue(since.isAfter(first) && !since.isAfter(second), listing.toString());
      assertTrue(until.isAfter(second) && !until.isAfter(third), listing.toString());
      assertFalse(listing.isTrue("since_at_least"));
      String notes = then.elements("notes").toString();
      assertTrue(notes.contains("the lists are those of generation "), notes);
      assertEquals(1, listing.number("line").orElseThrow(), "the line of then");
      assertEquals("accept", explain(gateway, third).text("verdict").orElseThrow());
      assertEquals("accept", explain(gateway, null).text("verdict").orElseThrow());

      CommandLineInProcess.Result shown = gateway.cli("explain", CLIENT, "--at", second.toString());
      assertEquals(1, shown.exitCode());
      assertTrue(shown.out().contains("by the lists of " + inSeconds(second)), shown.out());
      assertTrue(shown.out().contains(" until " + inSeconds(until)), shown.out());
      CommandLineInProcess.Result early = gateway.cli("explain", CLIENT, "--at", before.toString());
      assertTrue(early.err().contains("kept versions go back to "), early.err());
      CommandLineInProcess.Result ahead = gateway.cli("explain", CLIENT, "--at", "2999-01-01");
      assertEquals(2, ahead.exitCode());
      assertTrue(ahead.err().contains("is in the future"), ahead.err());
    }
    CommandLineInProcess.Result offline =
        gateway.cli("--offline", "explain", CLIENT, "--at", second.toString());
    assertEquals(1, offline.exitCode(), offline.err());
    assertTrue(offline.out().contains("REFUSED"), offline.out());
    assertEquals(
        0, gateway.cli("--offline", "explain", CLIENT, "--at", third.toString()).exitCode());
  }

  @Test
  void anIncidentIsExplainedWithTheListsOfItsMoment() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).start()) {
      Instant before = Instant.now();
      Instant listed = list(gateway, CLIENT, "203.0.113.7");
      String reply = gateway.rcpt(CLIENT, "a@home.example");
      JsonObject fresh = listing(gateway, reply);
      Instant since = Instant.parse(fresh.text("since").orElseThrow());
      assertTrue(since.isAfter(before) && !since.isAfter(listed), fresh.toString());
      assertTrue(fresh.get("until").isEmpty(), fresh.toString());

      Instant dropped = list(gateway, "203.0.113.7");
      JsonObject gone = listing(gateway, reply);
      assertEquals(since, Instant.parse(gone.text("since").orElseThrow()));
      Instant until = Instant.parse(gone.text("until").orElseThrow());
      assertTrue(until.isAfter(listed) && !until.isAfter(dropped), gone.toString());

      list(gateway, CLIENT, "203.0.113.7");
      JsonObject again = listing(gateway, reply);
      assertEquals(since, Instant.parse(again.text("since").orElseThrow()), "not the second time");
      assertEquals(until, Instant.parse(again.text("until").orElseThrow()));
    }
  }

  /** The listing that an incident's answer names. */
  private static JsonObject listing(GatewayFixture gateway, String reply) throws IOException {
    JsonObject answer = gateway.incident(reply);
    assertEquals("reject", answer.text("verdict").orElseThrow());
    return (JsonObject) answer.elements("listings").getFirst();
  }

  /** As people read it. */
  private static Instant inSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Another version of the feed; the time when it is live. */
  private static Instant list(GatewayFixture gateway, String... lines) throws IOException {
    gateway.write("drop.txt", lines);
    if (gateway.refresh("drop").exitCode() != 0) {
      gateway.control(new ControlRequest.FeedsAccept("drop", false));
    }
    return Instant.now();
  }

  private static JsonObject explain(GatewayFixture gateway, @Nullable Instant at) {
    return gateway
        .control(new ControlRequest.Explain(CLIENT, null, null, null, null, null, at))
        .only();
  }
}

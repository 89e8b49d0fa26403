package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A feed changes twice, and the gateway still knows what it listed when. */
class HistoryStoryTest extends Story {

  private static final String CLIENT = "192.0.2.77";

  @Test
  void explainAnswersWithTheListsOfThen() throws IOException {
    Instant before = Instant.now();
    gateway.start();
    Instant first = Instant.now();
    Instant second = list(CLIENT, "203.0.113.7", "192.0.2.0/25");
    JsonObject live = explain(null);
    Instant third = list("203.0.113.7");

    assertEquals("accept", explain(first).text("verdict").orElseThrow());
    JsonObject then = explain(second);
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
    assertEquals("accept", explain(third).text("verdict").orElseThrow());
    assertEquals("accept", explain(null).text("verdict").orElseThrow());

    CommandLineInProcess.Result shown = gateway.cli("explain", CLIENT, "--at", second.toString());
    assertEquals(1, shown.exitCode());
    assertTrue(shown.out().contains("by the lists of " + inSeconds(second)), shown.out());
    assertTrue(shown.out().contains(" until " + inSeconds(until)), shown.out());
    CommandLineInProcess.Result early = gateway.cli("explain", CLIENT, "--at", before.toString());
    assertTrue(early.err().contains("kept versions go back to "), early.err());
    CommandLineInProcess.Result ahead = gateway.cli("explain", CLIENT, "--at", "2999-01-01");
    assertEquals(2, ahead.exitCode());
    assertTrue(ahead.err().contains("is in the future"), ahead.err());
    gateway.close();
    CommandLineInProcess.Result offline =
        gateway.cli("--offline", "explain", CLIENT, "--at", second.toString());
    assertEquals(1, offline.exitCode(), offline.err());
    assertTrue(offline.out().contains("REFUSED"), offline.out());
    assertEquals(
        0, gateway.cli("--offline", "explain", CLIENT, "--at", third.toString()).exitCode());
  }

  @Test
  void anIncidentIsExplainedWithTheListsOfItsMoment() throws IOException {
    gateway.start();
    Instant before = Instant.now();
    Instant listed = list(CLIENT, "203.0.113.7");
    String reply = gateway.rcpt(CLIENT, "a@home.example");
    JsonObject fresh = listing(reply);
    Instant since = Instant.parse(fresh.text("since").orElseThrow());
    assertTrue(since.isAfter(before) && !since.isAfter(listed), fresh.toString());
    assertTrue(fresh.get("until").isEmpty(), fresh.toString());

    Instant dropped = list("203.0.113.7");
    JsonObject gone = listing(reply);
    assertEquals(since, Instant.parse(gone.text("since").orElseThrow()));
    Instant until = Instant.parse(gone.text("until").orElseThrow());
    assertTrue(until.isAfter(listed) && !until.isAfter(dropped), gone.toString());

    list(CLIENT, "203.0.113.7");
    JsonObject again = listing(reply);
    assertEquals(since, Instant.parse(again.text("since").orElseThrow()), "not the second time");
    assertEquals(until, Instant.parse(again.text("until").orElseThrow()));
  }

  /** The listing that an incident's answer names. */
  private JsonObject listing(String reply) throws IOException {
    JsonObject answer = gateway.incident(reply);
    assertEquals("reject", answer.text("verdict").orElseThrow());
    return (JsonObject) answer.elements("listings").getFirst();
  }

  /** As people read it. */
  private static Instant inSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Another version of the feed; the time when it is live. */
  private Instant list(String... lines) throws IOException {
    gateway.write("drop.txt", lines);
    if (gateway.refresh("drop").exitCode() != 0) {
      gateway.control(new ControlRequest.FeedsAccept("drop", false));
    }
    return Instant.now();
  }

  private JsonObject explain(@Nullable Instant at) {
    return gateway
        .control(new ControlRequest.Explain(CLIENT, null, null, null, null, null, at))
        .only();
  }
}

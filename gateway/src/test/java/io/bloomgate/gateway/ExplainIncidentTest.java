package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer of {@code explain ID} on a whole gateway, about mail that no list refused. */
final class ExplainIncidentTest {

  private static final String CLIENT = "198.51.100.7";

  @TempDir private Path directory;

  /**
   * A block of today did not refuse the mail of then, so to remove it does not let that mail in.
   */
  @Test
  void mailThatNoListRefusedHasNoUndo() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    SessionDays days = new SessionDays(Files.createDirectories(directory.resolve("state")));
    days.create();
    Instant now = Instant.now();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    try (DayWriter writer = DayWriter.open(days.day(today, 1).file(), today)) {
      writer.add(
          kept(now, "7K3Q9ZT2AB", Outcome.UPSTREAM_REFUSED, "accept", "550 5.1.1 no such user"),
          null);
      writer.add(
          kept(
              now,
              "7K3Q9ZT2AC",
              Outcome.PROTOCOL,
              "",
              "454 4.7.1 <a@other.example>: Relay access denied"),
          null);
      writer.add(
          kept(
              now,
              "7K3Q9ZT2AD",
              Outcome.DELIVERED,
              "accept",
              "250 2.0.0 Ok",
              "off (company.example)",
              1),
          null);
      writer.commit();
    }
    try (Gateway _ = house.start()) {
      Answer added = house.ask(block());
      assertEquals(0, added.exitCode(), added.toString());
      for (String id : List.of("7K3Q9ZT2AB", "7K3Q9ZT2AC")) {
        JsonObject answer = explained(house, id);
        assertEquals("reject", answer.object("now").orElseThrow().text("verdict").orElse(""));
        assertTrue(answer.text("undo").isEmpty(), answer.toString());
        assertEquals(List.of(), answer.elements("undo_wider"));
        assertFalse(answer.elements("notes").toString().contains("undo"), answer.toString());
      }
      // What lists would refuse now, of a sender whose mail came in, can be lifted.
      JsonObject delivered = explained(house, "7K3Q9ZT2AD");
      assertTrue(delivered.text("undo").isPresent());
      assertTrue(
          delivered
              .elements("notes")
              .toString()
              .contains("the profile of the recipient is off (company.example)"),
          delivered.toString());
      assertEquals(
          "off (company.example)",
          delivered.object("happened").orElseThrow().text("profile").orElse(""));
    }
  }

  /** A list that had the sender was switched off; then it counts again. */
  @Test
  void acceptedMailIsNotCalledUnlistedWhereAListWasSwitchedOff() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    Files.writeString(house.feed(), "partner.example\n");
    try (Gateway _ = house.start()) {
      house.refresh();
      assertEquals(0, house.ask(new ControlRequest.FeedsDisable("senders", null)).exitCode());
      JsonObject now = house.explain("partner.example").only();
      assertEquals("accept", now.text("verdict").orElse(""));
      assertTrue(now.elements("notes").toString().contains("feeds enable senders"), now::toString);
      long generation = now.number("generation").orElseThrow();
      Instant at = Instant.now();
      LocalDate today = LocalDate.ofInstant(at, ZoneOffset.UTC);
      SessionDays days = new SessionDays(directory.resolve("state"));
      days.create();
      try (DayWriter writer = DayWriter.open(days.day(today, 1).file(), today)) {
        writer.add(
            kept(at, "7K3Q9ZT2AB", Outcome.DELIVERED, "accept", "250 2.0.0 Ok", "", generation),
            null);
        writer.commit();
      }
      for (String why : List.of("it is off or not in the settings now", "it was switched off")) {
        JsonObject answer = explained(house, "7K3Q9ZT2AB");
        assertTrue(answer.elements("notes").toString().contains(why), answer.toString());
        String filter = answer.object("bloom").orElseThrow().text("filter").orElseThrow();
        assertFalse(filter.equals("ip"), "the address is not what was listed");
        assertEquals(List.of(), answer.elements("listings"));
        house.ask(new ControlRequest.FeedsEnable("senders"));
      }
    }
  }

  private static JsonObject explained(GatewayHouse house, String id) throws Exception {
    return house.ask(new ControlRequest.Explain(id, null, null, null, null, null, null)).only();
  }

  private static ListAdd block() {
    return Addition.block(CLIENT).request();
  }

  private static Evidence kept(
      Instant at, String id, Outcome outcome, String verdict, String reply) {
    return kept(at, id, outcome, verdict, reply, "", verdict.isEmpty() ? 0 : 1);
  }

  private static Evidence kept(
      Instant at,
      String id,
      Outcome outcome,
      String verdict,
      String reply,
      String profile,
      long generation) {
    return new Evidence(
        at,
        IpAddress.parse(CLIENT).toOptional().orElseThrow(),
        "mail.partner.example",
        "ann@partner.example",
        List.of("company.example"),
        1,
        "ESMTP",
        "mx",
        new Evidence.Decision(
            id,
            Stage.RCPT,
            Mode.ENFORCE,
            outcome,
            "alice@company.example",
            verdict,
            generation,
            List.of(),
            reply),
        4_096,
        Duration.ZERO,
        1,
        new RareFacts(
            "",
            ClientName.State.UNKNOWN,
            false,
            false,
            false,
            Set.of(),
            null,
            Map.of(),
            "",
            "",
            profile));
  }
}

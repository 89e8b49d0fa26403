package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.KeptSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal explains itself and names its cure (promise P6), however little was kept of it. */
final class IncidentExplainTest {

  private static final String ALICE = "alice@company.example";
  private static final String DOMAIN = "*@company.example";

  @TempDir private Path directory;

  /** Has this sender refused and asks about it by the id of the reply. */
  private Answer explained(GatewayHouse house, Gateway gateway, String sender) throws Exception {
    house.refresh();
    String reply = house.rcpt(gateway, sender);
    assertTrue(reply.startsWith("554 5.7.1 "), reply);
    return house.incident(reply);
  }

  private GatewayHouse house(String privacy) throws Exception {
    return new GatewayHouse(directory).log(", privacy: " + privacy).write();
  }

  private static JsonObject listing(Answer answer) {
    return (JsonObject) answer.only().elements("listings").getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {"full", "no_localpart", "no_addresses"})
  void aListedDomainIsUndoneWithOrWithoutItsSender(String privacy) throws Exception {
    GatewayHouse house = house(privacy);
    try (Gateway gateway = house.start()) {
      Answer answer = explained(house, gateway, "news@list.junk.example");
      JsonObject incident = answer.only();
      String who = privacy.equals("full") ? "news@list.junk.example" : "list.junk.example";
      assertEquals(
          "bloomgate allow add "
              + who
              + " --scope sender_domain --from 127.0.0.1 --expires 7d --reason \"...\"",
          incident.text("undo").orElse(""));
      assertTrue(listing(answer).text("since").isPresent(), answer.toString());
      JsonObject now = (JsonObject) incident.get("now").orElseThrow();
      assertEquals("reject", now.text("verdict").orElse(""));
      assertEquals(List.of(), answer.notes());
      assertLacks(incident.toString(), "relay access denied");
      JsonObject happened = incident.object("happened").orElseThrow();
      String to = happened.text("to").orElse("");
      assertEquals(
          privacy.equals("full") ? ALICE : privacy.equals("no_addresses") ? "*" : DOMAIN, to);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no_localpart", "no_addresses"})
  void aListedSenderThatWasNotKeptIsUndoneByItsIncident(String privacy) throws Exception {
    GatewayHouse house = house(privacy);
    try (Gateway gateway = house.start()) {
      Answer answer = explained(house, gateway, "spammer@freemail.example");
      String undo = answer.only().text("undo").orElse("");
      String id = answer.only().text("incident").orElse("");
      assertEquals("bloomgate allow add --incident " + id + " --expires 7d --reason \"...\"", undo);
      assertSays(answer, "was not kept");
      assertTrue(answer.only().text("now_verdict").isEmpty(), answer.toString());

      house.done(Addition.allow().incident(id).reason("a test").force(true).request());
      String reply = house.rcpt(gateway, "spammer@freemail.example");
      assertTrue(reply.startsWith("451 4.4.1"), reply);
    }
  }

  private static final String CLIENT = "198.51.100.7";

  /**
   * A block of today did not refuse the mail of then, so to remove it does not let that mail in.
   */
  @Test
  void mailThatNoListRefusedHasNoUndo() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    Instant now = Instant.now();
    String profile = "off (company.example)";
    KeptSession.write(
        new SessionDays(Files.createDirectories(directory.resolve("state"))),
        List.of(
            kept(now, "7K3Q9ZT2AB", Outcome.UPSTREAM_REFUSED, "accept", "550 5.1.1 no such user"),
            kept(now, "7K3Q9ZT2AC", Outcome.PROTOCOL, "", "454 4.7.1 Relay access denied"),
            mail(now, "7K3Q9ZT2AD", "accept", 1)
                .more(KeptSession.rare(Map.of(), profile))
                .evidence()));
    try (Gateway _ = house.start()) {
      house.done(block());
      for (String id : List.of("7K3Q9ZT2AB", "7K3Q9ZT2AC")) {
        JsonObject answer = explained(house, id);
        assertEquals("reject", answer.object("now").orElseThrow().text("verdict").orElse(""));
        assertTrue(answer.text("undo").isEmpty(), answer.toString());
        assertEquals(List.of(), answer.elements("undo_wider"));
        assertLacks(answer.elements("notes").toString(), "undo");
      }
      // What lists would refuse now, of a sender whose mail came in, can be lifted.
      JsonObject delivered = explained(house, "7K3Q9ZT2AD");
      assertTrue(delivered.text("undo").isPresent());
      assertHas(
          delivered.elements("notes").toString(),
          "the profile of the recipient is off (company.example)");
      assertEquals(
          "off (company.example)",
          delivered.object("happened").orElseThrow().text("profile").orElse(""));
    }
  }

  private static JsonObject explained(GatewayHouse house, String id) throws Exception {
    return house.ask(new ControlRequest.Explain(id, null, null, null, null, null, null)).only();
  }

  private static ListAdd block() {
    return Addition.block(CLIENT).request();
  }

  private static Evidence kept(Instant at, String id, Outcome how, String verdict, String reply) {
    return mail(at, id, verdict, verdict.isEmpty() ? 0 : 1).answer(how, reply).evidence();
  }

  private static KeptSession mail(Instant at, String id, String verdict, long generation) {
    return new KeptSession()
        .at(at)
        .id(id)
        .client(CLIENT)
        .from("ann@partner.example")
        .stage(Stage.RCPT)
        .verdict(verdict)
        .generation(generation);
  }
}

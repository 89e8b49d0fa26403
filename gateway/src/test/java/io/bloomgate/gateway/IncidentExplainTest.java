package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.bloomgate.gateway.testkit.SmtpClient;
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

  /** What lifts a refusal ends after a week; an entry that was there keeps its end, or none. */
  @Test
  void anIncidentDoesNotShortenTheEntryThatIsThere() throws Exception {
    GatewayHouse house = house("full");
    try (Gateway gateway = house.start()) {
      JsonObject refused = explained(house, gateway, "spammer@freemail.example").only();
      Addition incident = Addition.allow().incident(refused.text("incident").orElseThrow());
      assertTrue(house.done(incident.request()).only().text("expires").isPresent());
      house.done(incident.forEver(true).request());
      assertTrue(house.done(incident.forEver(false).request()).only().text("expires").isEmpty());
    }
  }

  /** The question is about the refused mail; `now_verdict` is the effect of the entry. */
  @Test
  void anAllowEntryLeavesTheVerdictOfThenAndIsShown() throws Exception {
    GatewayHouse house = house("full");
    try (Gateway gateway = house.start()) {
      Answer before = explained(house, gateway, "news@list.junk.example");
      assertEquals("reject", before.only().text("now_verdict").orElse(""));
      String id = before.only().text("incident").orElse("");
      house.ask(Addition.allow().incident(id).reason("a test").force(true).request());
      Answer after = house.explain(id);
      assertEquals(1, after.exitCode(), after.toString());
      assertEquals("reject", after.only().text("verdict").orElse(""));
      assertEquals("accept", after.only().text("now_verdict").orElse(""));
      JsonObject allow = after.only().object("now").orElseThrow().object("allow").orElseThrow();
      assertEquals("a test", allow.text("reason").orElse(""));
    }
  }

  /** The domain is missing in the settings: no list has to do with it. */
  @Test
  void aRefusedRelayNamesTheDomainThatTheSettingsLack() throws Exception {
    GatewayHouse house = house("full");
    try (Gateway gateway = house.start()) {
      house.refresh();
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        String reply = client.rcpt("mail.home.example", "a@b.example", "bob@other.example");
        assertHas(reply, "Relay access denied");
      }
      var kept =
          new ControlRequest.SessionsList(
              Instant.EPOCH, null, null, "bob@other.example", null, null, 1);
      Answer session = house.ask(kept);
      for (int tries = 1; session.items().isEmpty() && tries < 500; tries++) {
        session = house.ask(kept);
      }
      String id = session.only().text("id").orElse("");
      Answer answer = house.explain(id);
      assertHas(answer.only().elements("notes").toString(), "`domains` in the settings did not");
    }
  }

  @Test
  void aRefusalByARuleOverFeedsIsExplained() throws Exception {
    Files.writeString(directory.resolve("weak.txt"), "weak.example\n");
    String feed = "{file: \"" + directory + "/weak.txt\", format: lines, checks: [sender_domain]}";
    GatewayHouse house =
        new GatewayHouse(directory)
            .source("one: " + feed + "\n    two: " + feed)
            .more("rules: {both: {all: [one, two], action: reject}}")
            .write();
    try (Gateway gateway = house.start()) {
      Answer answer = explained(house, gateway, "a@weak.example");
      JsonObject listing = listing(answer);
      assertEquals("both", listing.text("feed").orElse(""));
      assertEquals("one,two", listing.text("entry").orElse(""));
      JsonObject rule = listing.object("rule").orElseThrow();
      assertEquals(2, rule.number("needed").orElse(0));
      assertEquals(2, rule.elements("counted").size());
      assertTrue(answer.only().object("bloom").orElseThrow().isTrue("confirmed"));
      assertTrue(answer.only().text("undo").isPresent(), answer.toString());
    }
  }

  @Test
  void theUndoOfAnIncidentNamesAllListsThatItLifts() throws Exception {
    Files.writeString(directory.resolve("bad.txt"), "weak.example\n");
    String feed =
        "{file: \""
            + directory
            + "/bad.txt\", format: lines, checks: [sender_domain], action: reject}";
    GatewayHouse house =
        new GatewayHouse(directory).source("one: " + feed + "\n    two: " + feed).write();
    try (Gateway gateway = house.start()) {
      JsonObject incident = explained(house, gateway, "a@weak.example").only();
      assertHas(incident.elements("notes").toString(), "the undo lifts 2 listings: one lists");
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

  /** A list that had the sender was switched off; then it counts again. */
  @Test
  void acceptedMailIsNotCalledUnlistedWhereAListWasSwitchedOff() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    Files.writeString(house.feed(), "partner.example\n");
    try (Gateway _ = house.start()) {
      house.refresh();
      house.done(new ControlRequest.FeedsDisable("senders", null));
      JsonObject now = house.explain("partner.example").only();
      assertEquals("accept", now.text("verdict").orElse(""));
      assertHas(now.elements("notes").toString(), "feeds enable senders");
      long generation = now.number("generation").orElseThrow();
      KeptSession.write(
          new SessionDays(directory.resolve("state")),
          List.of(mail(Instant.now(), "7K3Q9ZT2AB", "accept", generation).evidence()));
      for (String why : List.of("it is off or not in the settings now", "it was switched off")) {
        JsonObject answer = explained(house, "7K3Q9ZT2AB");
        assertHas(answer.elements("notes").toString(), why);
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

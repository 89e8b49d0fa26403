package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal explains itself and names its cure (promise P6), however little was kept of it. */
final class IncidentExplainTest {

  private static final String ALICE = "alice@company.example";

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
      assertTrue(answer.says("was not kept"), answer.toString());
      assertTrue(answer.only().text("now_verdict").isEmpty(), answer.toString());
      Answer added =
          house.ask(Addition.allow().incident(id).reason("a test").force(true).request());
      assertEquals(0, added.exitCode(), added.toString());
      String reply = house.rcpt(gateway, "spammer@freemail.example");
      assertTrue(reply.startsWith("451 4.4.1"), reply);
    }
  }

  /** What lifts a refusal ends after a week; an entry that was there keeps its end, or none. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIncidentDoesNotShortenTheEntryThatIsThere(boolean there) throws Exception {
    GatewayHouse house = house("full");
    try (Gateway gateway = house.start()) {
      String id =
          explained(house, gateway, "spammer@freemail.example")
              .only()
              .text("incident")
              .orElseThrow();
      Addition incident = Addition.allow().incident(id);
      if (there) {
        assertEquals(0, house.ask(incident.forEver(true).request()).exitCode());
      }
      JsonObject entry = house.ask(incident.forEver(false).request()).only();
      assertEquals(there, entry.text("expires").isEmpty(), entry.toString());
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

  @ParameterizedTest
  @CsvSource({"full,0", "no_addresses,1"})
  void theMaskedRecipientIsNotTakenForAStranger(String privacy, int masked) throws Exception {
    GatewayHouse house = house(privacy);
    try (Gateway gateway = house.start()) {
      Answer answer = explained(house, gateway, "news@list.junk.example");
      assertFalse(answer.only().toString().contains("relay access denied"), answer.toString());
      JsonObject happened = (JsonObject) answer.only().get("happened").orElseThrow();
      assertEquals(masked == 1 ? "*" : ALICE, happened.text("to").orElse(""));
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
        assertTrue(reply.contains("Relay access denied"), reply);
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
      assertTrue(
          answer.only().elements("notes").toString().contains("`domains` in the settings did not"),
          answer.toString());
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
      assertTrue(
          incident.elements("notes").toString().contains("the undo lifts 2 listings: one lists"),
          incident.toString());
    }
  }
}

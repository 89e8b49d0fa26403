package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commands say later of a mail whose content was listed: what was decided then, and by which
 * lists, is kept with the session, although the content is not.
 */
class KeptContentStoryTest {

  private static final String URL = "http://sites.example/view/login";

  @TempDir private Path folder;
  private int clients;

  private GatewayFixture gateway(ScriptedUpstream upstream, String mode) throws IOException {
    GatewayFixture gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("mode", mode)
            .with("policy", "{exempt_mail: together}")
            .with(
                "feeds",
                "{sources: {urls: {file: "
                    + folder
                    + "/urls.txt, format: urls, checks: [url], action: reject}}}");
    gateway.prepare();
    gateway.write("urls.txt", URL);
    return gateway.start();
  }

  private String send(GatewayFixture gateway, String... recipients) throws IOException {
    return gateway.send(
        "45.66." + clients++ + ".9",
        "a@partner.example",
        "From: a@partner.example\r\nSubject: hi\r\n\r\nsee " + URL + " now\r\n",
        Stream.of(recipients).map(name -> name + "@example.com").toArray(String[]::new));
  }

  private List<JsonObject> json(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-o", "json", "-c", folder.resolve("bloomgate.yaml").toString()));
    CommandLineInProcess.Result done = CommandLineInProcess.run(all.toArray(String[]::new));
    List<JsonObject> items = new ArrayList<>();
    for (String line : done.out().lines().toList()) {
      try {
        if (Json.parse(line) instanceof JsonObject item) {
          items.add(item);
        }
      } catch (JsonSyntaxException e) {
        throw new AssertionError(line, e);
      }
    }
    return items;
  }

  private JsonObject only(String... words) throws IOException {
    List<JsonObject> items = json(words);
    assertEquals(1, items.size(), List.of(words)::toString);
    return items.getFirst();
  }

  /** The kept session with this outcome; it is written beside the reply path. */
  private JsonObject kept(String outcome) throws IOException {
    List<JsonObject> found = new ArrayList<>();
    Conditions.await(
        "a session that is " + outcome,
        () -> {
          for (JsonObject session : json("sessions", "list")) {
            if (session.text("outcome").orElse("").equals(outcome)) {
              found.add(session);
            }
          }
          return !found.isEmpty();
        });
    return found.getFirst();
  }

  private static JsonObject first(JsonObject object, String member) {
    return (JsonObject) object.elements(member).iterator().next();
  }

  @Test
  void anAllowedMailShowsListingAndEntry() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "enforce")) {
      SmtpClient.expect("554 5.7.1", send(gateway, "bob"));
      String refused = kept("refused").text("id").orElseThrow();
      String entry =
          only("allow", "add", "--incident", refused, "--expires", "7d").text("id").orElseThrow();
      clients--; // the entry is for the client that sent it
      SmtpClient.expect("250", send(gateway, "bob"));
      String id = kept("delivered").text("id").orElseThrow();
      String why = "allowed by entry " + entry + " (sites.example/view/login)";
      JsonObject explained = only("explain", id);
      JsonObject listing = first(explained, "listings");
      assertEquals("urls", listing.text("feed").orElseThrow());
      assertEquals(why, listing.text("pardon").orElseThrow());
      assertEquals("accept", explained.text("now_verdict").orElseThrow());
      JsonObject shown = only("sessions", "show", id);
      assertEquals(why, first(shown, "other_listings").text("pardon").orElseThrow());
      JsonObject score = only("feeds", "score", "urls");
      assertEquals(1, score.number("later_allowed").orElseThrow(), score::toString);
      assertTrue(score.isTrue("step_back"), score::toString);
    }
  }

  @Test
  void mailToAnExemptRecipientIsTaggedAgain() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "enforce")) {
      SmtpClient.expect("250", send(gateway, "postmaster"));
      JsonObject explained = only("explain", kept("delivered").text("id").orElseThrow());
      assertEquals("tag", explained.text("verdict").orElseThrow());
      assertEquals("tag", explained.text("now_verdict").orElseThrow(), explained::toString);
      assertEquals(
          "exempt_recipient",
          first(explained, "listings").text("weakness").orElseThrow(),
          explained::toString);
    }
  }

  /** Whether one of several recipients was exempt is not kept: a refusal of now may be none. */
  @Test
  void oneOfSeveralRecipientsMayHaveBeenExempt() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "enforce")) {
      SmtpClient.expect("250", send(gateway, "bob", "postmaster"));
      JsonObject explained = only("explain", kept("delivered").text("id").orElseThrow());
      assertEquals("tag", explained.text("verdict").orElseThrow());
      assertTrue(explained.text("now_verdict").isEmpty(), explained::toString);
    }
  }

  @Test
  void modeEnforceWouldRefuseWhatContentRefusedInModeObserve() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "observe")) {
      SmtpClient.expect("250", send(gateway, "bob"));
      SmtpClient.expect("250", send(gateway, "postmaster"));
      Conditions.await("both sessions", () -> json("sessions", "list").size() == 2);
      JsonObject impact = only("impact", "--mode", "enforce");
      assertEquals(
          1, impact.object("new").orElseThrow().number("sessions").orElseThrow(), impact::toString);
      assertEquals("{}", Json.write(impact.object("not_known").orElseThrow()), impact::toString);
    }
  }
}

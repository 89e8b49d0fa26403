package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code explain} of an incident prints lifts a refusal by the content of the mail, and so
 * does {@code allow add --incident}: for the client that sent it first, for everybody below that,
 * and for nothing else.
 */
class ContentUndoStoryTest {

  private static final String URL = "http://sites.example/view/login";
  private static final String OTHER_URL = "http://sites.example/view/other";
  private static final String LONG_URL = "http://long.example/" + "a".repeat(600);

  @TempDir private Path folder;
  private int clients;

  private GatewayFixture gateway(ScriptedUpstream upstream) throws IOException {
    return gateway(upstream, "reject");
  }

  private GatewayFixture gateway(ScriptedUpstream upstream, String action) throws IOException {
    GatewayFixture gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("limits", "{mime: {address_fields: 5}}")
            .with(
                "feeds",
                """

                  guard: {max_turnover: none, max_shrink: 100%}
                  sources:
                    urls: {file: FOLDER/urls.txt, format: urls, checks: [url], action: ACTION}\
                """
                    .replace("FOLDER", folder.toString())
                    .replace("ACTION", action));
    gateway.prepare();
    gateway.write("urls.txt", URL, OTHER_URL, LONG_URL);
    return gateway.start();
  }

  /** The reply to a mail from a client of another network each time. */
  private String send(GatewayFixture gateway, String from, String url) throws IOException {
    return send(gateway, "45.66." + clients++ + ".9", from, url);
  }

  private static String send(GatewayFixture gateway, String address, String from, String url)
      throws IOException {
    String content = "From: " + from + "\r\nSubject: hi\r\n\r\nsee " + url + " now\r\n";
    return gateway.send(address, "a@partner.example", content);
  }

  private static String id(String refusal) {
    assertTrue(refusal.startsWith("554 5.7.1"), refusal);
    return refusal.substring(refusal.lastIndexOf('[') + 1, refusal.length() - 1);
  }

  private static CommandLineInProcess.Result cli(GatewayFixture gateway, List<String> words) {
    CommandLineInProcess.Result done = gateway.cli(words.toArray(String[]::new));
    assertEquals(0, done.exitCode(), words + ": " + done.err());
    return done;
  }

  /** What a command that is refused as wrong says. */
  private static String refused(GatewayFixture gateway, String... words) {
    CommandLineInProcess.Result done = gateway.cli(words);
    assertEquals(2, done.exitCode(), List.of(words) + ": " + done.err());
    return done.err();
  }

  /** As a shell splits a printed command, without the program. */
  private static List<String> words(String command) throws IOException {
    Process shell =
        new ProcessBuilder("sh", "-c", "set -- " + command + "; printf '%s\\n' \"$@\"").start();
    String text = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> words = Arrays.asList(text.split("\n"));
    return words.subList(1, words.size());
  }

  @Test
  void theUrlIsAllowedForTheClientFirstAndNoOtherUrl() throws IOException {
    String from = "a@partner.example";
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      String id = id(send(gateway, "45.67.1.9", from, URL));
      String undo = gateway.incident("[" + id + "]").text("undo").orElseThrow();
      String page = "bloomgate allow add --url sites.example/view/login";
      assertTrue(undo.startsWith(page + " --from 45.67.1.9 --expires 7d"), undo);
      cli(gateway, List.of("allow", "add", "--incident", id, "--expires", "7d"));
      SmtpClient.expect("250", send(gateway, "45.67.1.9", from, URL));
      id(send(gateway, "45.67.2.9", from, URL));
      cli(gateway, words(page + " --expires 7d"));
      SmtpClient.expect("250", send(gateway, "45.67.2.9", from, URL));
      String other = id(send(gateway, "45.67.1.9", from, OTHER_URL));
      cli(gateway, words(gateway.incident("[" + other + "]").text("undo").orElseThrow()));
      SmtpClient.expect("250", send(gateway, "45.67.1.9", from, OTHER_URL));
    }
  }

  @Test
  void anOwnBlockIsRemovedAsPrinted() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      cli(gateway, List.of("block", "add", "--url", "http://evil.example/a?x=1"));
      cli(gateway, List.of("block", "add", "--from-header", "ceo@fake.example"));
      String byUrl = id(send(gateway, "a@partner.example", "http://evil.example/a?x=1"));
      String byFrom = id(send(gateway, "ceo@fake.example", "nothing"));
      String undo = gateway.incident("[" + byUrl + "]").text("undo").orElseThrow();
      assertEquals("bloomgate block remove --url 'evil.example/a?x=1'", undo);
      cli(gateway, words(undo));
      undo = gateway.incident("[" + byFrom + "]").text("undo").orElseThrow();
      assertEquals("bloomgate block remove --from-header ceo@fake.example", undo);
      cli(gateway, words(undo));
      SmtpClient.expect("250", send(gateway, "a@partner.example", "http://evil.example/a?x=1"));
      SmtpClient.expect("250", send(gateway, "ceo@fake.example", "nothing"));
    }
  }

  @Test
  void noEntryIsAddedForAnIncidentOfALimit() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      String reply = send(gateway, "a@x.example, ".repeat(9) + "b@x.example", "nothing");
      assertTrue(reply.startsWith("554 5.6.0"), reply);
      String id = reply.replaceFirst(".*\\[(.*)].*", "$1");
      gateway.incident("[" + id + "]");
      String refused = refused(gateway, "allow", "add", "--incident", id);
      assertTrue(refused.contains("no list refused session " + id), refused);
      assertTrue(refused.contains("beyond a limit of this server: address_fields 5"), refused);
      assertFalse(cli(gateway, List.of("allow", "export")).out().contains("45.66."));
    }
  }

  @Test
  void noEntryIsAddedForMailThatNoListLists() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      String id = taken(gateway, upstream, "nothing");
      String refused = refused(gateway, "allow", "add", "--incident", id);
      assertTrue(refused.contains("no list refused session " + id), refused);
      assertFalse(cli(gateway, List.of("allow", "export")).out().contains("45.66."));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "tag"})
  void mailThatAListOnlyNotesCanBeAllowed(String action) throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, action)) {
      String id = taken(gateway, upstream, URL);
      cli(gateway, List.of("allow", "add", "--incident", id, "--expires", "7d"));
      assertFalse(cli(gateway, List.of("allow", "export")).out().isBlank());
    }
  }

  /** The id of a mail that the mail server got. */
  private String taken(GatewayFixture gateway, ScriptedUpstream upstream, String url)
      throws IOException {
    SmtpClient.expect("250", send(gateway, "a@partner.example", url));
    Matcher received =
        Pattern.compile("(?s).*^Received: .*? id ([0-9A-Z]{10}).*", Pattern.MULTILINE)
            .matcher(upstream.nextDelivery().content());
    assertTrue(received.matches());
    gateway.incident("[" + received.group(1) + "]");
    return received.group(1);
  }

  /** A long URL is kept in part, and that is enough to find the own block of it. */
  @Test
  void anOwnBlockOfWhichTheRowHasAPartOnlyIsRemovedByItsId() throws IOException {
    String url = "http://evil.example/" + "a".repeat(600);
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      cli(gateway, List.of("block", "add", "--url", "http://other.example/"));
      cli(gateway, List.of("block", "add", "--url", url));
      String id = id(send(gateway, "a@partner.example", url));
      String undo = gateway.incident("[" + id + "]").text("undo").orElseThrow();
      assertTrue(undo.matches("bloomgate block remove b\\d+"), undo);
      // To allow the client would lift nothing.
      String refused = refused(gateway, "allow", "add", "--incident", id);
      assertTrue(refused.contains("a block entry refused session " + id), refused);
      assertTrue(refused.contains("`" + undo + " -c "), refused);
      assertFalse(cli(gateway, List.of("allow", "export")).out().contains("45.66."));
      cli(gateway, words(undo));
      SmtpClient.expect("250", send(gateway, "a@partner.example", url));
    }
  }

  /** A URL that was kept in part is no other URL: the verdict of today is not known. */
  @Test
  void aUrlThatWasCutIsNotAskedAgain() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      String id = id(send(gateway, "a@partner.example", LONG_URL));
      JsonObject incident = gateway.incident("[" + id + "]");
      assertFalse(incident.text("now_verdict").isPresent(), incident.toString());
      assertFalse(incident.text("undo").orElse("").contains("--url"), incident.toString());
    }
  }
}

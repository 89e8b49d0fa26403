package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same mail from many networks, through a whole gateway, until the operator blocks it. */
class CampaignStoryTest {

  private static final long SEED = 20_261_124;

  /** Two minima of a band are equal in about 6 of 10 such copies, and 50 have to agree. */
  private static final int COPIES = 120;

  private static final int WORDS = 150;

  /** Of the feed {@code watch}, which only observes. */
  private static final String WATCHED = "198.51.100.9";

  private static final String FEW = "{bulk: {networks: 3, copies: 4, window: 7d}}";

  @TempDir private Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<String> vocabulary = new ArrayList<>();
  private ScriptedUpstream upstream;
  private GatewayFixture gateway;
  private String relayed = "";

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      StringBuilder word = new StringBuilder();
      for (int k = random.nextInt(3, 9); k > 0; k--) {
        word.append((char) random.nextInt('a', 'z' + 1));
      }
      vocabulary.add(word.toString());
    }
    upstream = ScriptedUpstream.start();
    gateway = GatewayFixture.in(folder, upstream.port());
    gateway.feeds(
        """
        watch: {file: FOLDER/grey.txt, format: ips, checks: [client_ip], allow_bogons: true}
        """);
    gateway.with("log", "{target: \"file:" + folder.resolve("mail.log") + "\", format: kv}");
  }

  @AfterEach
  void stop() {
    gateway.close();
    upstream.close();
  }

  private List<String> text() {
    List<String> text = new ArrayList<>();
    for (int i = 0; i < WORDS; i++) {
      text.add(word());
    }
    return text;
  }

  private String word() {
    return vocabulary.get(random.nextInt(vocabulary.size()));
  }

  /** With 5 % of the words replaced. */
  private List<String> changed(List<String> text) {
    return text.stream().map(word -> random.nextInt(20) == 0 ? word() : word).toList();
  }

  /** The reply to the final dot. */
  private String send(String client, List<String> text, String... recipients) throws IOException {
    StringBuilder mail = new StringBuilder("Subject: offer\r\nX-Bloomgate: bulk=1/1\r\n\r\n");
    for (int i = 0; i < text.size(); i++) {
      mail.append(text.get(i)).append(i % 10 == 9 ? "\r\n" : " ");
    }
    String reply = gateway.send(client, "a@b.example.org", mail + "\r\n", recipients);
    if (reply.startsWith("250")) {
      relayed = upstream.nextDelivery().content();
    }
    return reply;
  }

  private String send(String client, List<String> text) throws IOException {
    return send(client, text, "bob@example.com");
  }

  private void sendCopies(List<String> text) throws IOException {
    for (int i = 0; i < COPIES; i++) {
      String reply = send("192.0." + (i % 30 + 10) + ".7", changed(text));
      assertTrue(reply.startsWith("250"), "seed " + SEED + ": " + reply);
    }
  }

  private void sendFive(List<String> text) throws IOException {
    for (int i = 0; i < 5; i++) {
      assertTrue(send("192.0." + (i + 10) + ".7", text).startsWith("250"), "copy " + i);
    }
  }

  /**
   * Two copies with 5 % of the words changed have 18.6 of 32 minima in common on the average, and
   * one in four pairs is not alike. The gateway's seeds choose the pair, so that several are sent.
   */
  private String sendUntilRefused(List<String> text) throws IOException {
    String reply = "";
    for (int i = 0; i < 30 && !reply.startsWith("554 5.7.1"); i++) {
      reply = send("192.0.2.200", changed(text));
    }
    assertTrue(reply.startsWith("554 5.7.1"), "seed " + SEED + ": " + reply);
    return reply;
  }

  private List<JsonObject> campaigns() {
    return gateway.control(new ControlRequest.CampaignsTop(20)).items();
  }

  @Test
  void aCampaignIsShownAndBlockedByItsLikeness() throws IOException {
    gateway.with("content", "{bulk: {networks: 5, window: 1h, mails: 1000}}").start();
    List<String> text = text();
    sendCopies(text);

    String mail = relayed;
    assertTrue(
        mail.matches("(?s).*\r\nX-Bloomgate: bulk=\\d+/\\d+; campaign=[0-9a-f]{8}\r\n.*"), mail);
    assertFalse(mail.contains("bulk=1/1"), "a field of the client is removed");
    List<JsonObject> campaigns = campaigns();
    assertEquals(1, campaigns.size(), campaigns::toString);
    JsonObject campaign = campaigns.getFirst();
    assertTrue(campaign.number("copies").orElse(0) >= 50, campaign::toString);
    assertTrue(campaign.number("networks").orElse(0) >= 5, campaign::toString);
    String id = campaign.text("campaign").orElseThrow();
    assertTrue(mail.contains("campaign=" + id), mail);
    Conditions.await(
        "the log",
        () ->
            Files.readString(gateway.logFile())
                .matches("(?s).* bulk=\\d+/\\d+ campaign=" + id + "\\b.*"));

    String session = campaign.text("session").orElseThrow();
    Conditions.await("the session", () -> blocked(session));
    String refused = sendUntilRefused(text);
    String incident = refused.substring(refused.length() - 11, refused.length() - 1);
    Conditions.await("the incident", () -> explained(incident).matches("(?s).*\\d+ of 32.*"));
    String bulk = "\"bulk\":{\"campaign\":\"" + id + "\",\"copies\":";
    assertTrue(explained(incident).contains(bulk), explained(incident));
    assertTrue(explained(session).contains(bulk), explained(session));
    assertTrue(send("192.0.2.201", text()).startsWith("250"), "another mail passes");
    assertTrue(blocked(incident), "the refused mail's likeness is kept, too");
  }

  /** The refused mail has no id but that of its refusal: the campaign names that one. */
  @Test
  void aCampaignThatIsRefusedNamesAnIdThatIsFound() throws IOException {
    gateway.with("content", FEW).start();
    List<String> text = text();
    assertTrue(send("192.0.2.9", text).startsWith("250"));
    Matcher own = Pattern.compile("\\bid ([0-9A-HJKMNP-TV-Z]{10})\\b").matcher(relayed);
    assertTrue(own.find(), relayed);
    Conditions.await("the session", () -> blocked(own.group(1)));
    for (int i = 0; i < 5; i++) {
      assertTrue(send("192.0." + (i + 10) + ".7", text).startsWith("554 5.7.1"), "copy " + i);
    }
    String session = campaigns().getFirst().text("session").orElseThrow();
    Conditions.await(
        "the refusal " + session, () -> explained(session).contains("\"verdict\":\"reject\""));
  }

  private boolean blocked(String session) throws IOException {
    return gateway
            .ask(
                Addition.block()
                    .expires(Instant.now().plus(Duration.ofDays(7)))
                    .reason("campaign")
                    .like(session)
                    .request())
            .exitCode()
        == 0;
  }

  private String explained(String id) throws IOException {
    return gateway.ask(new ControlRequest.Explain(id, null, null, null, null)).json();
  }

  /** The line of the handbook: few copies from few networks count beside a listing. */
  @Test
  void aSmallSiteCountsFewCopiesUntilARestart() throws IOException {
    gateway
        .with("content", FEW)
        .with("signs", "{bulk: {action: observe}}")
        .with("rules", "{both: {any: 2, of: [watch, bulk], action: reject}}")
        .with("policy", "{exempt_mail: together}")
        .start();
    List<String> text = text();
    threeCopiesPassAndTheFourthIsRefused(text);
    String tagged = send(WATCHED, text, "bob@example.com", "postmaster@example.com");
    assertTrue(tagged.startsWith("250"), tagged);
    assertTrue(relayed.contains("X-Spam-Flag: YES"), relayed);
    assertEquals(1, campaigns().size());
    gateway.close();
    gateway.start();
    threeCopiesPassAndTheFourthIsRefused(text);
  }

  private void threeCopiesPassAndTheFourthIsRefused(List<String> text) throws IOException {
    for (String client : List.of("192.0.10.7", "192.0.11.7", WATCHED)) {
      assertTrue(send(client, text).startsWith("250"), client);
      assertFalse(relayed.contains("bulk="), relayed);
    }
    String fourth = send(WATCHED, text);
    assertTrue(fourth.startsWith("554 5.7.1"), fourth);
    assertTrue(fourth.contains("comes in many copies from many networks"), fourth);
    assertTrue(send("192.0.12.7", text).startsWith("250"), "bulk alone passes");
    assertTrue(relayed.contains("X-Bloomgate: bulk=5/4; campaign="), relayed);
  }

  @Test
  void aReloadBeginsAndEndsToCount() throws IOException {
    gateway.start();
    Answer unset = gateway.ask(new ControlRequest.CampaignsTop(20));
    assertEquals(1, unset.exitCode());
    assertTrue(unset.failure().contains("copies of mails are not counted"), unset.failure());
    List<String> text = text();
    sendFive(text);
    assertFalse(relayed.contains("bulk="), relayed);

    gateway.with("content", FEW).writeSettings();
    gateway.gateway().reload();
    assertEquals(List.of(), campaigns());
    sendFive(text);
    assertEquals(1, campaigns().size());
    assertTrue(relayed.contains("bulk="), relayed);

    gateway.with("content", "{bulk: {networks: none}}").writeSettings();
    gateway.gateway().reload();
    assertTrue(send("192.0.2.200", text).startsWith("250"));
    assertFalse(relayed.contains("bulk="), relayed);
  }
}

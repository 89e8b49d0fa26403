package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session does with what lists say of the content of its mail. */
final class ContentVerdictsTest extends OneGateway {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      names: {file: names.txt, format: domains, checks: [url_host, from_domain], action: tag}
      """;

  private static final String HEAD =
      "From: Bank <a@bank.example>\r\nX-Spam-Flag: NO\r\nSubject: hi\r\n\r\n";
  private static final String LISTED = "see http://evil.example/a%2Fb/login?x=1 now\r\n";
  private static final String TAGGED = "see http://tagged.example/ now\r\n";

  /** More than is held of one message. */
  private static final String LARGE = "0123456789 0123456789 0123456789\r\n".repeat(12_000);

  ContentVerdictsTest() {
    gateway.withFeeds(FEEDS);
    gateway.lists.list("evil.example/a/b/login?x=1", "urls");
    gateway.lists.list("tagged.example", "names");
    gateway.lists.list("watched.example/", "watched");
  }

  private static String send(SmtpClient client, String content, String... recipients)
      throws IOException {
    client.upToMail("a@sender.example");
    for (String recipient : recipients) {
      expect("250", client.ask("RCPT TO:<" + recipient + ">"));
    }
    return client.message(content);
  }

  private String relayed() {
    return gateway.relayed();
  }

  @Test
  void copiesOfLargeMailThatIsRefusedEarlyAreCounted() throws Exception {
    Campaigns campaigns = new Campaigns(1_000, 5, Duration.ofHours(1), 1, Instant.EPOCH);
    gateway.countingCopies(campaigns);
    StringBuilder text = new StringBuilder();
    for (char c = 'a'; c < 'z'; c++) {
      text.append(c).append("ne ").append(c).append("wo\r\n");
    }
    for (int i = 0; i < campaigns.heavyFrom() + 1; i++) {
      expect("554 5.7.1", gateway.send(HEAD + LISTED + LARGE + text));
    }
    assertEquals(List.of(), gateway.upstream.taken);
    assertEquals(1, campaigns.heaviest(2).size());
  }

  @Test
  void aTagThatComesTooLateIsCounted() throws Exception {
    expect("250", gateway.send(HEAD + LARGE + TAGGED));
    assertTrue(relayed().endsWith("+0000\r\n" + HEAD + LARGE + TAGGED), "relayed as it came");
    assertEquals(1, gateway.telemetry.lateTags.get());
  }

  /** In whatever way the mail program of a known sender marks what it quotes, or does not. */
  @Test
  void aReplyOfAKnownSenderIsTaggedAtMost() throws Exception {
    String reply = "In-Reply-To: <1@example.com>\r\n" + HEAD + LISTED;
    expect("554 5.7.1", gateway.send(reply));
    gateway.lists.knowEverybody();
    expect("554 5.7.1", gateway.send(HEAD + LISTED));
    expect("250", gateway.send(reply));
    assertTrue(relayed().contains("X-Spam-Status: Yes, listed=urls"), relayed());
  }

  @Test
  void nobodyWaitsWhereContentRefusesNothing() throws Exception {
    gateway.withFeeds("names: {file: names.txt, format: domains, checks: [url_host], action: tag}");
    expect("250", gateway.send(HEAD + TAGGED, "bob@example.com", "postmaster@example.com"));
    gateway.withFeeds(FEEDS);
    gateway.mode.set(Mode.OBSERVE);
    expect("250", gateway.send(HEAD + LISTED, "bob@example.com", "postmaster@example.com"));
  }

  /** Nobody can use up the memory that is kept for content so that a listed link passes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListedUrlIsRefusedWhenLittleMemoryIsLeft(boolean first) throws Exception {
    try (TestGateway small = TestGateway.holding(20 * 1024).withFeeds(FEEDS);
        LogLines log = new LogLines(DecisionReporter.class);
        SmtpClient client = small.connect()) {
      small.lists.list("evil.example/a/b/login?x=1", "urls");
      StringBuilder junk = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        junk.append("http://h" + i + ".example/x\r\n");
      }
      String mail = HEAD + (first ? LISTED + junk : junk + LISTED);
      expect("554 5.7.1 Service unavailable; URL [", send(client, mail, "bob@example.com"));
      try (SmtpClient again = small.connect()) {
        expect("452 4.3.1", send(again, HEAD + "word ".repeat(40_000) + LISTED, "bob@example.com"));
      }
      assertTrue(small.telemetry.limits.contains(Limit.HELD_CONTENT), "the limit is counted");
      assertTrue(
          log.warnings().stream().anyMatch(line -> line.contains("memory for content is used up")),
          log.warnings()::toString);
      assertEquals(List.of(), small.upstream.taken);
    }
  }

  /** The sender is not asked to come again here, so the tag is what is left. */
  @Test
  void greylistingDoesNotHideATag() throws Exception {
    gateway.withFeeds(
        FEEDS
            + "senders: {file: s.txt, format: domains, checks: [sender_domain], action: observe}\n",
        "rules: {weak: {any: 2, of: [watched, senders], action: greylist}}");
    gateway.lists.list("sender.example", "senders");
    String watched = HEAD + "see http://watched.example/ now\r\n";
    expect("250", gateway.send(watched));
    assertFalse(relayed().contains("X-Spam-Status"), relayed());
    expect("250", gateway.send(watched + TAGGED));
    assertTrue(relayed().contains("X-Spam-Status: Yes, listed=names"), relayed());
  }

  @Test
  void aShapeBeyondTheLimitsIsRefused() throws Exception {
    StringBuilder deep = new StringBuilder("MIME-Version: 1.0\r\n");
    for (int i = 0; i < 150; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=b" + i + "\r\n\r\n--b" + i + "\r\n");
    }
    String refused = gateway.send(deep.toString());
    expect("554 5.6.0 ", refused);
    gateway.awaitQuiet();
    String id = gateway.telemetry.decisions.getLast().id();
    assertTrue(refused.endsWith(" depth 100 [" + id + "]"), refused + " recorded as " + id);
    assertEquals(List.of(), gateway.upstream.taken);
    assertEquals(List.of(Limit.MIME), List.copyOf(gateway.telemetry.limits));
    gateway.mode.set(Mode.OBSERVE);
    try (LogLines log = new LogLines(DecisionReporter.class)) {
      expect("250", gateway.send(deep.toString()));
      gateway.awaitQuiet();
      String line = log.warnings().getFirst();
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
      assertTrue(
          line.matches(
              "WARN message TESTID\\d+ from 127\\.0\\.0\\.1 is beyond limits\\.mime\\.depth"
                  + " \\(100\\) and passes in mode observe"),
          line);
    }
    assertEquals(
        List.of(Limit.MIME, Limit.CONTENT, Limit.MIME), List.copyOf(gateway.telemetry.limits));
  }
}

package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
  void aListedUrlIsRefusedBeforeTheDotOfTheMailServer() throws Exception {
    String reply = gateway.send(HEAD + LISTED);
    expect(
        "554 5.7.1 Service unavailable; URL [evil.example/a/b/login?x=1] blocked using urls [",
        reply);
    gateway.awaitQuiet();
    assertEquals(List.of(), gateway.upstream.taken);
    assertFalse(gateway.upstream.commands.contains("DATA"), "the mail server never gets DATA");
    DecisionRecord refused = gateway.telemetry.decisions.getLast();
    assertEquals(Stage.DATA, refused.stage());
    assertEquals("refused", refused.outcome().key());
    assertTrue(reply.contains("[" + refused.id() + "]"), reply);
  }

  @Test
  void heldMailIsTaggedByItsWholeContent() throws Exception {
    String mail = HEAD + "x".repeat(70) + "\r\n" + LARGE.substring(0, 200_000) + "\r\n" + TAGGED;
    expect("250", gateway.send(mail));
    assertTrue(
        relayed().contains("X-Spam-Flag: YES\r\nX-Spam-Status: Yes, listed=names"), relayed());
    assertTrue(
        relayed().contains("X-Bloomgate: verdict=tag; kind=url_host; subject=tagged.example;"),
        relayed().substring(0, 800));
    assertFalse(relayed().contains("X-Spam-Flag: NO"), "forged");
    assertTrue(relayed().endsWith(TAGGED), "the rest is as it came");
  }

  /** Some readers pass over a malformed line, and read fields below it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 200_000, 400_000})
  void aForgedMarkBelowAMalformedLineDoesNotSurviveATagByContent(int more) throws Exception {
    String above = "Subject: hi\r\nno field\r\n";
    String below = "\r\n" + TAGGED + LARGE.substring(0, more) + "\r\nX-Spam-Flag: NO\r\nlast";
    expect("250", gateway.send(above + "X-Spam-Flag: NO\r\n" + below + "\r\n"));
    assertTrue(relayed().contains("X-Spam-Flag: YES\r\n"), "tagged");
    assertTrue(relayed().endsWith(above + below + "\r\n"), "the forged one is gone");
  }

  @Test
  void aMarkOfOthersStaysBelowAMalformedLineWhereNothingIsTagged() throws Exception {
    String mail = "Subject: hi\r\nno field\r\nX-Spam-Flag: NO\r\nX-Spam-Flag: NO";
    expect("250", gateway.send(mail + "\r\n"));
    assertTrue(relayed().endsWith("+0000\r\n" + mail + "\r\n"), relayed());
  }

  @Test
  void aMailThatEndsInAForgedMarkIsSifted() throws Exception {
    String mail = "Subject: hi\r\nList-Unsubscribe: <http://tagged.example/>\r\nno field\r\n";
    expect("250", gateway.send(mail + "X-Spam-Flag: NO\r\n"));
    assertTrue(relayed().contains("X-Spam-Flag: YES\r\n"), relayed());
    assertTrue(relayed().endsWith(mail), relayed());
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
  void largeMailIsTaggedByWhatWasSeen() throws Exception {
    expect("250", gateway.send(HEAD + TAGGED + LARGE));
    assertTrue(relayed().contains("X-Spam-Flag: YES\r\n"), relayed().substring(0, 800));
    assertTrue(
        relayed().endsWith("Subject: hi\r\n\r\n" + TAGGED + LARGE), "the rest is as it came");
    assertEquals(0, gateway.telemetry.lateTags.get());
  }

  @Test
  void aTagThatComesTooLateIsCounted() throws Exception {
    expect("250", gateway.send(HEAD + LARGE + TAGGED));
    assertTrue(relayed().endsWith("+0000\r\n" + HEAD + LARGE + TAGGED), "relayed as it came");
    assertEquals(1, gateway.telemetry.lateTags.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeMailIsRefusedByAllOfIt(boolean first) throws Exception {
    String mail = first ? HEAD + LISTED + LARGE : HEAD + LARGE + LISTED;
    expect("554 5.7.1", gateway.send(mail));
    gateway.awaitQuiet();
    assertEquals(List.of(), gateway.upstream.taken);
    assertEquals(!first, gateway.upstream.commands.contains("DATA"), "asked when it must be");
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

  /** Unless settings say so, a second recipient does not waive the refusal for the first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExemptRecipientGetsTheMailByItself(boolean exemptFirst) throws Exception {
    String exempt = "<postmaster@example.com>";
    String other = "<bob@example.com>";
    try (SmtpClient client = gateway.connect().upToMail("alice@sender.example")) {
      expect("250", client.ask("RCPT TO:" + (exemptFirst ? exempt : other)));
      expect(
          "451 4.5.3 Mail for this recipient is judged by itself",
          client.ask("RCPT TO:" + (exemptFirst ? other : exempt)));
      if (exemptFirst) {
        expect("250", client.ask("RCPT TO:<abuse@example.com>"));
      }
      expect(exemptFirst ? "250" : "554 5.7.1", client.message(HEAD + LISTED));
    }
    gateway.awaitQuiet();
    assertEquals(exemptFirst ? 1 : 0, gateway.upstream.taken.size());
    assertTrue(gateway.telemetry.outcomes().contains("protocol"), "it is recorded");
  }

  @Test
  void nobodyWaitsWhereContentRefusesNothing() throws Exception {
    gateway.withFeeds("names: {file: names.txt, format: domains, checks: [url_host], action: tag}");
    expect("250", gateway.send(HEAD + TAGGED, "bob@example.com", "postmaster@example.com"));
    gateway.withFeeds(FEEDS);
    gateway.mode.set(Mode.OBSERVE);
    expect("250", gateway.send(HEAD + LISTED, "bob@example.com", "postmaster@example.com"));
  }

  @Test
  void modeObserveRelaysAndReportsAndModeSoftPutsOff() throws Exception {
    gateway.mode.set(Mode.OBSERVE);
    expect("250", gateway.send(HEAD + LISTED));
    assertTrue(relayed().contains("X-Bloomgate: would=reject; kind=url;"), relayed());
    assertTrue(relayed().contains("X-Spam-Flag: NO"), "nothing is taken out");
    gateway.awaitQuiet();
    assertEquals(List.of("would_refuse", "delivered"), gateway.telemetry.outcomes());
    assertEquals(554, gateway.telemetry.decisions.getFirst().reply().code());
    gateway.mode.set(Mode.SOFT);
    expect("451 4.7.1 Service unavailable; URL [", gateway.send(HEAD + LISTED));
    assertEquals(1, gateway.upstream.taken.size());
  }

  @Test
  void aListingThatIsOnlyObservedIsRecorded() throws Exception {
    expect("250", gateway.send(HEAD + "http://watched.example/\r\n"));
    gateway.awaitQuiet();
    DecisionRecord delivered = gateway.telemetry.decisions.getLast();
    assertEquals("delivered", delivered.outcome().key());
    assertEquals(
        List.of("watched.example/"),
        Objects.requireNonNull(delivered.verdict()).grounds().standing().stream()
            .map(ground -> ground.subject().toString())
            .toList());
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

  @Test
  void aNestedMailIsNoMoreThanTagged() throws Exception {
    String report =
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
            + "Content-Type: message/rfc822\r\n\r\nSubject: quoted\r\n\r\n"
            + LISTED
            + "\r\n--b--\r\n";
    expect("250", gateway.send(report));
    assertTrue(relayed().contains("X-Spam-Status: Yes, listed=urls"), relayed());
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

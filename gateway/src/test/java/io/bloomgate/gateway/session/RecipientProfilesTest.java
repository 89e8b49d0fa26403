package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionEvidence;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What senders hear when recipients of one mail have different profiles. */
final class RecipientProfilesTest extends OneGateway {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      """;
  private static final String PROFILES =
      """
      profiles:
        tag-only: {most: tag}
        strict: {lists: {watched: reject}}
        unread: {content: false}
        unlisted: {lists: {urls: none, watched: none}}
      recipients:
        quiet@example.com: off
        sales@example.com: tag-only
        help@example.com: tag-only
        strict@example.com: strict
        unread@example.com: unread
        unlisted@example.com: unlisted
      """;
  private static final String HEAD = "Subject: hi\r\n\r\n";
  private static final String LISTED = HEAD + "see http://evil.example/login now\r\n";
  private static final String WATCHED = HEAD + "see http://watched.example/ now\r\n";

  RecipientProfilesTest() {
    gateway.withFeeds(FEEDS, PROFILES);
    gateway.lists.list("evil.example/login", "urls");
    gateway.lists.list("watched.example/", "watched");
  }

  private static String rcpt(SmtpClient client, String name) throws IOException {
    return client.ask("RCPT TO:<" + name + "@example.com>");
  }

  private static String data(SmtpClient client, String content) throws IOException {
    return client.message(content);
  }

  /** The record of the mail before, which is written before the next reply. */
  private DecisionRecord last(SmtpClient client) throws IOException {
    expect("250", client.ask("NOOP"));
    return gateway.telemetry.decisions.getLast();
  }

  private String profile(DecisionRecord record, Privacy privacy) {
    return DecisionEvidence.of(record, privacy).more().profile();
  }

  @Test
  void eachRecipientOfAListedClientHearsItsOwnVerdict() throws Exception {
    gateway.lists.list("127.0.0.1", "drop");
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      expect("554 5.7.1", rcpt(client, "bob"));
      expect("250", rcpt(client, "sales"));
      expect("250", rcpt(client, "help"));
      expect("451 4.5.3", rcpt(client, "quiet"));
      assertEquals("off (quiet@example.com)", profile(last(client), Privacy.FULL));
      assertEquals("off (*@example.com)", profile(last(client), Privacy.NO_LOCALPART));
      expect("250", data(client, HEAD + "hello\r\n"));
      assertTrue(gateway.upstream.taken.getLast().content().contains("X-Spam-Flag: YES"));
      assertEquals("tag-only (sales@example.com)", profile(last(client), Privacy.FULL));
      assertEquals("tag-only (*@example.com)", profile(last(client), Privacy.NO_LOCALPART));
      assertEquals("tag-only (*)", profile(last(client), Privacy.NO_ADDRESSES));
      expect("250", client.ask("MAIL FROM:<a@sender.example>"));
      expect("250", rcpt(client, "quiet"));
      expect("250", data(client, HEAD + "hello\r\n"));
      assertFalse(gateway.upstream.taken.getLast().content().contains("X-Spam-Flag"));
      assertEquals("off (quiet@example.com)", profile(last(client), Privacy.FULL));
    }
    assertEquals(2, gateway.upstream.taken.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void togetherContentDoesAsLittleAsForOne(boolean observe) throws Exception {
    if (observe) {
      gateway.mode.set(Mode.OBSERVE);
    } else {
      gateway.withFeeds(FEEDS, "policy: {exempt_mail: together}\n" + PROFILES);
    }
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      expect("250", rcpt(client, "bob"));
      expect("250", rcpt(client, "sales"));
      expect("250", data(client, LISTED));
      assertEquals(
          !observe, gateway.upstream.taken.getLast().content().contains("X-Spam-Flag: YES"));
    }
    gateway.awaitQuiet();
    assertEquals(List.of("delivered"), gateway.telemetry.outcomes());
  }

  @ParameterizedTest
  @CsvSource({"strict, bob", "bob, strict", "unlisted, strict"})
  void togetherAListThatCountsForOneAloneRefusesNothing(String first, String second)
      throws Exception {
    gateway.withFeeds(FEEDS, "policy: {exempt_mail: together}\n" + PROFILES);
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      expect("250", rcpt(client, first));
      expect("250", rcpt(client, second));
      expect("250", data(client, WATCHED));
      expect("250", client.ask("MAIL FROM:<a@sender.example>"));
      expect("250", rcpt(client, "bob"));
      expect("250", rcpt(client, "strict"));
      expect("554 5.7.1", data(client, LISTED));
    }
  }
}

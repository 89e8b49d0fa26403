package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session does with mail that is more than is read, or against the rules of MIME. */
final class OddMailTest {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      """;

  private static final String HEAD = "From: a@bank.example\r\nSubject: hi\r\n\r\n";

  private final TestGateway gateway;

  OddMailTest() throws IOException {
    gateway = TestGateway.plain().withFeeds(FEEDS);
    gateway.lists.list("watched.example/", "watched");
  }

  @AfterEach
  void close() {
    gateway.close();
  }

  private String send(String content) throws IOException {
    try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      return client.message(content);
    }
  }

  private String relayed() {
    return gateway.upstream.taken.getLast().content();
  }

  @Test
  void whatWasNotLookedAtIsLogged() throws Exception {
    String mail = "Content-Type: text/plain; charset=x-none\r\n\r\nhello\r\n";
    try (LogLines log = new LogLines(DecisionReporter.class, Level.INFO)) {
      expect("250", send(mail));
      gateway.awaitQuiet();
      assertTrue(
          log.all().stream()
              .anyMatch(line ->
                  line.matches(
                      "INFO message TESTID\\d+ from 127\\.0\\.0\\.1 was not read whole, or in"
                          + " one of several ways: unknown charset")),
          log.all()::toString);
    }
  }

  @Test
  void whatIsTooMuchToBeReadIsInHeaderAndMetric() throws Exception {
    String many = HEAD + "a.com ".repeat(20_000) + "\r\n";
    expect("250", send(many));
    assertTrue(relayed().contains("\r\nX-Bloomgate: content=partly-read; id="), relayed());
    assertTrue(relayed().contains("X-Spam-Status: Yes, listed=partly_read"), relayed());
    assertEquals(List.of(Limit.CONTENT), List.copyOf(gateway.telemetry.limits));
  }

  /** Where no list may refuse what mails carry, nothing was missed that would have. */
  @Test
  void whatIsTooMuchToBeReadIsNoTagWhereContentRefusesNothing() throws Exception {
    gateway.withFeeds("names: {file: names.txt, format: domains, checks: [url_host], action: tag}");
    expect("250", send(HEAD + "a.com ".repeat(20_000) + "\r\n"));
    assertFalse(relayed().contains("X-Spam-Status"), relayed());
  }

  /** Rules count the signs of a mail beside a list. */
  @ParameterizedTest
  @ValueSource(strings = {"partly_read", "malformed"})
  void aRuleCountsWhatIsOddOfAMail(String sign) throws Exception {
    gateway.withFeeds(
        FEEDS,
        "signs: {%s: {action: observe}}\n".formatted(sign)
            + "rules: {odd: {any: 2, of: [watched, %s], action: reject}}".formatted(sign));
    String watched = "see http://watched.example/ now\r\n";
    String odd =
        sign.equals("malformed")
            ? "Content-Type: text/plain; charset=x-none\r\n\r\n"
            : "Subject: hi\r\n\r\n" + "a.com ".repeat(20_000) + "\r\n";
    expect("250", send(HEAD + watched));
    expect("250", send(odd));
    expect("554 5.7.1", send(odd + watched));
  }
}

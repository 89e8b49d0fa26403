package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.gateway.testkit.LogLines;
import org.junit.jupiter.api.Test;

/** What a session does with mail that is more than is read, or against the rules of MIME. */
final class OddMailTest extends OneGateway {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      """;

  private static final String HEAD = "From: a@bank.example\r\nSubject: hi\r\n\r\n";

  OddMailTest() {
    gateway.withFeeds(FEEDS);
    gateway.lists.list("watched.example/", "watched");
  }

  @Test
  void whatWasNotLookedAtIsLogged() throws Exception {
    String mail = "Content-Type: text/plain; charset=x-none\r\n\r\nhello\r\n";
    try (LogLines log = new LogLines(DecisionReporter.class, Level.INFO)) {
      expect("250", gateway.send(mail));
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

  /** Where no list may refuse what mails carry, nothing was missed that would have. */
  @Test
  void whatIsTooMuchToBeReadIsNoTagWhereContentRefusesNothing() throws Exception {
    gateway.withFeeds("names: {file: names.txt, format: domains, checks: [url_host], action: tag}");
    expect("250", gateway.send(HEAD + "a.com ".repeat(20_000) + "\r\n"));
    assertFalse(gateway.relayed().contains("X-Spam-Status"), gateway.relayed());
  }
}

package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.blocklists.explain.GroundText;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.LogLines;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session does with mail that is more than is read, or against the rules of MIME. */
final class OddMailTest extends OneGateway {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      """;

  private static final String HEAD = "From: a@bank.example\r\nSubject: hi\r\n\r\n";

  /** More than is held of one message. */
  private static final String LARGE = "0123456789 0123456789 0123456789\r\n".repeat(12_000);

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

  @Test
  void whatIsTooMuchToBeReadIsInHeaderAndMetric() throws Exception {
    String many = HEAD + "a.com ".repeat(20_000) + "\r\n";
    expect("250", gateway.send(many));
    assertTrue(
        gateway.relayed().contains("\r\nX-Bloomgate: content=partly-read; id="), gateway.relayed());
    assertTrue(
        gateway.relayed().contains("X-Spam-Status: Yes, listed=partly_read"), gateway.relayed());
    assertEquals(List.of(Limit.CONTENT), List.copyOf(gateway.telemetry.limits));
  }

  /** Where no list may refuse what mails carry, nothing was missed that would have. */
  @Test
  void whatIsTooMuchToBeReadIsNoTagWhereContentRefusesNothing() throws Exception {
    gateway.withFeeds("names: {file: names.txt, format: domains, checks: [url_host], action: tag}");
    expect("250", gateway.send(HEAD + "a.com ".repeat(20_000) + "\r\n"));
    assertFalse(gateway.relayed().contains("X-Spam-Status"), gateway.relayed());
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
    expect("250", gateway.send(HEAD + watched));
    expect("250", gateway.send(odd));
    expect("554 5.7.1", gateway.send(odd + watched));
  }

  /** Of a large mail the beginning is judged first, which may hold another listing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theListingAndTheEntryAreRecorded(boolean large) throws Exception {
    gateway.lists.list("evil.example/a", "urls");
    gateway.lists.allow(allowed("http://evil.example/a"));
    String text = "http://watched.example/\r\n" + (large ? LARGE : "") + "http://evil.example/a";
    expect("250", gateway.send(HEAD + text + "\r\n"));
    gateway.awaitQuiet();
    DecisionRecord delivered = gateway.telemetry.decisions.getLast();
    assertEquals("delivered", delivered.outcome().key());
    assertEquals(
        List.of("allowed by entry a1 (evil.example/a)"),
        Objects.requireNonNull(delivered.verdict()).grounds().pardoned().stream()
            .map(lifted -> GroundText.why(lifted.pardon()))
            .toList());
  }

  private static OperatorEntry allowed(String url) {
    return new NewEntry(
            ListKind.ALLOW,
            Subject.parse(url).toOptional().orElseThrow(),
            null,
            Set.of(Check.URL),
            false,
            "",
            null)
        .entry("a1", "root", Instant.EPOCH);
  }
}

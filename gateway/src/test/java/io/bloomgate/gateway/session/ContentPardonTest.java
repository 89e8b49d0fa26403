package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.explain.GroundText;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.gateway.log.DecisionRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded of a mail whose content is listed, when an entry of the operator lifts that. */
final class ContentPardonTest {

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      watched: {file: watched.txt, format: urls, checks: [url], action: observe}
      """;

  /** More than is held of one message. */
  private static final String LARGE = "0123456789 0123456789 0123456789\r\n".repeat(12_000);

  /** Of a large mail the beginning is judged first, which may hold another listing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theListingAndTheEntryAreRecorded(boolean large) throws Exception {
    try (TestGateway gateway = TestGateway.plain().withFeeds(FEEDS)) {
      gateway.lists.list("evil.example/a", "urls");
      gateway.lists.list("watched.example/", "watched");
      gateway.lists.allow(allowed("http://evil.example/a"));
      send(gateway, "http://watched.example/\r\n" + (large ? LARGE : "") + "http://evil.example/a");
      gateway.awaitQuiet();
      DecisionRecord delivered = gateway.telemetry.decisions.getLast();
      assertEquals("delivered", delivered.outcome().key());
      assertEquals(
          List.of("allowed by entry a1 (evil.example/a)"),
          Objects.requireNonNull(delivered.verdict()).grounds().pardoned().stream()
              .map(lifted -> GroundText.why(lifted.pardon()))
              .toList());
    }
  }

  private static void send(TestGateway gateway, String text) throws IOException {
    expect("250", gateway.send("Subject: hi\r\n\r\n" + text + "\r\n"));
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

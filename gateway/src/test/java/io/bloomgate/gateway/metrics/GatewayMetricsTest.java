package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.FeedHealth.FeedFigures;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.LastCheck;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Certificate;
import io.bloomgate.gateway.status.GatewayStatus.Counts;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import io.bloomgate.gateway.status.GatewayStatus.Reload;
import io.bloomgate.gateway.status.GatewayStatus.State;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metrics that an operator's dashboards and alerts use. */
public final class GatewayMetricsTest {

  private final FilterCounters filters = new FilterCounters();
  private final GatewayMetrics metrics =
      new GatewayMetrics("0.1.0", filters, GatewayMetricsTest::figures);

  public static GatewayStatus figures() {
    return new GatewayStatus(
        Instant.ofEpochSecond(1200),
        SampleStatus.settings("domains: [example.com]\ndownstream: {host: 127.0.0.1}\n"),
        Mode.ENFORCE,
        false,
        new Health("", List.of(), true, List.of()),
        new Reload("", Instant.ofEpochSecond(50)),
        true,
        SampleStatus.lists(
            412,
            Map.of(
                "ip",
                new FilterShape(
                    FilterKind.SPLIT_BLOCK, 1612, 2000, 8 * 4096, 8, 0.001, 0.0009, 0.5)),
            2,
            1),
        "",
        feeds(),
        List.of(),
        List.of(
            server("192.0.2.25:25", "default", true, 3, 50, Duration.ZERO, false),
            server("192.0.2.26:25", "example.org", false, 20, 20, Duration.ofSeconds(12), true)),
        List.of(certificate(3000, "", "ECDSA"), certificate(2000, "not readable", "RSA")),
        List.of(),
        List.of(),
        0,
        4096,
        new State(true, OptionalLong.of(5000), new SessionStore.Kept(3, 700, 0)),
        7,
        new Counts(1000, 0, 0, 1, 0, new SharedCounts.Figures(true, 10, 500, 20, 3, 2, 7, "")),
        new SharedLists.Figures(true, 0.25, 0.002, -3, 5, true));
  }

  private static List<FeedFigures> feeds() {
    return List.of(
        new FeedFigures(
            new FeedStatus(
                "drop",
                FeedState.FRESH,
                1612,
                0,
                Instant.ofEpochSecond(900),
                Instant.ofEpochSecond(1000),
                Instant.ofEpochSecond(1100),
                null,
                0,
                Action.REJECT,
                "old",
                FeedAge.STALE,
                FeedStatus.Health.ALARM,
                LastCheck.FRESH,
                null),
            1612,
            2,
            true),
        new FeedFigures(
            new FeedStatus(
                "never",
                FeedState.FAILED,
                0,
                0,
                null,
                null,
                null,
                null,
                0,
                Action.REJECT,
                null,
                FeedAge.CURRENT,
                FeedStatus.Health.NOTE,
                LastCheck.UNTRIED,
                null),
            0,
            0,
            false));
  }

  private static MailRoutes.Placed server(
      String name, String route, boolean up, int used, int max, Duration full, boolean lost) {
    return new MailRoutes.Placed(
        route,
        name,
        new MailRoutes.ServerState(up, "", "xclient", lost, false, used, max, 0, full, ""));
  }

  private static Certificate certificate(long expires, String problem, String key) {
    return new Certificate(
        "CN=mx.example.com", Instant.ofEpochSecond(expires), false, problem, key, "/etc/" + key);
  }

  /** What was printed, to be looked at, and to replace the file beside the test. */
  private static final Path PRINTED = Path.of("target/metrics");

  /** Of the lists: of five questions one is confirmed, one a chance hit, one beside the entry. */
  private void askFilters() {
    Map<ListKey, ListAnswer> answers =
        Map.of(
            key("192.0.2.1"), new ListAnswer.Listed("ip", List.of()),
            key("192.0.2.2"), new ListAnswer.FalsePositive("ip"),
            key("192.0.2.5"), new ListAnswer.OutOfReach("ip", List.of()));
    ListSnapshot snapshot =
        new ListSnapshot() {
          @Override
          public long generation() {
            return 1;
          }

          @Override
          public ListAnswer ask(ListKey asked) {
            return answers.getOrDefault(asked, ListAnswer.NotListed.INSTANCE);
          }
        };
    for (int host = 1; host <= 5; host++) {
      filters.ask(snapshot, key("192.0.2." + host));
    }
  }

  /** A block that a recipient's exemption made a tag is counted as that. */
  @Test
  void thePageOfAGatewayIsThatOfTheFile() throws IOException {
    DecisionRecord refused = Decisions.refused("203.0.113.7", "drop");
    metrics.decided(refused);
    metrics.decided(refused);
    metrics.decided(
        Decisions.mail(
            "203.0.113.7",
            Outcome.WOULD_REFUSE,
            refused.verdict(),
            refused.reply(),
            "bob@example.com"));
    metrics.decided(
        Decisions.mail(
            "203.0.113.7",
            Outcome.DELIVERED,
            Decisions.exemptAmong("evil.example"),
            Reply.of(250, "2.0.0", "Ok"),
            "postmaster@example.com",
            "bob@example.com"));
    askFilters();
    metrics.sessionOpened();
    metrics.sessionOpened();
    metrics.sessionClosed();
    metrics.downstream("accepted", Duration.ofMillis(30));
    metrics.fieldsRemoved(2);
    String page =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("bloomgate_"))
            .map(line ->
                line.startsWith("bloomgate_build_info{java=") ? "bloomgate_build_info" : line)
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    Files.createDirectories(PRINTED);
    Files.writeString(PRINTED.resolve("page.txt"), page);
    try (InputStream golden = GatewayMetricsTest.class.getResourceAsStream("page.txt")) {
      String expected = new String(Objects.requireNonNull(golden).readAllBytes(), UTF_8);
      assertEquals(expected, page, PRINTED + " has what was printed");
    }
  }

  @Test
  void sendersCannotGrowTheSeries() {
    metrics.decided(Decisions.refused("203.0.113.7", "drop"));
    long before = metrics.scrape().lines().count();
    for (int i = 0; i < 50; i++) {
      metrics.decided(
          Decisions.record(
              "203.0.113." + i,
              Outcome.REFUSED,
              Decisions.rejectedBy("drop", "203.0.113.0/24", "203.0.113." + i),
              Reply.of(554, "5.7.1", "x" + i),
              "helo" + i,
              "a" + i + "@b.example",
              "c" + i + "@example.com"));
    }
    assertEquals(before, metrics.scrape().lines().count());
    for (int i = 0; i < 500; i++) {
      metrics.decided(Decisions.refused("203.0.113.7", "feed" + i));
    }
    assertTrue(metrics.scrape().lines().count() < before + 300);
    assertTrue(metrics.scrape().contains("feed=\"other\""));
  }

  private static ListKey key(String address) {
    return IpAddress.parse(address).toOptional().orElseThrow();
  }
}

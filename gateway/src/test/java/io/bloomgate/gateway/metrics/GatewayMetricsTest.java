package io.bloomgate.gateway.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
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

  @Test
  void eachMailServerShows() {
    assertHas(
        "bloomgate_downstream_server_identity{identity=\"xclient\",route=\"default\","
            + "server=\"192.0.2.25:25\"} 1.0");
    String second = "{route=\"example.org\",server=\"192.0.2.26:25\"} ";
    assertHas("bloomgate_downstream_server_identity_lost" + second + "1.0");
    assertHas("bloomgate_downstream_server_max_connections" + second + "20.0");
    assertHas("bloomgate_downstream_server_full_seconds" + second + "12.0");
    assertHas("bloomgate_downstream_server_up{route=\"example.org\",server=\"192.0.2.26:25\"} 0.0");
    assertHas(
        "bloomgate_downstream_server_connections{route=\"default\",server=\"192.0.2.25:25\"}"
            + " 3.0");
  }

  private void assertHas(String line) {
    assertShows(line);
  }

  /** Each of these lines. */
  private void assertShows(String lines) {
    String text = metrics.scrape();
    Set<String> shown = text.lines().collect(Collectors.toSet());
    lines
        .lines()
        .forEach(line -> assertTrue(shown.contains(line), () -> line + " not in\n" + text));
  }

  /** A recipient of the mail is exempt, so the block entry did no more than tag. */
  @Test
  void aBlockThatOnlyTagsIsCountedAsTag() {
    metrics.decided(
        Decisions.mail(
            "203.0.113.7",
            Outcome.DELIVERED,
            Decisions.exemptAmong("evil.example"),
            Reply.of(250, "2.0.0", "Ok"),
            "postmaster@example.com",
            "bob@example.com"));
    assertHas("bloomgate_feed_hits_total{action=\"tag\",check=\"url_host\",feed=\"operator\"} 1.0");
  }

  @Test
  void verdictsAreCountedByStageFeedAndMode() {
    metrics.decided(Decisions.refused("203.0.113.7", "drop"));
    metrics.decided(Decisions.refused("203.0.113.7", "drop"));
    assertHas(
        "bloomgate_verdicts_total{feed=\"drop\",mode=\"enforce\",stage=\"rcpt\","
            + "verdict=\"reject\"} 2.0");
    DecisionRecord refused = Decisions.refused("203.0.113.7", "drop");
    metrics.decided(
        Decisions.mail(
            "203.0.113.7",
            Outcome.WOULD_REFUSE,
            refused.verdict(),
            refused.reply(),
            "bob@example.com"));
    assertShows(
        """
        bloomgate_verdicts_total{feed="drop",mode="observe",stage="rcpt",verdict="would_reject"} 1.0
        bloomgate_feed_hits_total{action="reject",check="client_ip",feed="drop"} 3.0
        bloomgate_outcomes_total{outcome="refused"} 2.0
        """);
  }

  @Test
  void filterAnswersAreCountedByOutcome() {
    ListKey listed = key("192.0.2.1");
    ListKey unlucky = key("192.0.2.2");
    ListKey beside = key("192.0.2.5");
    ListSnapshot snapshot =
        new ListSnapshot() {
          @Override
          public long generation() {
            return 1;
          }

          @Override
          public ListAnswer ask(ListKey asked) {
            if (asked.equals(listed)) {
              return new ListAnswer.Listed("ip", List.of());
            }
            if (asked.equals(beside)) {
              return new ListAnswer.OutOfReach("ip", List.of());
            }
            return asked.equals(unlucky)
                ? new ListAnswer.FalsePositive("ip")
                : ListAnswer.NotListed.INSTANCE;
          }
        };
    filters.ask(snapshot, listed);
    filters.ask(snapshot, unlucky);
    filters.ask(snapshot, beside);
    filters.ask(snapshot, key("192.0.2.3"));
    filters.ask(snapshot, key("192.0.2.4"));
    assertShows(
        """
        bloomgate_filter_lookups_total{filter="ip",outcome="confirmed"} 1.0
        bloomgate_filter_lookups_total{filter="ip",outcome="false_positive"} 1.0
        bloomgate_filter_lookups_total{filter="ip",outcome="out_of_reach"} 1.0
        bloomgate_filter_lookups_total{filter="ip",outcome="negative"} 2.0
        bloomgate_filter_lookups_total{filter="domain",outcome="negative"} 0.0
        bloomgate_filter_lookups_total{filter="address",outcome="negative"} 0.0
        """);
  }

  @Test
  void figuresAreShownAsTheyAreNow() {
    assertShows(
        """
        bloomgate_filter_expected_false_positive_ratio{filter="ip"} 9.0E-4
        bloomgate_feed_entries{feed="drop"} 1612.0
        bloomgate_feed_last_success_timestamp_seconds{feed="drop"} 1000.0
        bloomgate_feed_last_change_timestamp_seconds{feed="drop"} 900.0
        bloomgate_feed_last_attempt_timestamp_seconds{feed="drop"} 1100.0
        bloomgate_feed_failed_fetches{feed="drop"} 2.0
        bloomgate_feed_alarm{feed="drop"} 1.0
        bloomgate_feed_alarm{feed="never"} 0.0
        bloomgate_lists_loaded 1.0
        bloomgate_state_free_bytes 5000.0
        bloomgate_sessions_kept_bytes 700.0
        bloomgate_sessions_kept_files 3.0
        bloomgate_feed_state{feed="never",state="failed"} 1.0
        """);
    assertFalse(metrics.scrape().contains("timestamp_seconds{feed=\"never\"}"));
    assertShows(
        """
        bloomgate_fleet_connected 1.0
        bloomgate_fleet_reply_seconds 0.002
        bloomgate_fleet_clock_offset_seconds -3.0
        bloomgate_fleet_waiting 5.0
        bloomgate_downstream_up 1.0
        bloomgate_held_content_bytes 4096.0
        bloomgate_tls_certificate_expiry_timestamp_seconds 2000.0
        bloomgate_tls_certificate_last_reload_successful 0.0
        bloomgate_tls_certificate_self_signed 0.0
        bloomgate_tls_certificates_expiry_timestamp_seconds{file="/etc/ECDSA",key="ECDSA"} 3000.0
        bloomgate_tls_certificates_expiry_timestamp_seconds{file="/etc/RSA",key="RSA"} 2000.0
        bloomgate_config_last_reload_successful 1.0
        """);
    assertTrue(metrics.scrape().lines().anyMatch(l -> l.startsWith("bloomgate_build_info{java=")));
  }

  @Test
  void sessionsAndUpstreamAreMeasured() {
    metrics.sessionOpened();
    metrics.sessionOpened();
    metrics.sessionClosed();
    metrics.downstream("accepted", Duration.ofMillis(30));
    metrics.fieldsRemoved(2);
    assertShows(
        """
        bloomgate_removed_fields_total 2.0
        bloomgate_smtp_sessions 1.0
        bloomgate_smtp_connections_total 2.0
        bloomgate_downstream_duration_seconds_bucket{result="accepted",le="0.1"} 1
        bloomgate_downstream_duration_seconds_count{result="failed"} 0
        """);
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

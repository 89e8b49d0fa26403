package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.LogSettings.Target;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionLine;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.GatewayMetrics;
import io.bloomgate.gateway.metrics.GatewayMetricsTest;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Replies;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all sessions together may write of clients that a limit turned away. */
final class ObservingTelemetryTest {

  private static final int SESSIONS = 500;
  private static final int LINES = 20;
  private static final ThreadFactory THREADS = Thread.ofPlatform().factory();

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();

  private static DecisionRecord turnedAway(int session) {
    return Decisions.record(
        "203.0.113." + session % 256,
        Outcome.TURNED_AWAY,
        null,
        Replies.TOO_MANY_SESSIONS,
        "",
        null);
  }

  @Test
  void clientsThatALimitTurnsAwayAreSomeLinesAMinuteAndACount() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SessionDays days = new SessionDays(folder);
    KnownSenders senders = KnownSenders.open(folder.resolve("senders"), alarm -> {});
    DecisionLine line =
        new DecisionLine(Format.POSTFIX, Privacy.FULL, "mx1", "x", 1, true, ZoneOffset.UTC, false);
    GatewayMetrics metrics =
        new GatewayMetrics("1", new FilterCounters(), () -> GatewayMetricsTest.figures());
    try (DecisionLog log =
            new DecisionLog(
                new DecisionLog.Setup(line, new Target.Stdout()),
                out,
                () -> Decisions.NOW,
                nanos::get,
                THREADS);
        SessionStore kept =
            new SessionStore(
                days,
                new DayRetention(days),
                new SessionSettings(Duration.ofDays(1), 1 << 30, Privacy.FULL),
                () -> Decisions.NOW,
                nanos::get,
                THREADS);
        SenderWatch watch =
            new SenderWatch(senders::accepted, () -> Privacy.FULL, nanos::get, THREADS)) {
      log.start();
      ObservingTelemetry telemetry =
          new ObservingTelemetry(
              log,
              kept,
              metrics,
              new RecentCounts(() -> Decisions.NOW),
              new TailHub(),
              watch,
              _ -> {},
              _ -> {},
              nanos::get);
      for (int session = 0; session < SESSIONS; session++) {
        telemetry.decided(turnedAway(session));
      }
      telemetry.tick();
      assertTrue(log.awaitWritten());
      assertEquals(LINES, lines(out).size());
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      telemetry.tick();
      assertTrue(log.awaitWritten());
    }
    assertEquals(LINES + 1, lines(out).size());
    assertEquals(
        "NOQUEUE: turned-away: RCPT from unknown[203.0.113.20]: "
            + Replies.TOO_MANY_SESSIONS
            + "; proto=ESMTP count="
            + (SESSIONS - LINES),
        lines(out).getLast());
    assertTrue(
        metrics
            .scrape()
            .contains("bloomgate_outcomes_total{outcome=\"turned_away\"} " + SESSIONS + ".0"));
  }

  private static List<String> lines(ByteArrayOutputStream out) {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}

package io.bloomgate.gateway.testkit;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.LastCheck;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.report.Reports;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store with sessions, and reports of it as of a fixed moment. */
public final class ReportFixture {

  /** Seven in the morning in Berlin. */
  public static final Instant NOW = Instant.parse("2026-11-23T06:00:00Z");

  public static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  private final Path stateDir;
  private final List<Evidence> sessions = new ArrayList<>();

  private final List<FeedStatus> feeds = new ArrayList<>();
  private String privacy = "full";
  private Mode mode = Mode.ENFORCE;

  public ReportFixture(Path stateDir) {
    this.stateDir = stateDir;
  }

  public ReportFixture privacy(String word) {
    privacy = word;
    return this;
  }

  public ReportFixture mode(Mode word) {
    mode = word;
    return this;
  }

  /** A listing of a client. */
  public static Evidence.Listing listing(String list, Action action, String pardon) {
    return new Evidence.Listing(
        Check.CLIENT_IP, "203.0.113.7", list, "203.0.113.0/24", 17, action, pardon);
  }

  /** A session with this outcome. */
  public ReportFixture add(
      Duration before,
      String client,
      @Nullable String from,
      Outcome outcome,
      String verdict,
      int times,
      Evidence.Listing... listings) {
    sessions.add(
        new KeptSession()
            .at(NOW.minus(before))
            .client(client)
            .helo("mail.example")
            .from(from)
            .domain("example.com")
            .id("")
            .stage(Stage.RCPT)
            .mode(mode)
            .answer(outcome, outcome == Outcome.DELIVERED ? "250 2.0.0 Ok" : "554 5.7.1 Refused")
            .to("bob@example.com")
            .verdict(verdict)
            .generation(412)
            .listings(List.of(listings))
            .times(times)
            .evidence());
    return this;
  }

  private static FeedStatus.Health health(FeedState state, Duration success) {
    return switch (state) {
      case FRESH, UNCHANGED, DISABLED -> FeedStatus.Health.GOOD;
      case CACHED ->
          success.compareTo(Duration.ofDays(1)) > 0
              ? FeedStatus.Health.ALARM
              : FeedStatus.Health.NOTE;
      case HELD, STALE, FAILED -> FeedStatus.Health.ALARM;
    };
  }

  public ReportFixture feed(
      String name, FeedState state, @Nullable String problem, Duration success) {
    feeds.add(
        new FeedStatus(
            name,
            state,
            1_000,
            0,
            NOW.minus(success),
            NOW.minus(success),
            NOW,
            NOW,
            5,
            Action.REJECT,
            problem,
            FeedAge.CURRENT,
            health(state, success),
            LastCheck.FAILED,
            null));
    return this;
  }

  /** An ordinary day. */
  public ReportFixture ordinaryDay() {
    for (int hour = 0; hour < 24; hour++) {
      Duration at = Duration.ofMinutes(hour * 60L + 30);
      Evidence.Listing drop = listing("drop", Action.REJECT, "");
      add(at, "203.0.113.7", "a@spam.example", Outcome.REFUSED, "reject", 10 + hour * 7 % 23, drop);
      if (hour % 3 == 0) {
        Evidence.Listing names = listing("names", Action.TEMPFAIL, "");
        add(at, "198.51.100.9", "b@junk.example", Outcome.REFUSED, "tempfail", 4 + hour, names);
      }
      add(at, "192.0.2.1", "c@partner.example", Outcome.DELIVERED, "accept", 20 - hour % 7);
      add(at, "192.0.2.2", "", Outcome.PROTOCOL, "", 3);
    }
    Duration noon = Duration.ofHours(18);
    add(
        noon,
        "192.0.2.77",
        "n@newsletter.example",
        Outcome.DELIVERED,
        "tag",
        12,
        listing("bulk", Action.TAG, ""));
    add(
        noon,
        "2001:db8:7::1",
        "x@customer.example",
        Outcome.DELIVERED,
        "accept",
        3,
        listing("drop", Action.REJECT, "allowed by an entry"),
        listing("watch", Action.OBSERVE, ""));
    feed("drop", FeedState.UNCHANGED, null, Duration.ofHours(1));
    feed("names", FeedState.HELD, "it grew by 412 %", Duration.ofHours(30));
    feed("bulk", FeedState.FAILED, "404 Not Found", Duration.ofDays(40));
    feed("watch", FeedState.CACHED, "timeout", Duration.ofHours(2));
    return feed("old", FeedState.CACHED, "timeout", Duration.ofDays(2));
  }

  /** Writes the sessions, the oldest first, and opens reports of them. */
  public Reports reports() throws IOException {
    SessionDays days = new SessionDays(stateDir);
    KeptSession.write(days, sessions);
    Settings settings = settings();
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            settings.sessions(),
            () -> NOW,
            System::nanoTime,
            Thread::new);
    return new Reports(
        store,
        () -> SampleStatus.of(NOW, settings, mode, feeds, store.kept()),
        _ -> List.of(),
        ZONE);
  }

  private Settings settings() {
    String text =
        """
        hostname: mx.example.com
        domains: [example.com]
        downstream: {host: 127.0.0.1}
        sessions: {privacy: @PRIVACY@}
        """
            .replace("@PRIVACY@", privacy);
    return SampleStatus.settings(text);
  }
}

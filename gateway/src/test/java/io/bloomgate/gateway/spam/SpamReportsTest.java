package io.bloomgate.gateway.spam;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.memory.RememberedKey;
import io.bloomgate.blocklists.memory.Sighting;
import io.bloomgate.blocklists.memory.Sightings;
import io.bloomgate.blocklists.operator.AuditRecord;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.session.SpamIntake;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Replies;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports become sightings and records of the audit. */
final class SpamReportsTest {

  private static final String SPAM =
      """
      Received: from spam.example (unknown [203.0.113.9])
       by mx.example.com (bloomgate) with ESMTPS id ID;
       Sat, 21 Nov 2026 07:30:00 +0000
      From: winner@spam.example
      Subject: You have won a lot of money today

      take it at http://prize.example/now
      """;

  @TempDir private Path folder;
  private final List<Sighting> spam = new ArrayList<>();
  private final List<Sighting> good = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private SessionStore kept;
  private OperatorLists operator;
  private SpamReports reports;

  private final Sightings memory =
      new Sightings() {
        @Override
        public int spam(Sighting mail) {
          spam.add(mail);
          return mail.keys().size();
        }

        @Override
        public int good(Sighting mail) {
          good.add(mail);
          return 0;
        }
      };

  @BeforeEach
  void open() throws Exception {
    SessionDays days = new SessionDays(folder);
    kept =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(Duration.ofDays(30), 1L << 30, Privacy.FULL),
            () -> Decisions.NOW,
            System::nanoTime,
            Thread::new);
    kept.start();
    operator =
        OperatorLists.open(
            folder.resolve(OperatorLists.FILE_NAME),
            new ListFiles(
                List.of(),
                List.of(),
                new WidthRules(List.of(), List.of(), _ -> false),
                () -> Decisions.NOW),
            () -> Decisions.NOW);
    SettingsResult read =
        SettingsFile.parse(
            "f.yaml",
            """
            domains: [example.com]
            downstream: {host: 192.0.2.25}
            policy: {exempt_networks: [192.0.2.0/28]}
            reports: {address: spam@example.com, per_minute: 2}
            """,
            Map.of(),
            () -> "mx.example.com");
    Settings settings = assertInstanceOf(SettingsResult.Loaded.class, read).settings();
    reports =
        new SpamReports(
            () -> settings,
            IpAddress.parse("192.0.2.25").toOptional().orElseThrow()::equals,
            kept,
            operator,
            () -> memory,
            Thread::new,
            () -> Decisions.NOW,
            nanos::get);
  }

  @AfterEach
  void close() throws Exception {
    kept.close();
    operator.close();
  }

  private static byte[] report(String... mails) {
    StringBuilder text =
        new StringBuilder("Content-Type: multipart/mixed; boundary=b\n\nspam, see below\n");
    for (String mail : mails) {
      text.append("--b\nContent-Type: message/rfc822\n\n").append(mail).append('\n');
    }
    return text.append("--b--\n").toString().getBytes(ISO_8859_1);
  }

  private List<String> audit() throws Exception {
    return operator.audit(Instant.EPOCH, Long.MAX_VALUE).items().stream()
        .map((AuditRecord one) -> one.author() + " " + one.command() + " " + one.subject())
        .toList();
  }

  private static List<String> checks(Sighting seen) {
    return seen.keys().stream().map(key -> key.check().key()).distinct().sorted().toList();
  }

  private static ContentKey host(String name) {
    return new ContentKey(
        Check.URL_HOST, DomainName.parse(name).toOptional().orElseThrow(), Place.OPEN);
  }

  @Test
  void aReportedMailIsReadAsIfItHadComeByItself() throws Exception {
    String id = keep();
    reports.reported(report(SPAM.replace("ID", id)), "alice@example.com at 192.0.2.3", "R");
    Sighting seen = spam.getFirst();
    assertEquals(Sighting.Origin.REPORT, seen.origin());
    assertEquals("alice@example.com at 192.0.2.3", seen.who());
    assertEquals(id, seen.id());
    assertTrue(seen.keys().contains(host("prize.example")), seen.toString());
    assertEquals(List.of("from", "from_domain", "subject", "url", "url_host"), checks(seen));
    assertEquals(
        List.of(
            "alice@example.com at 192.0.2.3 report spam mail "
                + id
                + ", "
                + seen.keys().size()
                + " keys, "
                + seen.keys().size()
                + " remembered"),
        audit());
  }

  private String keep() {
    kept.keep(
        Decisions.record(
            "203.0.113.9",
            Outcome.DELIVERED,
            null,
            Replies.OK,
            "spam.example",
            "winner@spam.example",
            "bob@example.com"));
    kept.catchUp();
    return Decisions.ID;
  }

  @Test
  void whereFromIsKnownByTheSession() throws Exception {
    String id = keep();
    reports.reported(report(SPAM.replace("ID", id), SPAM.replace("ID", "0000000000")), "a", "R");
    assertEquals(kept.find(id).orElseThrow().client(), spam.getFirst().client());
    assertNull(spam.getLast().client());
    assertEquals("", spam.getLast().id());
  }

  @Test
  void reportsBeyondTheLimitsAreNotRead() {
    reports.reported(null, "a", "R");
    for (int i = 0; i < 4; i++) {
      reports.reported(report(SPAM), "a", "R");
    }
    assertEquals(2, spam.size());
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    reports.reported(report(SPAM), "a", "R");
    reports.reported("no report".getBytes(ISO_8859_1), "a", "R");
    assertEquals(3, spam.size());
  }

  @Test
  void aKeptSessionIsReportedByWhatWasKept() throws Exception {
    String id = keep();
    SpamReports.Reported reported = reports.report(true, List.of(), kept.find(id), "root");
    assertEquals(
        new SpamReports.Reported(true, 0, RememberedKey.count(good.getFirst()), id), reported);
    assertEquals(1, audit().size());
    assertTrue(audit().getFirst().startsWith("root report good mail " + id), audit().toString());
    reports.report(false, List.of(host("prize.example")), Optional.empty(), "root");
    assertEquals(List.of(host("prize.example")), spam.getLast().keys());
  }

  @Test
  void ownNetworksAreNotRemembered() {
    assertTrue(reports.isOwn(address("192.0.2.3")));
    assertTrue(reports.isOwn(address("192.0.2.25")));
    assertTrue(!reports.isOwn(address("192.0.2.99")));
    assertTrue(!reports.isMailServer(address("192.0.2.3")));
    MailEvidence mail =
        new MailReader(MimeLimits.DEFAULTS, Check.OF_CONTENT, 7, false, Runnable::run).end();
    for (String client : List.of("192.0.2.3", "203.0.113.7")) {
      reports.trapped(
          new SpamIntake.Trapped("old@example.com", "R", address(client), "a@b.example", mail));
    }
    assertNull(spam.getFirst().client());
    assertEquals(address("203.0.113.7"), spam.getLast().client());
  }

  private static IpAddress address(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }
}

package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.index.ListingFixture;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses are in the file of a day only as far as {@code sessions.privacy} allows. */
final class StorePrivacyTest {

  /** Local parts; each address is known to the gateway in another way. */
  private static final List<String> CANARIES =
      List.of(
          "canaryhelo",
          "canarysender",
          "canaryfirst",
          "canarysecond",
          "canaryallowed",
          "canaryblocked",
          "canarylisted",
          "canaryreplied");

  @TempDir private Path directory;

  private SessionStore open(Privacy privacy) {
    SessionDays days = new SessionDays(directory);
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(Duration.ofDays(30), 1L << 30, privacy),
            () -> Decisions.NOW,
            System::nanoTime,
            Thread::new);
    store.start();
    return store;
  }

  private static MailAddress address(String local) {
    return MailAddress.parse(local + "@evil.example").toOptional().orElseThrow();
  }

  private static OperatorEntry entry(ListKind list, String local) {
    return new NewEntry(list, address(local), null, Set.of(), false, "", null)
        .entry("a1", "root", Instant.EPOCH);
  }

  private static Ground.Listed listed(String local) {
    return new Ground.Listed(
        Check.SENDER,
        address(local),
        ListingFixture.address("drop", local + "@evil.example", 3),
        Action.REJECT);
  }

  private static Verdict verdict() {
    Ground.Blocked blocked =
        new Ground.Blocked(
            Check.SENDER, address("canarysender"), entry(ListKind.BLOCK, "canaryblocked"));
    return new Verdict.Reject(
        blocked,
        new Grounds(
            412,
            List.of(blocked, listed("canarylisted")),
            List.of(
                new Grounds.Pardoned(
                    listed("canarylisted"),
                    new Grounds.Pardon.Allowed(entry(ListKind.ALLOW, "canaryallowed")))),
            List.of(),
            null));
  }

  private static DecisionRecord record(int number, Outcome outcome, Reply reply, String... to) {
    return Decisions.with(
        Decisions.record(
            "203.0.113.7",
            outcome,
            verdict(),
            reply,
            "canaryhelo@evil.example",
            "canarysender@evil.example",
            to),
        IncidentId.format(number),
        Decisions.NOW,
        new SessionTrace("[::]:25", null, false, new Object()));
  }

  private void keep(Privacy privacy) throws IOException {
    try (SessionStore store = open(privacy)) {
      store.keep(
          record(
              1,
              Outcome.REFUSED,
              Reply.of(554, "5.7.1", "Sender address [canarysender@evil.example] blocked"),
              "canaryfirst@home.example"));
      store.keep(
          record(
              2,
              Outcome.UPSTREAM_REFUSED,
              Reply.of(
                  550,
                  "5.1.1",
                  "<canaryreplied@evil.example>: CanarySecond is unknown, canarysender may not"
                      + " write to (canaryfirst)"),
              "canaryfirst@home.example",
              "canarysecond@home.example"));
      assertTrue(store.awaitWritten());
      Evidence found = store.find(IncidentId.format(2)).orElseThrow();
      assertEquals(
          privacy != Privacy.FULL,
          found.missing().containsAll(Set.of(Missing.HELO, Missing.SENDER, Missing.RECIPIENT)),
          found.toString());
      switch (privacy) {
        case FULL -> assertEquals("canaryhelo@evil.example", found.helo());
        case NO_LOCALPART -> {
          assertEquals("*@evil.example", found.helo());
          assertTrue(
              found.decision().listings().stream()
                  .anyMatch(each -> each.pardon().equals("allowed by entry a1 (*@evil.example)")),
              found.decision().toString());
          assertEquals(
              "550 5.1.1 <*@evil.example>: * is unknown, * may not write to (*)",
              found.decision().reply());
        }
        case NO_ADDRESSES -> {
          assertEquals("*", found.helo());
          assertTrue(found.missing().contains(Missing.SENDER_DOMAIN), found.toString());
          assertTrue(
              found.decision().listings().stream()
                  .anyMatch(each -> each.pardon().equals("allowed by entry a1 (*)")),
              found.decision().toString());
        }
      }
    }
  }

  private String octets() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(directory.resolve("sessions"))) {
      for (Path file : files.toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FULL")
  void noLocalPartIsInTheFile(Privacy privacy) throws IOException {
    keep(privacy);
    String octets = octets();
    assertEquals(
        List.of(), CANARIES.stream().filter(octets::contains).toList(), "in the file of the day");
    assertEquals(privacy == Privacy.NO_LOCALPART, octets.contains("*@evil.example"));
  }

  @Test
  void withFullPrivacyAllOfThemAre() throws IOException {
    keep(Privacy.FULL);
    String octets = octets();
    assertEquals(List.of(), CANARIES.stream().filter(each -> !octets.contains(each)).toList());
  }
}

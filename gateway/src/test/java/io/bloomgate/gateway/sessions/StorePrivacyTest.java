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
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses are in the file of a day only as far as {@code sessions.privacy} allows. */
final class StorePrivacyTest extends StoreFixture {

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

  private DecisionRecord record(int number, Outcome outcome, Reply reply, String... to) {
    return of(
        new Object(),
        Decisions.record(
            CLIENT,
            outcome,
            verdict(),
            reply,
            "canaryhelo@evil.example",
            "canarysender@evil.example",
            to),
        number);
  }

  private void keep(Privacy privacy) throws IOException {
    try (SessionStore store = open(privacy, 1L << 30)) {
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
      Evidence found = found(store, 2);
      assertEquals(
          privacy != Privacy.FULL,
          found.missing().containsAll(Set.of(Missing.HELO, Missing.SENDER, Missing.RECIPIENT)),
          found.toString());
      switch (privacy) {
        case FULL -> assertEquals("canaryhelo@evil.example", found.helo());
        case NO_LOCALPART -> {
          assertEquals("*@evil.example", found.helo());
          assertEquals("*@evil.example", found.from());
          assertEquals("*@home.example", found.decision().to());
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
          assertEquals("*", found.from());
          assertEquals(List.of(), found.domains());
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

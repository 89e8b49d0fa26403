package io.bloomgate.blocklists.explain;

import static io.bloomgate.blocklists.decision.World.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.explain.Explanation.Bloom;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answer to {@code explain}. */
class ExplainerTest {

  private static final Instant SINCE = Instant.parse("2026-11-19T04:00:00Z");
  private static final ListingOrigin ORIGIN =
      new ListingOrigin(
          new ListingOrigin.Version(17, SINCE.plusSeconds(3600), "c0ffee"),
          SINCE,
          false,
          null,
          "SBL1");

  @TempDir private Path directory;
  private World world = new World(Path.of(""));
  private RejectAt rejectAt = RejectAt.RCPT;
  private Mode mode = Mode.OBSERVE;

  @BeforeEach
  void listSomeThings() {
    world =
        new World(directory)
            .feed("drop", Action.REJECT, "203.0.113.0/24", "2001:db8:bad::/48", "spam.example")
            .feed("watch", Action.OBSERVE, "203.0.113.7");
  }

  /** Asks; {@code more} are the rest of the session: {@code from a@b.example}. */
  private Parsed<Explanation> ask(String subject, String... more) {
    Map<String, String> said = new HashMap<>();
    for (String each : more) {
      int blank = each.indexOf(' ');
      said.put(each.substring(0, Math.max(0, blank)), each.substring(blank + 1));
    }
    Explain asked =
        new Explain(subject, said.get("helo"), said.get("from"), said.get("ip"), said.get("to"));
    return new Explainer(
            new Explainer.Context(
                world.lists(),
                world.policy(),
                mode,
                rejectAt,
                true,
                NOW,
                listed -> listed.source().equals("drop") ? ORIGIN : null,
                Explainer.DnsAnswers.NONE,
                Explainer.GreylistAnswers.NONE))
        .explain(new Question(asked, "example.com"::equals));
  }

  private Explanation explain(String subject, String... more) {
    return ask(subject, more).toOptional().orElseThrow(() -> new AssertionError(subject));
  }

  @Test
  void aListedAddressAsTheContractHasIt() {
    assertEquals(
        "{\"subject\":\"203.0.113.7\",\"kind\":\"client_ip\",\"verdict\":\"reject\","
            + "\"stage\":\"rcpt\",\"mode\":\"observe\",\"generation\":1,\"offline\":true,"
            + "\"listings\":[{\"feed\":\"drop\",\"entry\":\"203.0.113.0/24\",\"line\":1,"
            + "\"since\":\"2026-11-19T04:00:00Z\",\"action\":\"reject\",\"kind\":\"client_ip\","
            + "\"since_at_least\":false,\"version\":{\"number\":17,"
            + "\"fetched\":\"2026-11-19T05:00:00Z\",\"sha256\":\"c0ffee\"},\"reference\":\"SBL1\","
            + "\"pardon\":null},{\"feed\":\"watch\",\"entry\":\"203.0.113.7\",\"line\":1,"
            + "\"since\":null,\"action\":\"observe\",\"kind\":\"client_ip\",\"pardon\":null}],"
            + "\"bloom\":{\"filter\":\"ip\",\"hit\":true,\"confirmed\":true},\"allow\":null,"
            + "\"undo\":\"bloomgate allow add 203.0.113.7 --scope client_ip --expires 7d"
            + " --reason \\\"...\\\"\","
            + "\"undo_wider\":[{\"command\":\"bloomgate allow add 203.0.113.7 --expires 7d"
            + " --reason \\\"...\\\"\",\"lifts\":\"every listing of mail from 203.0.113.7\"}],"
            + "\"incident\":null,\"notes\":[]}",
        Json.write(explain("203.0.113.7").toJson()));
  }

  @Test
  void aCleanSubjectIsAcceptedAndHasNothingToUndo() {
    Explanation clean = explain("198.51.100.1");
    assertEquals("accept", clean.verdict());
    assertFalse(clean.refuses());
    assertEquals(Stage.DATA, clean.stage());
    assertEquals(new Bloom("ip", false, false), clean.bloom());
    assertNull(clean.undo());
    assertInstanceOf(JsonNull.class, clean.toJson().members().get("allow"));
  }

  @Test
  void anAllowedSubjectNamesTheEntryThatPardoned() {
    world.allow("203.0.113.7 expires=2026-12-01T00:00:00Z # partner");
    Explanation allowed = explain("203.0.113.7");
    assertEquals("accept", allowed.verdict());
    assertEquals(2, allowed.listings().size(), "still reported");
    assertEquals(
        "{\"entry\":\"203.0.113.7\",\"kind\":\"client_ip\",\"reason\":\"partner\","
            + "\"expires\":\"2026-12-01T00:00:00Z\",\"author\":\"alice\",\"id\":\"e1\"}",
        Json.write(allowed.toJson().get("allow").orElseThrow()));
  }

  @Test
  void anAllowedSubjectThatNothingListsNamesItsEntry() {
    world.allow("fine.example");
    Explanation allowed = explain("mail.fine.example");
    assertEquals("e1", allowed.allow() == null ? "" : allowed.allow().id());
  }

  @ParameterizedTest
  @CsvSource({
    "SPAM.example., '', sender_domain, spam.example",
    "x.spam.example, '', sender_domain, x.spam.example",
    "Bob@Spam.Example, '', sender_domain, bob@spam.example",
    "::ffff:203.0.113.7, '', client_ip, 203.0.113.7",
    "fine.example, ip 203.0.113.9, client_ip, fine.example",
    "203.0.113.0/28, '', client_ip, 203.0.113.0/28",
    "203.0.113.0/24, '', client_ip, 203.0.113.0/24",
  })
  void subjectsOfEachKindAreRefusedByWhatListsThem(
      String subject, String more, String kind, String canonical) {
    Explanation explanation = explain(subject, more);
    assertTrue(explanation.refuses(), subject);
    assertEquals(kind, explanation.kind().key());
    assertEquals(canonical, explanation.subject());
    assertEquals(Stage.RCPT, explanation.stage());
  }

  @Test
  void aNetworkIsListedOnlyByWhatCoversAllOfIt() {
    assertEquals(1, explain("203.0.113.0/28").listings().size(), "not by the listed host inside");
    assertEquals("accept", explain("203.0.112.0/23").verdict());
    world.allow("203.0.113.0/29");
    assertTrue(explain("203.0.113.0/28").refuses(), "allowed in part only");
    assertFalse(explain("203.0.113.0/30").refuses());
  }

  /** The first address alone would say that all is well. */
  @ParameterizedTest
  @CsvSource({
    "0.0.0.0/0, 4, 0, 100.64.0.0/10",
    "203.0.112.0/23, 2, 0, 203.0.113.0/24",
    "203.0.113.0/24, 1, 1, 203.0.113.7",
    "203.0.113.0/28, 1, 1, 203.0.113.7",
    "203.0.113.128/25, 0, 1, -",
    "100.64.0.0/9, 2, 0, 100.64.0.0/10",
    "192.0.2.0/24, 0, 0, -",
    "2001:db8::/32, 1, 0, 2001:db8:bad::/48",
    "::/0, 1, 0, 2001:db8:bad::/48",
  })
  void aNetworkIsAnsweredForAllOfIt(String subject, long inside, long around, String first) {
    world.feed("wide", Action.REJECT, "100.64.0.0/10", "100.64.7.0/24", "!203.0.113.9");
    Explanation explanation = explain(subject);
    Explanation.Range range = java.util.Objects.requireNonNull(explanation.range());
    assertEquals(inside, range.inside());
    assertEquals(around, range.around());
    assertEquals(inside + around > 0, explanation.bloom().hit());
    assertEquals(first, range.first().isEmpty() ? "-" : range.first().getFirst().entry());
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "203.0.113.7; allow add 203.0.113.7 --scope client_ip",
        "203.0.113.0/28; allow add 203.0.113.0/28 --scope client_ip",
        "100.64.0.0/12; allow add 100.64.0.0/12 --scope client_ip --force",
        "2001:db8:bad::9; allow add 2001:db8:bad::/64 --scope client_ip",
        "spam.example; allow add spam.example --scope sender_domain",
        "a@spam.example; allow add a@spam.example --scope sender_domain",
        "xn--0.spam.example; allow add spam.example --scope sender_domain",
        "co.uk; allow add co.uk --scope sender_domain --force",
        "\"$(id)\"@block.example; block remove '\"$(id)\"@block.example'",
        "198.51.100.7; allow add 198.51.100.7 --scope client_ip",
        "198.51.100.0/24; block remove 198.51.100.0/24",
        "$x@block.example; block remove '$x@block.example'",
        "$y@block.example; block remove e4",
      },
      delimiter = ';',
      quoteCharacter = '`')
  void undoIsOneCommand(String subject, String undo) {
    world
        .feed("wide", Action.REJECT, "100.64.0.0/10", "co.uk")
        .block("198.51.100.0/24", "$x@block.example", "\"$(id)\"@block.example")
        .block("$y@block.example", "$y@block.example from=192.0.2.0/24");
    String end = undo.startsWith("allow") ? " --expires 7d --reason \"...\"" : "";
    assertEquals("bloomgate " + undo + end, explain(subject).undo());
  }

  /** A local part that begins like an option comes behind all options and {@code --}. */
  @Test
  void aSubjectThatBeginsLikeAnOptionIsNone() {
    assertEquals(
        "bloomgate allow add --scope sender_domain --expires 7d --reason \"...\""
            + " -- --help@spam.example",
        explain("--help@spam.example").undo());
    world.block("-x@block.example");
    assertEquals("bloomgate block remove -- -x@block.example", explain("-x@block.example").undo());
  }

  private static List<String> lifts(Explanation explanation) {
    return explanation.undoWider().stream().map(Explanation.Wider::lifts).toList();
  }

  @Test
  void widerCommandsComeBelowAndSayWhatTheyLift() {
    world.block("198.51.100.0/24");
    assertEquals(
        List.of("the whole block of 198.51.100.0/24", "every listing of mail from 198.51.100.7"),
        lifts(explain("198.51.100.7")));
    assertEquals(
        List.of(
            "listings as sender_domain of senders at spam.example and below from 192.0.2.1",
            "listings as sender_domain of the sender a@spam.example, from any client",
            "listings as sender_domain of senders at spam.example and below, from any client"),
        lifts(explain("a@spam.example", "ip 192.0.2.1")));
  }

  /** One command still lifts it, and no more than that mail. */
  @Test
  void whatIsListedTwiceIsLiftedForThatSenderFromThere() {
    assertEquals(
        "bloomgate allow add a@spam.example --from 203.0.113.7 --expires 7d --reason \"...\"",
        explain("203.0.113.7", "helo mx.spam.example", "from a@spam.example").undo());
  }

  @Test
  void heloIsExplainedWithItsOwnUndo() {
    Explanation explanation = explain("198.51.100.1", "helo mx.spam.example");
    assertEquals(Check.HELO, explanation.kind());
    assertEquals(
        "bloomgate allow add mx.spam.example --scope helo --from 198.51.100.1 --expires 7d"
            + " --reason \"...\"",
        explanation.undo());
    Explanation named = explain("fine.example", "helo spam.example");
    assertEquals(
        "bloomgate allow add spam.example --scope helo --expires 7d --reason \"...\"",
        named.undo());
    world.feed("literals", Action.REJECT, "192.0.2.10");
    assertEquals(
        "bloomgate allow add 192.0.2.10 --scope helo --from 198.51.100.1 --expires 7d"
            + " --reason \"...\"",
        explain("198.51.100.1", "helo [192.0.2.10]").undo());
    Explanation unknown = explain("fine.example", "helo [192.0.2.10]");
    assertNull(unknown.undo());
    assertTrue(unknown.notes().getFirst().contains("--ip"), unknown.notes().toString());
  }

  @Test
  void theRestOfTheSessionCounts() {
    assertEquals(Check.SENDER_DOMAIN, explain("198.51.100.1", "from <a@spam.example>").kind());
    assertEquals("accept", explain("198.51.100.1", "from <>").verdict());
    assertEquals("accept", explain("203.0.113.7", "to postmaster@example.com").verdict());
    assertEquals("accept", explain("203.0.113.7", "to Postmaster").verdict());
    Explanation foreign = explain("203.0.113.7", "to postmaster@other.example");
    assertTrue(foreign.refuses());
    assertTrue(foreign.notes().getFirst().contains("relay access denied"));
    assertTrue(explain("203.0.113.7", "helo localhost").notes().getFirst().contains("HELO"));
  }

  /** A session asks so, see the dialog broken-names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "xn--0.spam.example",
        "x@xn--0.spam.example",
        "a..spam.example",
        "x@\u2028.spam.example"
      })
  void aBrokenNameIsExplainedByWhatCanBeRead(String subject) {
    Explanation explanation = explain(subject);
    assertEquals(Check.SENDER_DOMAIN, explanation.kind());
    assertEquals("spam.example", explanation.listings().getFirst().entry());
    assertTrue(
        explanation.notes().getFirst().contains("can be read: " + explanation.subject()),
        explanation.notes().toString());
    String said = (subject.contains("@") ? "from " : "helo ") + subject;
    assertTrue(explain("198.51.100.1", said).refuses());
  }

  @Test
  void aBlockOfTheOperatorHoldsForBrokenNamesBelow() {
    world.block("bad.example");
    assertTrue(explain("x@xn--0.bad.example").refuses());
  }

  /** Only an entry that covers what is below a name matches a name that cannot be read. */
  @Test
  void anEntryForTheNameAloneDoesNotHoldBelowIt() {
    world
        .feed("exact", Action.REJECT, "=only.example")
        .feed("below", Action.REJECT, "*.sub.example");
    assertFalse(explain("xn--0.only.example").refuses());
    assertTrue(explain("a..sub.example").refuses());
  }

  @Test
  void refusalsAtConnectAreThoseOfTheClient() {
    String exempt = "to postmaster@example.com";
    rejectAt = RejectAt.CONNECT;
    assertEquals("accept", explain("203.0.113.7", exempt).verdict(), "observe turns nobody away");
    mode = Mode.ENFORCE;
    assertEquals(Stage.CONNECT, explain("203.0.113.7").stage());
    assertEquals(Stage.RCPT, explain("spam.example").stage());
    Explanation turnedAway = explain("203.0.113.7", exempt);
    assertEquals(Stage.CONNECT, turnedAway.stage());
    assertEquals(List.of(NoteText.TURNED_AWAY), turnedAway.notes());
    assertEquals(3, explain("203.0.113.7", "from a@spam.example").listings().size());
  }

  /** It is on a list, only not for this name: no chance hit of the filter. */
  @Test
  void anEntryThatDoesNotReachTheNameIsNamed() {
    world.feed("exact", Action.REJECT, "=only.example", "*.below.example");
    Explanation beside = explain("www.only.example");
    assertEquals("accept", beside.verdict());
    assertEquals(
        "{\"filter\":\"domain\",\"hit\":true,\"confirmed\":false,\"out_of_reach\":"
            + "[{\"feed\":\"exact\",\"entry\":\"only.example\",\"line\":1}]}",
        Json.write(beside.toJson().get("bloom").orElseThrow()));
    assertEquals(
        "*.below.example", explain("below.example").bloom().outOfReach().getFirst().entry());
    assertEquals(List.of(), explain("only.example").bloom().outOfReach());
  }

  @Test
  void aFalsePositiveIsReportedAndHarmless() {
    world.snapshot(
        new ListSnapshot() {
          @Override
          public long generation() {
            return 9;
          }

          @Override
          public ListAnswer ask(io.bloomgate.config.name.ListKey key) {
            return new ListAnswer.FalsePositive("ip");
          }
        });
    Explanation explanation = explain("198.51.100.1");
    assertEquals("accept", explanation.verdict());
    assertEquals(new Bloom("ip", true, false), explanation.bloom());
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.300, ''",
    "localhost, ''",
    "203.0.113.7, ip 203.0.113.8",
    "a@b.example, from c@d.example",
    "203.0.113.7, from nonsense",
    "fine.example, ip nonsense",
  })
  void whatIsWrongWithAQuestionIsSaid(String subject, String more) {
    Parsed.Bad<?> bad = assertInstanceOf(Parsed.Bad.class, ask(subject, more), subject);
    assertFalse(bad.reason().isEmpty());
  }
}

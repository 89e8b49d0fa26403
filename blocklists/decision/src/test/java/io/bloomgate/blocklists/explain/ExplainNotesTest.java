package io.bloomgate.blocklists.explain;

import static io.bloomgate.blocklists.decision.World.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.explain.Explainer.GreylistAnswers;
import io.bloomgate.blocklists.generation.KeptGenerations;
import io.bloomgate.blocklists.generation.KnownGoodCounts;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.greylist.Greylist.Standing;
import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Rule.Where;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code explain} says beside listings: greylisting, and rules that are not met. */
class ExplainNotesTest {

  private static final String IP = "203.0.113.7";
  private static final Instant SINCE = Instant.parse("2026-11-21T07:28:00Z");

  @TempDir private Path directory;

  private static Explanation explain(
      World world, GreylistAnswers greylist, @Nullable String from, @Nullable String to) {
    return new Explainer(context(world, greylist))
        .explain(new Question(new Explain(IP, null, from, null, to), "example.com"::equals))
        .toOptional()
        .orElseThrow();
  }

  private static GreylistAnswers knows(Visit next) {
    return (client, sender, recipient) ->
        Optional.of(
            new Standing(next, SINCE, SINCE.plusSeconds(300), SINCE.plus(Duration.ofHours(24))));
  }

  private Explanation explainWeak(Visit next) {
    World weak = new World(directory).feed("weak", Action.GREYLIST, IP);
    return explain(weak, knows(next), "news@shop.example", "bob@example.com");
  }

  @Test
  void aSenderThatCameAgainPasses() {
    Explanation explained = explainWeak(Visit.PASSED);
    assertEquals("accept", explained.verdict());
    assertEquals(
        List.of(
            "greylisting: it came again and is let in; this is remembered until"
                + " 2026-11-22T07:28:00Z, and longer with each mail"),
        explained.notes());
    assertEquals("accept", explainWeak(Visit.RETURNED).verdict());
    assertEquals("accept", explainWeak(Visit.KNOWN).verdict());
  }

  @Test
  void theNetworkOfTheClientIsSaidByItsTable() throws IOException {
    World world =
        new World(directory)
            .table("table", "203.0.113.0/24 64500 FR")
            .feed("drop", Action.REJECT, EnumSet.of(Check.ASN), "AS64500");
    Explanation explained = explain(world, GreylistAnswers.NONE, null, null);
    assertEquals(
        List.of("the network of the client is AS64500 (FR), by table version v1"),
        explained.notes());
    assertEquals(
        List.of("drop AS64500 asn reject"),
        explained.listings().stream()
            .map(one ->
                one.feed() + " " + one.entry() + " " + one.kind().key() + " " + one.action().key())
            .toList());
    assertEquals(Check.ASN, explained.kind());
    assertTrue(explained.bloom().confirmed());
    assertTrue(explained.undo() != null && explained.undo().contains(IP), explained::undo);
    Where france = new Where(Set.of(), Set.of("FR"));
    World rule =
        new World(Files.createDirectory(directory.resolve("rule")))
            .table("table", "203.0.113.0/24 64500 FR")
            .feed("weak", Action.OBSERVE, IP)
            .anyFrom(france, "far", Action.REJECT, "weak");
    assertEquals(
        "weak,AS64500/FR",
        explain(rule, GreylistAnswers.NONE, null, null).listings().getFirst().entry());
  }

  @Test
  void aSenderThatCameTooEarlyWaits() {
    Explanation explained = explainWeak(Visit.EARLY);
    assertEquals("greylist", explained.verdict());
    assertEquals(
        List.of(
            "greylisting: it waits since 2026-11-21T07:28:00Z; it is let in when it comes again"
                + " between 2026-11-21T07:33:00Z and 2026-11-22T07:28:00Z"),
        explained.notes());
    Explanation stranger = explainWeak(Visit.FIRST);
    assertEquals("greylist", stranger.verdict());
    assertEquals(List.of(), stranger.notes());
  }

  @Test
  void theProfileOfTheRecipientIsNamedWithItsReason() {
    World drop =
        new World(directory)
            .feed("drop", Action.REJECT, IP)
            .profile("example.com", RecipientProfile.OFF);
    Explanation quiet = explain(drop, GreylistAnswers.NONE, "a@b.example", "Bob@Example.com");
    assertEquals("accept", quiet.verdict());
    assertTrue(
        quiet.notes().contains("the profile of the recipient is off (example.com)"),
        () -> quiet.notes().toString());
    assertEquals(
        "the profile of the recipient spares it (recipients)",
        quiet.listings().getFirst().pardon());
    Explanation unlisted =
        explain(
            new World(directory).profile("bob@", RecipientProfile.OFF),
            GreylistAnswers.NONE,
            "a@b.example",
            "bob@example.com");
    assertTrue(
        unlisted.notes().contains("the profile of the recipient is off (bob@)"),
        () -> unlisted.notes().toString());
  }

  /** "GREYLISTED" alone would be untrue of a sender that was let in. */
  @Test
  void withoutTheRecipientItIsSaidThatGreylistingNeedsIt() {
    World weak = new World(directory).feed("weak", Action.GREYLIST, IP);
    Explanation explained = explain(weak, knows(Visit.PASSED), "news@shop.example", null);
    assertEquals("greylist", explained.verdict());
    assertEquals(
        List.of(
            "greylisting remembers a sender for each recipient domain; ask again with --to to see"
                + " whether this one was let in"),
        explained.notes());
    assertEquals(List.of(), explain(weak, knows(Visit.PASSED), null, null).notes());
    assertEquals(List.of(), explain(weak, GreylistAnswers.NONE, "news@shop.example", null).notes());
  }

  @Test
  void greylistingIsAskedOnlyAboutAWholeVisit() {
    World weak = new World(directory).feed("weak", Action.GREYLIST, IP);
    List<String> asked = new ArrayList<>();
    GreylistAnswers answers =
        (client, sender, recipient) -> {
          asked.add(client + " " + sender + " " + recipient);
          return Optional.empty();
        };
    explain(weak, answers, null, "bob@example.com");
    explain(weak, answers, "news@shop.example", null);
    explain(weak, answers, "news@shop.example", "bob@elsewhere.example");
    assertEquals(List.of(), asked);
    assertEquals(
        "greylist", explain(weak, answers, "news@Shop.example", "<Bob@Example.com>").verdict());
    explain(weak, answers, "<>", "bob@example.com");
    assertEquals(List.of(IP + " shop.example example.com", IP + " null example.com"), asked);
  }

  @Test
  void aRuleThatAGoodSendersListKeepsFromBeingMetIsNamed() {
    World world =
        new World(directory)
            .feed("a", Action.OBSERVE, IP)
            .feed("b", Action.OBSERVE, IP)
            .feed("dnswl", Action.TRUST, IP)
            .any("weak", 2, Action.REJECT, "a", "b")
            .any("more", 3, Action.REJECT, "a", "b");
    Explanation explained = explain(world, GreylistAnswers.NONE, null, null);
    assertEquals("accept", explained.verdict());
    assertEquals(List.of("rule weak is not met: dnswl counts against it"), explained.notes());
  }

  @Test
  void aRuleThatIsMetOrFarFromItIsNotNamed() {
    World world =
        new World(directory)
            .feed("a", Action.OBSERVE, IP)
            .feed("b", Action.OBSERVE, IP)
            .feed("c", Action.OBSERVE, IP)
            .feed("dnswl", Action.TRUST, IP)
            .any("weak", 2, Action.REJECT, "a", "b", "c");
    Explanation explained = explain(world, GreylistAnswers.NONE, null, null);
    assertTrue(explained.refuses());
    assertEquals(List.of(), explained.notes());
  }

  /** In enforce mode, of a gateway that runs and asks no DNS list. */
  static Explainer.Context context(World world, GreylistAnswers greylist) {
    return new Explainer.Context(
        world.lists(),
        world.policy(),
        Mode.ENFORCE,
        RejectAt.RCPT,
        false,
        NOW,
        listed -> null,
        Explainer.DnsAnswers.NONE,
        greylist);
  }

  private static Question question(String subject) {
    return new Question(new Explain(subject, null, null, null, null), "example.com"::equals);
  }

  private static Explanation about(World world, String subject) {
    return new Explainer(context(world, GreylistAnswers.NONE))
        .explain(question(subject))
        .toOptional()
        .orElseThrow();
  }

  private static SnapshotManifest generation(long number, Instant created) {
    return new SnapshotManifest(
        number, created, "", List.of(), Map.of(), Map.of(), KnownGoodCounts.NONE, List.of());
  }

  @Test
  void anAnswerAboutThePastSaysWhichListsItIsOf() {
    World world =
        new World(directory)
            .feed("drop", Action.REJECT, IP)
            .feed("gone", Action.REJECT, IP)
            .withoutRule("gone");
    ListSnapshot lists = world.snapshot();
    Instant next = SINCE.plusSeconds(60);
    PastExplainer past =
        new PastExplainer(
            context(world, GreylistAnswers.NONE),
            new KeptGenerations.Past(SINCE, lists, generation(9, next)));
    Explanation explained = past.explain(question(IP)).toOptional().orElseThrow();
    assertTrue(explained.refuses());
    assertEquals(SINCE, explained.at());
    assertEquals(
        List.of(
            "the lists are those of generation 1 of "
                + lists.manifest().created().truncatedTo(ChronoUnit.SECONDS)
                + "; settings, feeds that are switched off, allow and block entries are those of"
                + " now",
            "generations 2 to 8, made before "
                + next
                + ", are not kept: what they changed is not"
                + " known",
            "the age of feeds does not count, and DNS lists and greylisting were not asked: only"
                + " the lists are known of then",
            "feed gone listed 203.0.113.7 then; it is off or not in the settings now, so it does"
                + " not count"),
        explained.notes());
    past =
        new PastExplainer(
            context(world, GreylistAnswers.NONE),
            new KeptGenerations.Past(SINCE, lists, generation(2, next)));
    // Its generation was live until the next one; and a network is answered too.
    List<String> notes =
        past.explain(question("203.0.113.0/24")).toOptional().orElseThrow().notes();
    assertEquals(2, notes.size(), notes.toString());
  }

  /** As {@code feeds disable} leaves it: what has the entry, and why nothing comes of it. */
  @Test
  void aListThatIsSwitchedOffIsNamedWithItsEntry() {
    World world =
        new World(directory).feed("drop", Action.REJECT, "203.0.113.0/24").withoutRule("drop");
    Explanation explained = explain(world, GreylistAnswers.NONE, "a@b.example", "bob@example.com");
    assertEquals("accept", explained.verdict());
    assertTrue(explained.bloom().confirmed());
    assertEquals(
        List.of(
            "feed drop lists 203.0.113.0/24; it is switched off (`bloomgate feeds enable drop`), or"
                + " not in the settings any more, so it does not count"),
        explained.notes());
    assertEquals(List.of(), about(world, "192.0.2.1").notes());
  }

  /** A list of addresses and names that is asked about one of these only. */
  @Test
  void aListThatIsNotAskedAboutTheSubjectIsNamed() {
    World world =
        new World(directory)
            .feed("ips", Action.REJECT, EnumSet.of(Check.CLIENT_IP), IP, "spam.example")
            .feed("links", Action.REJECT, EnumSet.of(Check.URL_HOST), "link.example");
    assertEquals(
        List.of(
            "ips lists spam.example in line 2, but is asked for client_ip only; its setting"
                + " `checks` says so"),
        about(world, "spam.example").notes());
    assertEquals(List.of(), about(world, IP).notes());
    assertEquals(List.of(), about(world, "other.example").notes());
    assertEquals(1, about(world, "link.example").notes().size()); // as a link in a mail
  }

  @Test
  void whatNoListCanNameIsSaid() {
    World world =
        new World(directory)
            .feed("ips", Action.REJECT, IP)
            .protect("own", "192.0.2.1", "a.example");
    String own = "no list can name it: the gateway's own address or host name";
    assertEquals(List.of(own), about(world, "192.0.2.1").notes());
    assertEquals(own, about(world, "a.example").notes().getLast());
    assertEquals(
        List.of("no list can name it: reserved network; a list with `allow_bogons: true` can"),
        about(world, "10.1.2.3").notes());
    assertEquals(List.of(), about(world, "198.51.100.1").notes());
    assertEquals(List.of(), about(world, IP).notes());
  }
}

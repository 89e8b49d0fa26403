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
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code explain} asks and says of profiles, greylisting and the past. */
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

  /** In enforce mode, of a gateway that runs and asks no DNS list. */
  private static Explainer.Context context(World world, GreylistAnswers greylist) {
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
}

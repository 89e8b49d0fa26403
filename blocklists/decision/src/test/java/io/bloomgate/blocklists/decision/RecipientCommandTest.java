package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles by command beside those of the settings, and what verdicts say of them. */
class RecipientCommandTest {

  private static final String IP = "203.0.113.7";
  private static final RecipientProfile TAG =
      new RecipientProfile("most-tag", Action.TAG, Action.TAG, true, Map.of());

  @TempDir private Path directory;
  private World world;

  @BeforeEach
  void empty() {
    world = new World(directory);
  }

  private static String words(Verdict verdict) {
    return Objects.requireNonNull(verdict.grounds().profile()).words();
  }

  private static RecipientEntry command(String subject, String profile) {
    Instant end = World.NOW.plusSeconds(60);
    return new RecipientEntry("r1", subject, profile, "ticket 7", "alice", World.NOW, end);
  }

  private Policy withCommands(String... subjects) {
    Map<String, RecipientEntry> entries = new HashMap<>();
    for (String subject : subjects) {
      entries.put(subject, command(subject, "most-tag"));
    }
    return world.policy().withEntries(entries, Map.of("most-tag", TAG));
  }

  private static String named(Policy policy, String recipient, Instant now) {
    Recipients.Own own =
        policy.recipients().of(to(session(IP, "", ""), recipient).recipient(), now);
    return own == null || own.named() == null
        ? ""
        : own.named().entry() + (own.named().byCommand() == null ? "" : " by command");
  }

  @ParameterizedTest
  @CsvSource({
    "sales@example.com, sales@example.com by command, sales@example.com",
    "sales@a.example.com, sales@ by command, a.example.com",
    "bob@example.com, .example.com by command, ''",
    "bob@a.example.com, a.example.com, a.example.com",
    "help@x.example.com, help@, help@",
    "postmaster@example.com, postmaster@ by command, ''"
  })
  void ofOneSubjectTheCommandCountsAndOfTwoTheNarrowerOneWhereverItIs(
      String recipient, String now, String later) {
    for (String each : List.of("sales@example.com", "a.example.com", "help@")) {
      world.profile(each, RecipientProfile.OFF);
    }
    Policy policy = withCommands("sales@example.com", "sales@", ".example.com", "postmaster@");
    assertEquals(now, named(policy, recipient, World.NOW));
    assertEquals(later, named(policy, recipient, World.NOW.plusSeconds(60)), "when it has ended");
    assertEquals(now, named(policy.withFeeds(Map.of()), recipient, World.NOW));
  }

  @Test
  void anEntryByCommandSaysWhoGaveItAndHowItIsTakenBack() {
    world.feed("drop", Action.REJECT, IP);
    Policy policy = withCommands("sales@example.com");
    Facts mail = to(session(IP, "h.example", "a@b.example"), "sales@example.com");
    Verdict verdict = Gather.verdict(mail, world.lists(), policy, World.NOW);
    assertEquals("tag", verdict.key());
    assertEquals(
        "most-tag (sales@example.com, r1), set by alice at 2026-11-21T07:30:00Z (ticket 7);"
            + " `bloomgate recipient remove r1` takes it away",
        words(verdict));
    Verdict later = Gather.verdict(mail, world.lists(), policy, World.NOW.plusSeconds(60));
    assertEquals("reject", later.key());
  }

  @Test
  void aProfileThatTheSettingsHaveNoLongerIsTheDefault() {
    world.feed("drop", Action.REJECT, IP);
    world.profile("example.com", RecipientProfile.OFF);
    Policy policy =
        world
            .policy()
            .withEntries(
                Map.of("sales@example.com", command("sales@example.com", "gone")), Map.of());
    Facts mail = to(session(IP, "h.example", "a@b.example"), "sales@example.com");
    Verdict verdict = Gather.verdict(mail, world.lists(), policy, World.NOW);
    assertEquals("reject", verdict.key(), "not the one of the domain");
    assertTrue(
        words(verdict)
            .startsWith(
                "default (sales@example.com, r1) because profile gone is not in the settings, set"),
        words(verdict));
  }

  @Test
  void supposingAProfileReplacesTheEntryByCommand() {
    Policy policy = withCommands("sales@example.com");
    Policy other = policy.withRecipient("sales@example.com", RecipientProfile.OFF);
    assertEquals("sales@example.com", named(other, "sales@example.com", World.NOW));
  }
}

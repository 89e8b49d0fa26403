package io.bloomgate.blocklists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy that sessions ask follows settings and disabled feeds. */
final class RulesInForceTest {

  private static final Instant NOW = Instant.parse("2026-11-21T07:30:00Z");
  private static final Facts.Recipient SALES = new Facts.Recipient("sales", "example.com", true);

  private final AtomicReference<Set<String>> disabled = new AtomicReference<>(Set.of());
  private final AtomicReference<Map<String, RecipientEntry>> recipients =
      new AtomicReference<>(Map.of());
  private ListRules before;
  private ListRules after;

  @BeforeEach
  void readRules() throws IOException {
    before = rules("");
    after = rules("hostname: mx2.company.example\n");
  }

  private static ListRules rules(String yaml) throws IOException {
    return ListRules.read(RefreshStage.settingsWith(yaml), List.of(), List.of(), problem -> {});
  }

  private RulesInForce live() {
    return new RulesInForce(
        before,
        new FeedActions(FeedStates.none(), problem -> {}),
        disabled::get,
        recipients::get,
        new LiveSnapshot(),
        () -> NOW);
  }

  @Test
  void itIsMadeAgainOnlyWhenSomethingChanged() {
    RulesInForce live = live();
    Policy first = live.policy();
    assertSame(first, live.policy());
    disabled.set(Set.of("senders"));
    Policy second = live.policy();
    assertNotSame(first, second);
    assertSame(second, live.policy());
  }

  @Test
  void anEntryAboutARecipientCountsAtOnce() {
    RulesInForce live = live();
    Policy first = live.policy();
    assertNull(first.recipients().of(SALES, NOW));
    recipients.set(Map.of("sales@example.com", entry("off")));
    Policy second = live.policy();
    assertSame(second, live.policy());
    assertEquals("off", profile(second, NOW));
    assertNull(second.recipients().of(SALES, NOW.plusSeconds(60)), "it has ended");
    assertEquals(Optional.empty(), second.recipients().alarm(NOW));
    recipients.set(Map.of("sales@example.com", entry("gone")));
    assertEquals("default", profile(live.policy(), NOW));
    assertTrue(live.policy().recipients().alarm(NOW).orElse("").contains("(gone)"));
    assertEquals(Optional.empty(), live.policy().recipients().alarm(NOW.plusSeconds(60)));
    live.configure(after);
    assertEquals("default", profile(live.policy(), NOW), "a reload keeps entries");
    recipients.set(Map.of());
    assertNull(live.policy().recipients().of(SALES, NOW));
  }

  private static String profile(Policy policy, Instant now) {
    return Objects.requireNonNull(policy.recipients().of(SALES, now)).profile().name();
  }

  private static RecipientEntry entry(String profile) {
    return new RecipientEntry(
        "r1", "sales@example.com", profile, "", "alice", NOW, NOW.plusSeconds(60));
  }

  @Test
  void whatProvidersPublishNowIsProtectedBesideWhatTheReleaseKnows(@TempDir Path state)
      throws IOException {
    String yaml = "state_dir: " + state + "\n";
    ListEntry.Network network =
        new ListEntry.Network(
            IpPrefix.parse("64.233.160.0/19").toOptional().orElseThrow(), false, 1);
    assertFalse(isProtected(network, yaml));
    Files.writeString(state.resolve(ListRules.PROVIDER_NETWORKS), "# Google\n64.233.160.0/19\n");
    assertTrue(isProtected(network, yaml));
    assertFalse(isProtected(network, yaml + "allow: {never_block: [private]}\n"));
  }

  private static boolean isProtected(ListEntry entry, String yaml) throws IOException {
    return rules(yaml).protectedSets().stream().anyMatch(set -> set.protects(entry));
  }

  /** A decision spares the client; for everybody else the list counts, and `feeds show` says so. */
  @Test
  void aGuardNotesWhatIsExemptAndHoldsNothingBackForIt() throws IOException {
    List<ProtectedSet> sets = rules("policy: {exempt_networks: [198.51.100.7]}\n").guarded();
    EntryGuard guard = new EntryGuard(FeedTest.DEFAULT_GUARD, false, sets);
    for (String listed : List.of("198.51.0.0/16", "198.51.100.7")) {
      ListEntry entry =
          new ListEntry.Network(IpPrefix.parse(listed).toOptional().orElseThrow(), false, 1);
      assertEquals(Optional.empty(), guard.holds(entry));
      assertTrue(sets.stream().anyMatch(set -> set.touches(entry)), listed);
    }
  }
}

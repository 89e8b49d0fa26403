package io.bloomgate.blocklists.explain;

import static io.bloomgate.blocklists.decision.World.NOW;
import static io.bloomgate.blocklists.decision.World.operatorEntry;
import static io.bloomgate.blocklists.decision.World.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code allow add} and {@code block add} tell. */
class EntryEffectTest {

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void listSomeThings() {
    world =
        new World(directory)
            .feed("drop", Action.REJECT, "203.0.113.0/24", "spam.example")
            .feed("watch", Action.OBSERVE, "203.0.113.7");
  }

  private EntryEffect effect(ListKind list, String line, @Nullable Facts incident) {
    OperatorEntry entry = operatorEntry("new", list, line);
    return EntryEffect.of(entry, world.lists(), world.policy(), NOW, incident);
  }

  private static List<String> line(List<Ground> grounds) {
    return grounds.stream().map(World::line).toList();
  }

  @Test
  void allowedIpTellsWhatItLifts() {
    EntryEffect effect = effect(ListKind.ALLOW, "203.0.113.7", null);
    assertEquals(
        List.of("client_ip drop 203.0.113.0/24", "client_ip watch 203.0.113.7"),
        line(effect.lifts()));
    assertEquals(List.of(), effect.stillRefuses());
    assertEquals(List.of(), effect.notes());
    assertTrue(
        GroundText.of(effect.lifts().getFirst())
            .equals("drop lists 203.0.113.0/24 (client_ip, line 1, reject)"));
  }

  @Test
  void anEntryThatIsStoredAlreadyTellsTheSame() {
    OperatorEntry stored = operatorEntry("e1", ListKind.ALLOW, "203.0.113.7");
    world.allow("203.0.113.7");
    assertEquals(
        2, EntryEffect.of(stored, world.lists(), world.policy(), NOW, null).lifts().size());
  }

  @Test
  void allowedRangeLiftsWhatCoversAllOfIt() {
    assertEquals(
        List.of("client_ip drop 203.0.113.0/24"),
        line(effect(ListKind.ALLOW, "203.0.113.0/28", null).lifts()));
  }

  @Test
  void whatAnOperatorBlockStillRefusesIsNamed() {
    world.block("203.0.113.7");
    EntryEffect effect = effect(ListKind.ALLOW, "203.0.113.0/28 # too wide for it", null);
    assertEquals(List.of("client_ip drop 203.0.113.0/24"), line(effect.lifts()));
    EntryEffect host = effect(ListKind.ALLOW, "203.0.113.0/28", session("203.0.113.7", "", ""));
    assertEquals(List.of("client_ip operator 203.0.113.7"), line(host.stillRefuses()));
    assertEquals(
        "operator entry e1 blocks 203.0.113.7 (client_ip)",
        GroundText.of(host.stillRefuses().getFirst()));
  }

  @Test
  void allowedNameSaysThatItNeverPardonsTheClient() {
    EntryEffect effect = effect(ListKind.ALLOW, "spam.example", null);
    assertEquals(List.of("sender_domain drop spam.example"), line(effect.lifts()));
    assertTrue(
        effect.notes().getFirst().endsWith("bloomgate allow add spam.example --from CIDR"),
        effect.notes().toString());
    EntryEffect ofIncident =
        effect(ListKind.ALLOW, "spam.example", session("203.0.113.7", "", "a@spam.example"));
    assertEquals(List.of("client_ip drop 203.0.113.0/24"), line(ofIncident.stillRefuses()));
    assertTrue(
        ofIncident.notes().getFirst().endsWith("allow add spam.example --from 203.0.113.7"),
        ofIncident.notes().toString());
  }

  @Test
  void aBlockOfWhatAFeedListsLiftsNothing() {
    OperatorEntry block = operatorEntry("new", ListKind.BLOCK, "spam.example");
    EntryEffect effect = EntryEffect.of(block, world.lists(), world.policy(), NOW, null);
    assertEquals(
        List.of(
            "refuses senders at spam.example and below",
            "now refuses: operator entry new blocks spam.example (sender_domain)",
            "still refuses: drop lists spam.example (sender_domain, line 2, reject)"),
        EffectText.of(block, effect, Mode.ENFORCE));
  }

  /** The mail is accepted: "now refuses" would be untrue. */
  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "ENFORCE", mode = EnumSource.Mode.EXCLUDE)
  void aBlockThatOnlyModeEnforceCarriesOutWouldRefuse(Mode mode) {
    OperatorEntry block = operatorEntry("new", ListKind.BLOCK, "spam.example");
    EntryEffect effect = EntryEffect.of(block, world.lists(), world.policy(), NOW, null);
    assertEquals(
        List.of(
            "would refuse senders at spam.example and below",
            "would refuse: operator entry new blocks spam.example (sender_domain)",
            "would still refuse: drop lists spam.example (sender_domain, line 2, reject)"),
        EffectText.of(block, effect, mode));
    String until = EffectText.ofMode(ListKind.BLOCK, mode).orElse("");
    assertTrue(until.startsWith("mode " + mode.name().toLowerCase(Locale.ROOT) + ": "), until);
    assertTrue(until.endsWith(" until `bloomgate mode enforce`"), until);
    assertEquals(Optional.empty(), EffectText.ofMode(ListKind.ALLOW, mode));
    assertEquals(Optional.empty(), EffectText.ofMode(ListKind.BLOCK, Mode.ENFORCE));
  }

  @Test
  void whatRefusesDespiteAnAllowEntryIsNotCalledNew() {
    OperatorEntry allow = operatorEntry("new", ListKind.ALLOW, "spam.example");
    Facts incident = session("203.0.113.7", "", "a@spam.example");
    List<String> sentences =
        EffectText.of(
            allow,
            EntryEffect.of(allow, world.lists(), world.policy(), NOW, incident),
            Mode.ENFORCE);
    assertTrue(
        sentences.contains("still refuses: drop lists 203.0.113.0/24 (client_ip, line 1, reject)"),
        sentences.toString());
    assertTrue(
        sentences.stream().noneMatch(s -> s.startsWith("now refuses")), sentences.toString());
  }

  @Test
  void nameWithFromLiftsTheListingOfItsNetwork() {
    EntryEffect effect = effect(ListKind.ALLOW, "spam.example from=203.0.113.0/28", null);
    assertEquals(
        List.of("client_ip drop 203.0.113.0/24", "sender_domain drop spam.example"),
        line(effect.lifts()));
    assertEquals(List.of(), effect.notes());
  }

  private List<String> sentences(ListKind list, String line) {
    OperatorEntry entry = operatorEntry("new", list, line);
    return EffectText.of(
        entry, EntryEffect.of(entry, world.lists(), world.policy(), NOW, null), Mode.ENFORCE);
  }

  /** A list that has a URL often has its host too. */
  @Test
  void whatStillRefusesAnAllowedUrlForItsHostIsNamed() {
    world.feed("hosts", Action.REJECT, Set.of(Check.URL_HOST), "bank.example");
    List<String> sentences = sentences(ListKind.ALLOW, "http://bank.example/verify/ scope=url");
    assertTrue(
        sentences.stream().anyMatch(s -> s.startsWith("still refuses: hosts lists bank.example")),
        sentences.toString());
  }

  @Test
  void anAllowedClientIsNoUrl() {
    assertEquals(
        "overrides listings of what mail from 192.0.2.7 carries (url), and of URLs at 192.0.2.7",
        sentences(ListKind.ALLOW, "192.0.2.7 scope=url").getFirst());
    assertEquals(
        "overrides listings of what mail from 192.0.2.7 carries (attachment)",
        sentences(ListKind.ALLOW, "192.0.2.7 scope=attachment").getFirst());
  }

  @Test
  void aTextIsNoNameThatAnyoneCanClaim() {
    String like = "like:" + "00".repeat(64);
    assertEquals(
        List.of("overrides listings of texts like this one"), sentences(ListKind.ALLOW, like));
    assertEquals(
        List.of("overrides listings of the URL shop.example/a"),
        sentences(ListKind.ALLOW, "//shop.example/a"));
  }

  @Test
  void aSubjectIsNotShownAsItsHash() {
    String hash = "0123456789abcdef".repeat(4);
    assertEquals(
        List.of(
            "refuses mail with this subject",
            "now refuses: operator entry new blocks this subject (subject)"),
        sentences(ListKind.BLOCK, hash + " scope=subject"));
  }

  @Test
  void anyScopePrintsTheRisk() {
    EntryEffect effect = effect(ListKind.ALLOW, "spam.example scope=any", null);
    assertTrue(effect.notes().getFirst().startsWith("anyone who claims spam.example"));
  }

  @Test
  void blockTellsWhatItAddsOrWhyItDoesNotAct() {
    assertEquals(
        List.of("client_ip operator 198.51.100.0/24"),
        line(effect(ListKind.BLOCK, "198.51.100.0/24", null).adds()));
    assertEquals(
        List.of("helo operator liar.example"),
        line(effect(ListKind.BLOCK, "liar.example scope=helo", null).adds()));
    world.allow("198.51.100.7");
    EntryEffect equal = effect(ListKind.BLOCK, "198.51.100.7", null);
    assertEquals(List.of(), equal.adds());
    assertEquals(
        List.of("the block of 198.51.100.7 does not act: allowed by entry e1 (198.51.100.7)"),
        equal.notes());
    world.protect("loopback", "127.0.0.0/8");
    assertEquals(
        List.of("the block of 127.0.0.1 does not act: protected by never_block: loopback"),
        effect(ListKind.BLOCK, "127.0.0.1", null).notes());
  }
}

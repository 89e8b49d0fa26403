package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules over several lists: when they are met, what they count, and what lifts them. */
class ListRuleTest {

  private static final long SEED = 0x52_1e5L;
  private static final int FEEDS = 6;

  /** Numbers of what is asked beside the feeds: a DNS list and a sign. */
  private static final int DNS = FEEDS;

  private static final int SIGN = FEEDS + 1;
  private static final int ALL = FEEDS + 2;
  private static final int RULE_SETS = 30;
  private static final String IP = "203.0.113.7";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void startEmpty() {
    world = new World(directory);
  }

  private Verdict decide(String client, String helo, String from) {
    return world.decide(session(client, helo, from));
  }

  @Test
  void aRuleSparesKnownSendersAndOneListDoesNot() {
    world
        .feed("a", Action.OBSERVE, IP)
        .feed("b", Action.TAG, "203.0.113.0/24")
        .anyUnlessKnown("weak", 2, Action.REJECT, "a", "b")
        .known("203.0.113.0/28", "partner.example");
    assertEquals("reject client_ip weak a,b", line(decide(IP, "", "")));
    assertEquals("reject client_ip weak a,b", line(decide(IP, "", "x@b.example")));
    Verdict spared = decide(IP, "", "x@partner.example");
    assertEquals("tag client_ip b 203.0.113.0/24", line(spared), "what a list does alone stays");
    assertEquals(
        List.of(new Grounds.Pardon.KnownSender()),
        spared.grounds().pardoned().stream().map(Grounds.Pardoned::pardon).toList());
    world.feed("hard", Action.REJECT, IP);
    assertEquals(
        "reject client_ip hard 203.0.113.7",
        line(decide(IP, "", "x@partner.example")),
        "one exact list refuses a known sender too");
    world.any("all-senders", 2, Action.REJECT, "a", "b").withoutRule("hard");
    assertEquals("reject client_ip all-senders a,b", line(decide(IP, "", "x@partner.example")));
  }

  @Test
  void exemptRecipientsAndNetworksAreSpared() {
    world
        .feed("a", Action.OBSERVE, IP)
        .feed("b", Action.OBSERVE, IP)
        .any("weak", 2, Action.REJECT, "a", "b");
    Verdict spared = world.decide(to(session(IP, "", ""), "postmaster"));
    assertInstanceOf(Verdict.Accept.class, spared);
    assertEquals(Waiver.EXEMPT_RECIPIENT, spared.grounds().waiver());
    assertTrue(spared.grounds().refusedButForRecipient(), "such a client gets no connection early");
    world.exemptNetwork("203.0.113.0/24");
    assertEquals("accept", line(decide(IP, "", "")));
  }

  @Test
  void rulesDoNotCountWhereACheckFailed() {
    world
        .feed("a", Action.OBSERVE, IP)
        .feed("b", Action.OBSERVE, IP)
        .any("weak", 2, Action.REJECT, "a", "b")
        .onError(OnError.ACCEPT);
    List<Ground> standing = new ArrayList<>(decide(IP, "", "").grounds().standing());
    Findings findings = new Findings();
    standing.forEach(findings::add);
    findings.add(
        new Ground.Failed(standing.getFirst().check(), standing.getFirst().subject(), "x"));
    assertEquals("accept", line(findings.verdict(world.policy(), 1)));
  }

  @Test
  void anAnswerOfADnsListCountsLikeAListing() {
    world
        .feed("a", Action.OBSERVE, IP)
        .feed("zen", Action.OBSERVE)
        .any("weak", 2, Action.REJECT, "a", "zen");
    DnsListing answer = World.answer("zen", Check.CLIENT_IP, IP);
    Facts facts = session(IP, "", "").withDns(List.of(answer));
    assertEquals("reject client_ip weak a,zen", line(world.decide(facts)));
    assertTrue(couldCount(facts));
    world.protect("private", "203.0.113.0/24");
    assertEquals("accept", line(world.decide(facts)), "a protected client is no DNS list's");
    assertFalse(couldCount(facts));
    world = new World(directory).feed("zen", Action.REJECT);
    assertEquals("reject client_ip zen 127.0.0.2 from zen.example", line(world.decide(facts)));
    assertTrue(couldCount(facts));
    world.allow(IP);
    assertEquals("accept", line(world.decide(facts)));
    assertFalse(couldCount(facts));
    world = new World(directory).feed("other", Action.REJECT);
    assertEquals("accept", line(world.decide(facts)), "a list that was switched off");
  }

  private boolean couldCount(Facts facts) {
    return Gather.couldCount(
        facts, Check.CLIENT_IP, facts.client(), world.lists(), world.policy(), World.NOW);
  }

  /**
   * All 2^n sets of what feeds list, a DNS list answers and the session shows, for random rules,
   * against a plain count.
   */
  @Test
  void agreesWithAPlainCountForEverySetOfListings() {
    for (int i = 0; i < FEEDS; i++) {
      List<String> lines = new ArrayList<>();
      for (int set = 0; set < 1 << FEEDS; set++) {
        if ((set >> i & 1) != 0) {
          lines.add("203.0.113." + set);
        }
      }
      world.feed("f" + i, Action.OBSERVE, lines.toArray(String[]::new));
    }
    world.snapshot();
    Random random = new Random(SEED);
    for (int round = 0; round < RULE_SETS; round++) {
      World rules = new World(directory).snapshot(world.snapshot());
      int[] family = new int[ALL];
      for (int i = 0; i < FEEDS; i++) {
        rules.feed("f" + i, Action.OBSERVE);
        family[i] = random.nextInt(3) == 0 ? random.nextInt(FEEDS) : i;
        rules.family("g" + family[i], "f" + i);
      }
      family[DNS] = random.nextInt(3) == 0 ? random.nextInt(FEEDS) : DNS;
      rules.feed("dns", Action.OBSERVE).family("g" + family[DNS], "dns");
      family[SIGN] = SIGN;
      rules.signs(Map.of(Sign.EARLY_TALKER, Action.OBSERVE));
      rules.snapshot(world.snapshot());
      List<Integer> of = new ArrayList<>();
      for (int i = 0; i < ALL; i++) {
        if (random.nextBoolean()) {
          of.add(i);
        }
      }
      boolean all = random.nextInt(4) == 0;
      int needed = all ? of.size() : 1 + random.nextInt(3);
      String[] names = of.stream().map(ListRuleTest::name).toArray(String[]::new);
      if (all) {
        rules.all("rule", Action.REJECT, names);
      } else {
        rules.any("rule", needed, Action.REJECT, names);
      }
      for (int set = 0; set < 1 << ALL; set++) {
        String expected =
            !of.isEmpty() && plainCount(set, of, all, family) >= needed ? "reject" : "accept";
        assertEquals(
            expected,
            rules.decide(showing(set)).key(),
            "seed " + SEED + " round " + round + " set " + set + " of " + of + " needed " + needed);
      }
    }
  }

  private static String name(int number) {
    return number == DNS ? "dns" : number == SIGN ? Sign.EARLY_TALKER.key() : "f" + number;
  }

  /** A session of the client that the feeds of this set list. */
  private static Facts showing(int set) {
    String client = "203.0.113." + (set & (1 << FEEDS) - 1);
    Facts facts = session(client, "", "");
    Seen seen = new Seen(ClientName.UNKNOWN, null, null, (set >> SIGN & 1) != 0);
    return (set >> DNS & 1) == 0
        ? facts.withSeen(seen)
        : facts.withSeen(seen).withDns(List.of(World.answer("dns", Check.CLIENT_IP, client)));
  }

  private static int plainCount(int set, List<Integer> of, boolean all, int[] family) {
    Set<Integer> counted = new HashSet<>();
    for (int feed : of) {
      if ((set >> feed & 1) != 0) {
        counted.add(all ? feed : family[feed]);
      }
    }
    return counted.size();
  }
}

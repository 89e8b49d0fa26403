package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for every decision, tried on random worlds: few addresses and names, so that entries,
 * listings and sessions meet all the time.
 */
class DecisionPropertiesTest {

  private static final long SEED = 0x0dec_1de5_0003L;
  private static final int WORLDS = 12;
  private static final int SESSIONS = 150;

  private static final List<String> NETWORKS =
      List.of(
          "203.0.113.1",
          "203.0.113.2",
          "203.0.113.0/30",
          "203.0.113.0/24",
          "198.51.100.1",
          "198.51.100.0/24",
          "2001:db8::1",
          "2001:db8::/48");
  private static final List<String> CLIENTS =
      List.of("203.0.113.1", "203.0.113.2", "198.51.100.1", "198.51.100.2", "2001:db8::1");
  private static final List<String> NAMES =
      List.of("a.example", "m.a.example", "b.example", "m.b.example");
  private static final List<String> ADDRESSES =
      List.of("x@a.example", "y@m.a.example", "x@b.example");
  private static final List<String> RECIPIENTS =
      List.of("bob", "postmaster", "x@quiet.example", "sales", "x@strict.example");

  @TempDir private Path directory;
  private final Random random = new Random(SEED);

  private String any(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }

  private String feedLine() {
    String exception = random.nextInt(10) == 0 ? "!" : "";
    return exception
        + switch (random.nextInt(4)) {
          case 0 -> any(List.of("=", "*.", "")) + any(NAMES);
          case 1 -> any(ADDRESSES);
          default -> any(NETWORKS);
        };
  }

  private String operatorLine(ListKind list) {
    String expiry =
        any(List.of("", "", " expires=2026-11-21T07:30:00Z", " expires=2026-11-21T07:30:01Z"));
    boolean allow = list == ListKind.ALLOW;
    return switch (random.nextInt(3)) {
          case 0 -> any(NETWORKS) + any(List.of("", "", " scope=client_ip", " scope=helo"));
          case 1 ->
              any(NAMES)
                  + any(List.of("", " scope=helo", " scope=sender,sender_domain"))
                  + any(List.of("", "", " from=203.0.113.0/24"));
          default ->
              any(ADDRESSES)
                  + (allow && random.nextInt(6) == 0 ? " scope=any" : "")
                  + any(List.of("", "", " from=198.51.100.0/24"));
        }
        + expiry;
  }

  /** Asks for an action together what does not refuse alone. */
  private void ask(World world) {
    world.feed("dns", any(Action.values()));
    world.signs(
        Map.of(
            Sign.EARLY_TALKER,
            any(Action.OBSERVE, Action.TAG, Action.REJECT),
            Sign.HELO_LITERAL_OF_OTHER,
            Action.OBSERVE));
    world.any(
        "weak",
        1 + random.nextInt(3),
        any(Action.TAG, Action.GREYLIST, Action.REJECT),
        "observe",
        "tag",
        "dns",
        "early_talker",
        "helo_literal_of_other");
  }

  private Action any(Action... actions) {
    return actions[random.nextInt(actions.length)];
  }

  private World world(int number) {
    World world = new World(directory.resolve("w" + number));
    createDirectory(directory.resolve("w" + number));
    for (Action action : Action.values()) {
      Set<String> lines = new TreeSet<>();
      for (int n = random.nextInt(5); n > 0; n--) {
        lines.add(feedLine());
      }
      world.feed(action.key(), action, lines.toArray(new String[0]));
    }
    for (int n = random.nextInt(4); n > 0; n--) {
      world.allow(operatorLine(ListKind.ALLOW));
    }
    for (int n = random.nextInt(4); n > 0; n--) {
      world.block(operatorLine(ListKind.BLOCK));
    }
    ask(world);
    if (random.nextInt(4) == 0) {
      world.protect(any(List.of("downstream", "private")), any(NETWORKS));
    }
    world.profile("quiet.example", RecipientProfile.OFF);
    world.profile(
        "sales@", new RecipientProfile("tag-only", Action.TAG, Action.TAG, true, Map.of()));
    world.profile(
        ".example",
        new RecipientProfile(
            "strict",
            Action.REJECT,
            Action.REJECT,
            random.nextBoolean(),
            Map.of(
                "observe",
                Optional.of(Action.REJECT),
                "tag",
                Optional.empty(),
                "weak",
                Optional.of(Action.TAG))));
    if (random.nextInt(5) == 0) {
      world.exemptNetwork(any(NETWORKS));
    }
    return world;
  }

  private static void createDirectory(Path path) {
    try {
      java.nio.file.Files.createDirectory(path);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Facts session() {
    String client = any(CLIENTS);
    String helo = any(List.of("", "m.a.example", "b.example", "[203.0.113.2]"));
    Facts facts =
        World.session(
            client,
            helo,
            any(List.of("", "x@a.example", "y+t@m.a.example", "z@b.example", "q@m.b.example")));
    List<DnsListing> answers = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      answers.add(World.answer("dns", Check.CLIENT_IP, client));
    }
    if (facts.senderDomain() != null && random.nextInt(4) == 0) {
      answers.add(World.answer("dns", Check.SENDER_DOMAIN, facts.senderDomain().toString()));
    }
    Seen seen =
        new Seen(
            ClientName.UNKNOWN, HeloKeys.address(helo).orElse(null), null, random.nextInt(5) == 0);
    return World.to(facts.withSeen(seen).withDns(answers), any(RECIPIENTS));
  }

  private static int strictness(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accept ignored -> 0;
      case Verdict.Tag ignored -> 1;
      case Verdict.Greylist ignored -> 2;
      case Verdict.Tempfail ignored -> 3;
      case Verdict.Reject ignored -> 4;
    };
  }

  /** Answers as the snapshot does, but fails for some keys. */
  private static ListSnapshot failingSometimes(ListSnapshot snapshot, int which) {
    return new ListSnapshot() {
      @Override
      public long generation() {
        return snapshot.generation();
      }

      @Override
      public ListAnswer ask(ListKey key) {
        if (Math.floorMod(key.toString().hashCode(), 3) == which) {
          throw new InternalError("unreadable");
        }
        return snapshot.ask(key);
      }
    };
  }

  @Test
  void anAllowEntryNeverMakesAVerdictStricter() {
    int lifted = 0;
    for (int i = 0; i < WORLDS; i++) {
      World world = world(i);
      Policy policy =
          world.onError(random.nextBoolean() ? OnError.ACCEPT : OnError.TEMPFAIL).policy();
      Lists whole = world.lists();
      Lists lists =
          random.nextInt(3) == 0
              ? new Lists(
                  failingSometimes(whole.snapshot(), random.nextInt(3)),
                  whole.operator(),
                  whole.lastSuccess())
              : whole;
      for (int j = 0; j < SESSIONS; j++) {
        Facts facts = session();
        String line = operatorLine(ListKind.ALLOW);
        List<OperatorEntry> more = new ArrayList<>(world.entries());
        more.add(World.operatorEntry("new", ListKind.ALLOW, line));
        Lists with = new Lists(lists.snapshot(), OperatorView.of(more), lists.lastSuccess());
        Verdict before = Gather.verdict(facts, lists, policy, World.NOW);
        Verdict after = Gather.verdict(facts, with, policy, World.NOW);
        int number = i;
        assertTrue(
            strictness(after) <= strictness(before),
            () ->
                "seed "
                    + SEED
                    + " world "
                    + number
                    + ": allow "
                    + line
                    + " made "
                    + World.line(before)
                    + " to "
                    + World.line(after)
                    + " for "
                    + facts);
        lifted += strictness(after) < strictness(before) ? 1 : 0;
      }
    }
    assertTrue(lifted > WORLDS, "the worlds must meet: lifted " + lifted);
  }

  @Test
  void rejectAlwaysHasAGroundThatStandsAndIsExactOrAsked() {
    int rejected = 0;
    int asked = 0;
    for (int i = 0; i < WORLDS; i++) {
      World world = world(i);
      Policy policy = world.policy();
      for (int j = 0; j < SESSIONS; j++) {
        Facts facts = session();
        Verdict verdict = Gather.verdict(facts, world.lists(), policy, World.NOW);
        if (verdict instanceof Verdict.Reject(Ground.Found ground, Grounds grounds)) {
          rejected++;
          asked += ground instanceof Ground.Asked ? 1 : 0;
          int number = i;
          assertEquals(
              ground,
              grounds.standing().getFirst(),
              () -> "seed " + SEED + " world " + number + " " + facts);
          assertTrue(isProven(ground, world, facts), () -> "seed " + SEED + " " + facts);
        }
      }
    }
    assertTrue(rejected > WORLDS, "the worlds must meet: rejected " + rejected);
    assertTrue(
        asked > WORLDS && asked < rejected, "some by what is asked: " + asked + " of " + rejected);
  }

  @Test
  void aProfileBoundsEachVerdictAndOffRefusesNothing() {
    int bounded = 0;
    for (int i = 0; i < WORLDS; i++) {
      World world = world(i);
      Policy policy = world.onError(any(OnError.values())).policy();
      Lists lists = world.lists();
      ListSnapshot failing = failingSometimes(lists.snapshot(), random.nextInt(3));
      for (int j = 0; j < SESSIONS; j++) {
        Facts facts = session();
        Lists asked = random.nextInt(4) == 0 ? lists.pinnedTo(failing) : lists;
        Verdict usual = Gather.verdict(World.to(facts, "bob"), asked, policy, World.NOW);
        Verdict tagged = Gather.verdict(World.to(facts, "sales"), asked, policy, World.NOW);
        Verdict off = Gather.verdict(World.to(facts, "x@quiet.example"), asked, policy, World.NOW);
        int number = i;
        assertTrue(
            strictness(tagged) <= 1 && strictness(off) == 0,
            () -> "seed " + SEED + " world " + number + " " + facts);
        assertTrue(
            usual.refuses()
                || strictness(tagged) <= strictness(usual)
                || asked.snapshot().equals(failing),
            () -> "seed " + SEED + " world " + number + " " + facts);
        bounded += strictness(tagged) < strictness(usual) ? 1 : 0;
      }
    }
    assertTrue(bounded > WORLDS, "the worlds must meet: bounded " + bounded);
  }

  private OnError any(OnError... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Asks the lists themselves, without the engine. */
  private static boolean isProven(Ground.Found ground, World world, Facts facts) {
    return switch (ground) {
      case Ground.Listed listed ->
          world.snapshot().ask(listed.subject()) instanceof ListAnswer.Listed answer
              && answer.listings().stream()
                  .anyMatch(l ->
                      l.feed().equals(listed.source())
                          && l.entry().equals(listed.listing().entry()));
      case Ground.BySign sign ->
          sign.sign() == Sign.EARLY_TALKER
              ? facts.seen().early()
              : sign.sign() == Sign.HELO_LITERAL_OF_OTHER
                  && !facts.client().equals(facts.seen().heloAddress());
      case Ground.ByDns answer -> facts.dns().contains(answer.listing());
      case Ground.RuleMet met ->
          met.counted().stream().allMatch(listed -> isProven(listed, world, facts));
      case Ground.Blocked blocked ->
          world.entries().contains(blocked.block())
              && !blocked.block().expiredAt(World.NOW)
              && (blocked.block().from() == null
                  || blocked.block().from().contains(facts.client()));
    };
  }

  @Test
  void theOrderOfFeedsAndEntriesChangesNothingButNames() {
    for (int i = 0; i < WORLDS; i++) {
      World world = world(i);
      Lists lists = world.lists();
      List<OperatorEntry> shuffled = new ArrayList<>(world.entries());
      Collections.shuffle(shuffled, random);
      Lists other =
          new Lists(shuffling(lists.snapshot()), OperatorView.of(shuffled), lists.lastSuccess());
      Policy policy = world.policy();
      for (int j = 0; j < SESSIONS; j++) {
        Facts facts = session();
        int number = i;
        assertEquals(
            World.line(Gather.verdict(facts, lists, policy, World.NOW)),
            World.line(Gather.verdict(facts, other, policy, World.NOW)),
            () -> "seed " + SEED + " world " + number + " " + facts);
      }
    }
  }

  private ListSnapshot shuffling(ListSnapshot snapshot) {
    return new ListSnapshot() {
      @Override
      public long generation() {
        return snapshot.generation();
      }

      @Override
      public ListAnswer ask(ListKey key) {
        return switch (snapshot.ask(key)) {
          case ListAnswer.Listed(String filter, var listings) -> {
            var mixed = new ArrayList<>(listings);
            Collections.shuffle(mixed, random);
            yield new ListAnswer.Listed(filter, mixed);
          }
          case ListAnswer other -> other;
        };
      }
    };
  }
}

package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static io.bloomgate.blocklists.decision.World.to;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What profiles leave of verdicts, and who has which of them. */
class RecipientProfileTest {

  private static final String IP = "203.0.113.7";
  private static final String HOST = "evil.example";
  private static final long SEED = 0x0dec_1de5_0037L;
  private static final int PROFILES = 30;

  @TempDir private Path directory;
  private World world;

  @BeforeEach
  void empty() {
    world = new World(directory);
  }

  private static RecipientProfile most(Action most) {
    return new RecipientProfile("most-" + most.key(), most, most, true, Map.of());
  }

  private static RecipientProfile other(String list, Action action) {
    return new RecipientProfile(
        "other", Action.REJECT, Action.REJECT, true, Map.of(list, Optional.of(action)));
  }

  private static RecipientProfile without(String... names) {
    Map<String, Optional<Action>> none = new HashMap<>();
    for (String name : names) {
      none.put(name, Optional.empty());
    }
    return new RecipientProfile("without", Action.REJECT, Action.REJECT, true, none);
  }

  private Verdict decide(String recipient) {
    return world.decide(to(session(IP, "h.example", "a@b.example"), recipient));
  }

  /** A mail from a client that no list has, with a link. */
  private Verdict content(String recipient) {
    Facts mail = to(session("192.0.2.1", "", "a@c.example"), recipient);
    return world.decide(mail.withContent(new Content(List.of(link()))));
  }

  private static ContentKey link() {
    return new ContentKey(Check.URL_HOST, World.domain(HOST), Place.OPEN);
  }

  private static String profile(Verdict verdict) {
    Grounds.Profile profile = verdict.grounds().profile();
    return profile == null ? "" : profile.words();
  }

  // who has which

  @ParameterizedTest
  @CsvSource({
    "sales@example.com, sales@example.com",
    "sales@a.example.com, sales@",
    "sales+x@example.com, example.com",
    "bob@example.com, example.com",
    "bob@a.example.com, .a.example.com",
    "bob@x.a.example.com, .a.example.com",
    "bob@b.example.com, .example.com",
    "bob@notexample.com, ''",
    "bob@com, ''"
  })
  void theNarrowestEntryNamesTheProfile(String recipient, String entry) {
    for (String each :
        List.of(".example.com", "sales@", "example.com", "sales@example.com", ".a.example.com")) {
      world.profile(each, RecipientProfile.OFF);
    }
    Recipients.Own own =
        world.policy().recipients().of(to(session(IP, "", ""), recipient).recipient(), World.NOW);
    assertEquals(entry, own == null || own.named() == null ? "" : own.named().entry());
  }

  @Test
  void recipientsOfOthersAndNoneHaveNoProfile() {
    world.profile("example.com", RecipientProfile.OFF);
    Recipients recipients = world.policy().recipients();
    assertNull(recipients.of(new Facts.Recipient("bob", "example.com", false), World.NOW));
    assertNull(recipients.of(null, World.NOW));
    assertNotNull(
        recipients.of(new Facts.Recipient("postmaster", "", true), World.NOW), "it is exempt");
  }

  // what it leaves

  @Test
  void offRefusesAndTagsNothingAndSaysWhy() {
    world
        .feed("drop", Action.REJECT, IP)
        .feed("links", Action.REJECT, HOST)
        .block(IP)
        .profile("quiet.example.com", RecipientProfile.OFF);
    Verdict verdict = decide("bob@quiet.example.com");
    assertEquals("accept", line(verdict));
    assertEquals("off (quiet.example.com)", profile(verdict));
    assertEquals(Grounds.Waiver.PROFILE, verdict.grounds().waiver());
    assertEquals(2, verdict.grounds().pardoned().size(), "the list and the block");
    assertEquals("accept", line(content("bob@quiet.example.com")));
    assertEquals("reject", decide("bob").key());
    assertEquals("", profile(decide("bob")));
  }

  private static Ground.Found ground(Verdict verdict) {
    return (Ground.Found) Objects.requireNonNull(verdict.decidedBy());
  }

  @Test
  void aWeakenedListingSaysThatItIsTheProfile() {
    world.feed("drop", Action.REJECT, IP).profile("sales@", most(Action.TAG));
    Ground.Found ground = ground(decide("sales"));
    assertEquals(Ground.Weakness.PROFILE, ground.weakness());
    assertEquals(Action.TAG, ground.action());
  }

  /** What such a list names may not make its sender a good one. */
  @Test
  void mailThatAListNamesWhichDoesNotCountIsNotCalledClean() {
    world
        .signs(Map.of(Sign.EARLY_TALKER, Action.TAG))
        .feed("psbl", Action.REJECT, IP)
        .profile("x@", without("psbl"));
    assertEquals("without (x@)", profile(decide("x")));
    assertEquals("", profile(content("x")), "nothing names it");
  }

  @Test
  void contentOfExemptRecipientsTags() {
    world.feed("links", Action.REJECT, HOST);
    assertEquals("reject", content("bob").key());
    Verdict tagged = content("postmaster");
    assertEquals("tag", tagged.key());
    assertEquals(Ground.Weakness.EXEMPT, ground(tagged).weakness());
  }

  // one mail for several recipients

  private boolean alike(String one, String other) {
    Policy policy = world.policy();
    Facts facts = session(IP, "", "");
    return policy.decidesContentAlike(
        policy.recipients().of(to(facts, one).recipient(), World.NOW),
        policy.recipients().of(to(facts, other).recipient(), World.NOW),
        world.lists(),
        World.NOW);
  }

  @Test
  void recipientsShareAMailWhileItsContentIsDecidedOnAlike() {
    world
        .profile("quiet@", RecipientProfile.OFF)
        .profile("sales@", most(Action.TAG))
        .profile("strict@", other("psbl", Action.REJECT))
        .feed("psbl", Action.TAG, EnumSet.of(Check.CLIENT_IP), IP);
    for (String one : List.of("bob", "quiet", "sales", "strict", "postmaster")) {
      assertTrue(alike("bob", one), one + ": no list looks at content");
    }
    world.feed("links", Action.TAG, EnumSet.of(Check.URL_HOST), HOST);
    assertTrue(alike("bob", "postmaster"), "a tag is the most in any case");
    assertTrue(alike("sales", "strict"));
    assertFalse(alike("bob", "quiet"));
    world.feed("more", Action.REJECT, EnumSet.of(Check.URL_HOST));
    assertFalse(alike("bob", "postmaster"));
    assertFalse(alike("bob", "sales"));
    assertTrue(alike("sales", "postmaster"));
    assertTrue(alike("bob", "strict"));
  }

  @Test
  void ownBlocksOfContentKeepRecipientsApart() {
    assertTrue(alike("bob", "postmaster"));
    world.block("evil.example scope=url_host");
    assertFalse(alike("bob", "postmaster"));
    assertEquals("reject", content("bob").key());
    assertEquals("tag", content("postmaster").key());
  }

  @Test
  void rulesAboutContentKeepRecipientsApart() {
    world
        .feed("links", Action.OBSERVE, EnumSet.of(Check.URL_HOST), HOST)
        .feed("psbl", Action.OBSERVE, EnumSet.of(Check.CLIENT_IP), IP)
        .feed("cbl", Action.OBSERVE, EnumSet.of(Check.CLIENT_IP), IP)
        .any("two", 2, Action.REJECT, "links", "psbl", "cbl")
        .profile("x@", without("cbl"))
        .profile("y@", without("two"));
    assertFalse(alike("bob", "x"));
    assertFalse(alike("bob", "y"));
  }

  // against a plain reading of the settings

  /** All sets of what lists say and the session shows, for random profiles, counted plainly. */
  @Test
  void agreesWithAPlainReadingForEverySetOfListings() {
    Random random = new Random(SEED);
    Action[] usual = {Action.OBSERVE, Action.TAG, Action.GREYLIST, Action.TEMPFAIL, Action.REJECT};
    int bits = usual.length + 2;
    int block = usual.length;
    int sign = usual.length + 1;
    World lists = new World(directory);
    List<String> blocked = new ArrayList<>();
    for (int i = 0; i < usual.length; i++) {
      List<String> lines = new ArrayList<>();
      for (int set = 0; set < 1 << bits; set++) {
        if ((set >> i & 1) != 0) {
          lines.add("203.0.113." + set);
        }
      }
      lists.feed("f" + i, usual[i], lines.toArray(String[]::new));
    }
    for (int set = 0; set < 1 << bits; set++) {
      if ((set >> block & 1) != 0) {
        blocked.add("203.0.113." + set);
      }
    }
    for (int round = 0; round < PROFILES; round++) {
      Action most = usual[random.nextInt(usual.length)];
      boolean greylist = random.nextBoolean() || most == Action.GREYLIST;
      Map<String, Optional<Action>> actions = new HashMap<>();
      for (String name : List.of("f0", "f1", "f2", "f3", "f4", "early_talker", "rule")) {
        switch (random.nextInt(4)) {
          case 0 -> actions.put(name, Optional.empty());
          case 1 -> actions.put(name, Optional.of(usual[random.nextInt(usual.length)]));
          default -> {}
        }
      }
      World one = new World(directory).snapshot(lists.snapshot());
      for (int i = 0; i < usual.length; i++) {
        one.feed("f" + i, usual[i]);
      }
      one.signs(Map.of(Sign.EARLY_TALKER, Action.TAG))
          .any("rule", 2, Action.REJECT, "f0", "f1", "early_talker")
          .block(blocked.toArray(String[]::new))
          .profile("x@", new RecipientProfile("p", most, most, greylist, actions))
          .snapshot(lists.snapshot());
      for (int set = 0; set < 1 << bits; set++) {
        Map<String, Action> said = new HashMap<>();
        for (int i = 0; i < usual.length; i++) {
          if ((set >> i & 1) != 0) {
            said.put("f" + i, usual[i]);
          }
        }
        if ((set >> sign & 1) != 0) {
          said.put("early_talker", Action.TAG);
        }
        String expected = plainly(said, (set >> block & 1) != 0, most, greylist, actions);
        Seen seen = new Seen(ClientName.UNKNOWN, null, null, (set >> sign & 1) != 0);
        Facts facts = to(session("203.0.113." + set, "", "").withSeen(seen), "x");
        assertEquals(
            expected,
            one.decide(facts).key(),
            "seed " + SEED + " round " + round + " set " + set + " " + most + greylist + actions);
      }
    }
  }

  private static String plainly(
      Map<String, Action> said,
      boolean blocked,
      Action most,
      boolean greylist,
      Map<String, Optional<Action>> actions) {
    List<Action> effects = new ArrayList<>();
    int counted = 0;
    for (Map.Entry<String, Action> each : said.entrySet()) {
      Optional<Action> own = actions.getOrDefault(each.getKey(), Optional.of(each.getValue()));
      if (own.isPresent()) {
        effects.add(own.get());
        counted += Set.of("f0", "f1", "early_talker").contains(each.getKey()) ? 1 : 0;
      }
    }
    if (counted >= 2) {
      actions.getOrDefault("rule", Optional.of(Action.REJECT)).ifPresent(effects::add);
    }
    if (blocked) {
      effects.add(Action.REJECT);
    }
    Action strongest = Action.OBSERVE;
    for (Action effect : effects) {
      Action bounded = effect.compareTo(most) > 0 ? most : effect;
      if (bounded == Action.GREYLIST && !greylist) {
        bounded = Action.OBSERVE;
      }
      strongest = bounded.compareTo(strongest) > 0 ? bounded : strongest;
    }
    return strongest == Action.OBSERVE ? "accept" : strongest.key();
  }
}

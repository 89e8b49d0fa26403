package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mail of trusted forwarders: whom it is judged by, and that nothing refuses it. */
class ForwarderTest {

  private static final String FORWARDER = "192.0.2.25";
  private static final String ORIGIN = "203.0.113.7";

  @TempDir private Path directory;
  private World world;

  @BeforeEach
  void forwarder() {
    world = empty();
  }

  private World empty() {
    World made = new World(directory);
    made.forwarders.add(World.prefix("192.0.2.0/24"));
    return made;
  }

  private static Facts envelope() {
    return session(FORWARDER, "h.spam.example", "a@spam.example");
  }

  /** The same once the header of the mail is known. */
  private static Facts behind() {
    Facts facts = envelope();
    return facts
        .withSeen(facts.seen().withForwarder(World.ip(FORWARDER)))
        .forwardedFor(World.ip(ORIGIN));
  }

  private static Weakness weakness(Verdict verdict) {
    return assertInstanceOf(Ground.Found.class, verdict.decidedBy()).weakness();
  }

  @ParameterizedTest
  @EnumSource(
      value = Action.class,
      names = {"TAG", "GREYLIST", "TEMPFAIL", "REJECT"})
  void whatAListNamesIsTagged(Action action) {
    for (String listed : List.of(FORWARDER, "h.spam.example", "spam.example")) {
      world = empty().feed("list", action, listed);
      Verdict verdict = world.decide(envelope());
      assertInstanceOf(Verdict.Tag.class, verdict, listed);
      assertEquals(action == Action.TAG ? Weakness.NONE : Weakness.FORWARDED, weakness(verdict));
    }
    world.feed("list", action, ORIGIN);
    assertInstanceOf(Verdict.Accept.class, world.decide(envelope()));
    assertInstanceOf(Verdict.Tag.class, world.decide(behind()));
  }

  @Test
  void contentTags() {
    world.feed("list", Action.REJECT, Set.of(Check.URL_HOST), "evil.example");
    Content link =
        new Content(
            List.of(new ContentKey(Check.URL_HOST, World.domain("evil.example"), Place.OPEN)));
    assertInstanceOf(Verdict.Tag.class, world.decide(behind().withContent(link)));
    assertInstanceOf(Verdict.Tag.class, world.decide(envelope().withContent(link)));
  }

  @Test
  void aProfileThatDoesLessCounts() {
    world.feed("list", Action.REJECT, ORIGIN);
    world.profile("bob@example.com", RecipientProfile.OFF);
    Facts bob = behind().withRecipient(new Facts.Recipient("bob", "example.com", true));
    assertInstanceOf(Verdict.Accept.class, world.decide(bob));
    Facts root = behind().withRecipient(new Facts.Recipient("postmaster", "example.com", true));
    assertInstanceOf(Verdict.Accept.class, world.decide(root));
    world.profile(
        "bob@example.com", new RecipientProfile("x", Action.REJECT, Action.REJECT, true, Map.of()));
    assertInstanceOf(Verdict.Tag.class, world.decide(bob));
  }
}

package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of decision in gateway/README.md: what allow entries pardon, and what operator blocks they
 * lift.
 */
class AllowRulesTest {

  private static final String LISTED_IP = "203.0.113.7";
  private static final String CLEAN_IP = "198.51.100.1";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void listEachKindOnce() {
    world =
        new World(directory)
            .feed("drop", Action.REJECT, "203.0.113.0/24", "2001:db8:bad::/48")
            .feed("names", Action.REJECT, "spam.example", "=helo.example", "x@mail.example");
  }

  private String decide(String client, String helo, String from) {
    return line(world.decide(session(client, helo, from)));
  }

  @Test
  void withoutEntriesEachKindRefuses() {
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "", ""));
    assertEquals("reject helo names helo.example", decide(CLEAN_IP, "helo.example", ""));
    assertEquals("reject sender names x@mail.example", decide(CLEAN_IP, "", "x@mail.example"));
    assertEquals("reject sender_domain names spam.example", decide(CLEAN_IP, "", "a@spam.example"));
    assertEquals("accept", decide(CLEAN_IP, "mail.other.example", "a@other.example"));
  }

  @Test
  void allowedHostInAListedRange() {
    world.allow(LISTED_IP);
    assertEquals("accept", decide(LISTED_IP, "", ""));
    assertEquals("reject client_ip drop 203.0.113.0/24", decide("203.0.113.8", "", ""));
  }

  /** The block goes, and then the allow entry that lifted it: at no moment was it refused. */
  @Test
  void aDecisionSeesNoHalfOfTwoChanges() {
    world.allow(CLEAN_IP).block(CLEAN_IP);
    Lists before = world.lists();
    AtomicReference<OperatorView> now = new AtomicReference<>(before.operator());
    OperatorView changing =
        new OperatorView() {
          @Override
          public List<OperatorEntry> covering(ListKind list, ListKey key, Instant at) {
            if (list == ListKind.ALLOW) {
              now.set(OperatorView.EMPTY);
            }
            return Objects.requireNonNull(now.get()).covering(list, key, at);
          }

          @Override
          public Object version() {
            return Objects.requireNonNull(now.get());
          }
        };
    Lists lists = new Lists(before.snapshot(), changing, before.lastSuccess());
    assertEquals(
        "accept",
        line(Gather.verdict(session(CLEAN_IP, "", ""), lists, world.policy(), World.NOW)));
    assertEquals(OperatorView.EMPTY, now.get(), "they changed while it was made");
  }

  @Test
  void allowedRangeAroundAListedHost() {
    world.feed("hosts", Action.REJECT, CLEAN_IP).allow("198.51.100.0/24");
    assertEquals("accept", decide(CLEAN_IP, "", ""));
  }

  @Test
  void allowedIpPardonsHeloAndSenderOfThatSession() {
    world.allow(LISTED_IP);
    assertEquals("accept", decide(LISTED_IP, "helo.example", "x@mail.example"));
    assertEquals("accept", decide(LISTED_IP, "helo.example", "a@spam.example"));
    assertEquals("reject helo names helo.example", decide(CLEAN_IP, "helo.example", ""));
  }

  @Test
  void allowedMappedAddressIsItsIpv4() {
    world.allow("::ffff:203.0.113.7");
    assertEquals("accept", decide(LISTED_IP, "", ""));
    assertEquals("accept", decide("::ffff:203.0.113.7", "", ""));
  }

  @Test
  void allowedDomainPardonsItselfAndBelow() {
    world.allow("spam.example");
    assertEquals("accept", decide(CLEAN_IP, "", "a@spam.example"));
    assertEquals("accept", decide(CLEAN_IP, "", "a@deep.mail.spam.example"));
  }

  @Test
  void allowedDomainPardonsListedAddressesAtIt() {
    world.allow("mail.example");
    assertEquals("accept", decide(CLEAN_IP, "", "x@mail.example"));
  }

  @Test
  void allowedDomainNeverPardonsTheClient() {
    world.allow("spam.example");
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "", "a@spam.example"));
  }

  @Test
  void allowedDomainDoesNotPardonHelo() {
    world.allow("helo.example");
    assertEquals(
        "reject helo names helo.example", decide(CLEAN_IP, "helo.example", "a@helo.example"));
  }

  @Test
  void allowedAddressPardonsItsSenderAndDomainOnly() {
    world.allow("a@spam.example");
    assertEquals("accept", decide(CLEAN_IP, "", "A@Spam.Example"));
    assertEquals("reject sender_domain names spam.example", decide(CLEAN_IP, "", "b@spam.example"));
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "", "a@spam.example"));
  }

  @Test
  void allowedAddressCoversItsTaggedForms() {
    world.allow("x@mail.example");
    assertEquals("accept", decide(CLEAN_IP, "", "x+news@mail.example"));
    assertEquals("accept", decide(CLEAN_IP, "", "prvs=0123456789=x@mail.example"));
  }

  @Test
  void nameWithFromPardonsEveryKindInsideTheNetwork() {
    world.allow("spam.example from=203.0.113.0/28");
    assertEquals("accept", decide(LISTED_IP, "helo.example", "a@spam.example"));
    assertEquals(
        "reject client_ip drop 203.0.113.0/24", decide("203.0.113.77", "", "a@spam.example"));
    assertEquals(
        "reject client_ip drop 203.0.113.0/24",
        decide(LISTED_IP, "", "a@other.example"),
        "both must match");
    assertEquals(
        "reject sender_domain names spam.example",
        decide(CLEAN_IP, "", "a@spam.example"),
        "outside it pardons not even the name");
  }

  @Test
  void anyScopePardonsAllOnTheNameAlone() {
    world.allow("spam.example scope=any");
    assertEquals("accept", decide(LISTED_IP, "helo.example", "a@spam.example"));
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "", "a@b.example"));
  }

  @Test
  void explicitScopeNarrows() {
    world.allow("203.0.113.7 scope=helo");
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "helo.example", ""));
    world.allow("203.0.113.7 scope=client_ip");
    assertEquals("accept", decide(LISTED_IP, "helo.example", ""));
    assertEquals(
        "reject sender_domain names spam.example", decide(LISTED_IP, "", "a@spam.example"));
  }

  @Test
  void scopeHeloOfADomainIsAboutHelo() {
    world.allow("helo.example scope=helo");
    assertEquals("accept", decide(CLEAN_IP, "helo.example", "a@other.example"));
    assertEquals("reject sender_domain names helo.example", decide(CLEAN_IP, "", "a@helo.example"));
  }

  @Test
  void expiredAllowPardonsNothing() {
    world.allow("203.0.113.7 expires=2026-11-21T07:30:00Z");
    assertEquals("reject client_ip drop 203.0.113.0/24", decide(LISTED_IP, "", ""));
    world.allow("203.0.113.7 expires=2026-11-21T07:30:01Z scope=client_ip");
    assertEquals("accept", decide(LISTED_IP, "", ""));
  }

  @Test
  void pardonedGroundsStayInTheEvidence() {
    world.allow("203.0.113.7 # partner");
    Grounds grounds = world.decide(client(LISTED_IP)).grounds();
    assertEquals(List.of(), grounds.standing());
    assertEquals(1, grounds.pardoned().size());
    assertEquals(
        new Pardon.Allowed(world.entries().getFirst()), grounds.pardoned().getFirst().pardon());
  }

  @Test
  void operatorBlockRefuses() {
    world.block(CLEAN_IP, "bad.example", "y@fine.example", "liar.example scope=helo");
    assertEquals("reject client_ip operator 198.51.100.1", decide(CLEAN_IP, "", ""));
    assertEquals(
        "reject sender_domain operator bad.example", decide("192.0.2.1", "", "a@m.bad.example"));
    assertEquals(
        "reject sender operator y@fine.example", decide("192.0.2.1", "", "y+t@fine.example"));
    assertEquals("accept", decide("192.0.2.1", "", "z@fine.example"));
    assertEquals("reject helo operator liar.example", decide("192.0.2.1", "mx.liar.example", ""));
    assertEquals("accept", decide("192.0.2.1", "bad.example", "a@liar.example"), "other checks");
  }

  @Test
  void operatorBlockOfANetworkCanMeanItsHeloLiteral() {
    world.block("192.0.2.0/24 scope=helo");
    assertEquals("reject helo operator 192.0.2.0/24", decide(CLEAN_IP, "[192.0.2.9]", ""));
    assertEquals("accept", decide("192.0.2.9", "", ""));
  }

  @Test
  void operatorBlockWithFromHoldsInsideOnly() {
    world.block("partner.example from=198.51.100.0/24");
    assertEquals(
        "reject sender_domain operator partner.example", decide(CLEAN_IP, "", "a@partner.example"));
    assertEquals("accept", decide("192.0.2.1", "", "a@partner.example"));
  }

  @Test
  void expiredBlockRefusesNothing() {
    world.block("198.51.100.1 expires=2026-11-21T07:30:00Z");
    assertEquals("accept", decide(CLEAN_IP, "", ""));
  }

  @Test
  void ofOneKindTheNarrowerWins() {
    world.block("198.51.100.0/24").allow("198.51.100.1");
    assertEquals("accept", decide(CLEAN_IP, "", ""));
    assertEquals("reject client_ip operator 198.51.100.0/24", decide("198.51.100.2", "", ""));
    world.allow("192.0.2.0/24", "partner.example").block("192.0.2.9", "bad@partner.example");
    assertEquals("reject client_ip operator 192.0.2.9", decide("192.0.2.9", "", ""));
    assertEquals("accept", decide("192.0.2.8", "", "good@partner.example"));
    assertEquals(
        "reject sender operator bad@partner.example",
        decide("192.0.2.8", "", "bad@partner.example"));
  }

  @Test
  void ofNamesTheDeeperDomainAndTheAddressWin() {
    world.block("firm.example").allow("mail.firm.example", "boss@firm.example");
    assertEquals("accept", decide(CLEAN_IP, "", "a@mail.firm.example"));
    assertEquals("accept", decide(CLEAN_IP, "", "boss@firm.example"));
    assertEquals(
        "reject sender_domain operator firm.example", decide(CLEAN_IP, "", "a@x.firm.example"));
  }

  @Test
  void ofEqualEntriesTheAllowWins() {
    world.block("198.51.100.1", "firm.example", "a@b.example", "liar.example scope=helo");
    world.allow("198.51.100.1", "firm.example", "a@b.example", "liar.example scope=helo");
    assertEquals("accept", decide(CLEAN_IP, "liar.example", "x@firm.example"));
    assertEquals("accept", decide(CLEAN_IP, "liar.example", "a@b.example"));
  }

  @Test
  void acrossKindsAPardonLiftsNoBlock() {
    world.block("firm.example", "liar.example scope=helo").allow(CLEAN_IP);
    assertEquals(
        "reject sender_domain operator firm.example", decide(CLEAN_IP, "", "a@firm.example"));
    assertEquals("reject helo operator liar.example", decide(CLEAN_IP, "liar.example", ""));
    world.block("192.0.2.1").allow("partner.example from=192.0.2.0/24", "vip.example scope=any");
    assertEquals(
        "reject client_ip operator 192.0.2.1", decide("192.0.2.1", "", "a@partner.example"));
    assertEquals("reject client_ip operator 192.0.2.1", decide("192.0.2.1", "", "a@vip.example"));
  }

  @Test
  void operatorBlockRefusesAlthoughAFeedListingIsAllowed() {
    world.allow("spam.example").block("spam.example scope=helo");
    assertEquals("accept", decide(CLEAN_IP, "", "a@spam.example"));
    assertEquals(
        "reject helo operator spam.example", decide(CLEAN_IP, "spam.example", "a@spam.example"));
  }
}

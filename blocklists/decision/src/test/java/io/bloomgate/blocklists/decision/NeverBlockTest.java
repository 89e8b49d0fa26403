package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static io.bloomgate.blocklists.decision.World.session;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of decision in gateway/README.md: never_block. */
class NeverBlockTest {

  private static final String CLEAN = "192.0.2.200";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void startEmpty() {
    world = new World(directory);
  }

  private String decide(String client, String helo, String from) {
    return line(world.decide(session(client, helo, from)));
  }

  @Test
  void voidsListingsEqualToAroundAndInsideAProtectedRange() {
    world
        .feed("equal", Action.REJECT, "10.1.0.0/16")
        .feed("around", Action.REJECT, "10.0.0.0/12")
        .feed("inside", Action.REJECT, "10.1.2.3")
        .feed("beside", Action.REJECT, "10.2.0.0/16")
        .protect("private", "10.1.0.0/16");
    Grounds grounds = world.decide(client("10.1.2.3")).grounds();
    assertEquals(List.of(), grounds.standing());
    assertEquals(3, grounds.pardoned().size());
    assertEquals(new Pardon.NeverBlocked("private"), grounds.pardoned().getFirst().pardon());
    assertEquals(
        "reject client_ip beside 10.2.0.0/16",
        decide("10.2.0.1", "", ""),
        "the listing around is void for others too");
  }

  /** The mail server's network may be a provider's, full of strangers. */
  @ParameterizedTest
  @ValueSource(strings = {"downstream", "protect", "own"})
  void aHostFreesItselfAndNotTheNetworkAroundIt(String set) {
    world
        .feed("around", Action.REJECT, "198.51.0.0/16")
        .feed("equal", Action.REJECT, "198.51.100.7")
        .protect(set, "198.51.100.7");
    assertEquals("accept", decide("198.51.100.7", "", ""));
    assertEquals("accept", decide(CLEAN, "[198.51.100.7]", ""));
    assertEquals("reject client_ip around 198.51.0.0/16", decide("198.51.100.8", "", ""));
  }

  @Test
  void voidsListingsOfThatVeryNameOnly() {
    world
        .feed("drop", Action.REJECT, "gmail.com", "spam.gmail.com", "x@gmail.com", "*.yahoo.com")
        .protect("mail-providers", "gmail.com", "yahoo.com");
    assertEquals("accept", decide(CLEAN, "", "a@gmail.com"));
    assertEquals("accept", decide(CLEAN, "gmail.com", "a@mail.gmail.com"));
    assertEquals("accept", decide(CLEAN, "", "a@x.yahoo.com"));
    assertEquals("reject sender drop x@gmail.com", decide(CLEAN, "", "x@gmail.com"));
    assertEquals("reject sender_domain drop spam.gmail.com", decide(CLEAN, "", "a@spam.gmail.com"));
  }

  @Test
  void ownDomainsWithADotProtectWhatIsBelow() {
    world.feed("drop", Action.REJECT, "mail.corp.example").protect("domains", ".corp.example");
    assertEquals("accept", decide(CLEAN, "", "a@mail.corp.example"));
  }

  @Test
  void voidsASuffixAroundAProtectedNameForOthersToo() {
    world
        .feed("drop", Action.REJECT, "example.net", "*.corp.example")
        .protect("domains", "mail.example.net", ".eu.corp.example");
    assertEquals("accept", decide(CLEAN, "", "a@mail.example.net"));
    assertEquals("accept", decide(CLEAN, "", "a@other.example.net"));
    assertEquals("accept", decide(CLEAN, "", "a@us.corp.example"));
  }

  @Test
  void anExactNameAboveAProtectedOneStaysListed() {
    world.feed("drop", Action.REJECT, "=example.net").protect("domains", "mail.example.net");
    assertEquals("reject sender_domain drop example.net", decide(CLEAN, "", "a@example.net"));
    assertEquals("accept", decide(CLEAN, "", "a@mail.example.net"));
  }

  @Test
  void namesBelowAMailProviderAreProtectedForHeloOnly() {
    world
        .feed("drop", Action.REJECT, "mail.gmx.example", "gmx2.example")
        .protect("mail-providers", "gmx.example")
        .protect("domains", "gmx2.example");
    assertEquals("accept", decide(CLEAN, "mout7.mail.gmx.example", ""));
    assertEquals(
        "reject sender_domain drop mail.gmx.example", decide(CLEAN, "", "a@x.mail.gmx.example"));
  }

  @Test
  void theProvidersNetworksAndHostsAreProtectedAsShipped() {
    world.feed(
        "drop",
        Action.REJECT,
        "40.92.0.0/15",
        "209.85.128.0/17",
        "104.47.58.33",
        "outbound.protection.outlook.com");
    world.protect(
        ProtectedSet.of(Set.of(NeverBlock.MAIL_PROVIDERS), List.of(), List.of(), List.of())
            .getFirst());
    assertEquals("accept", decide("40.92.58.33", "", "a@b.example"));
    assertEquals("accept", decide("209.85.220.41", "mail-sor-f41.google.com", "a@b.example"));
    assertEquals("accept", decide("104.47.58.33", "", "a@b.example"));
    assertEquals("accept", decide(CLEAN, "nam02.outbound.protection.outlook.com", "a@b.example"));
  }

  @Test
  void voidsListingsOfPublicSuffixes() {
    world.feed("drop", Action.REJECT, "co.uk", "*.github.io", "spam.co.uk").protectPublicSuffixes();
    assertEquals("accept", decide(CLEAN, "", "a@honest.co.uk"));
    assertEquals("accept", decide(CLEAN, "", "a@honest.github.io"));
    assertEquals("reject sender_domain drop spam.co.uk", decide(CLEAN, "", "a@spam.co.uk"));
  }

  @Test
  void pardonsNothingElseOfTheSession() {
    world.feed("drop", Action.REJECT, "10.0.0.9", "b.example").protect("private", "10.0.0.0/8");
    assertEquals("reject sender_domain drop b.example", decide("10.0.0.9", "", "a@b.example"));
  }

  @Test
  void anOperatorBlockBeatsIt() {
    world
        .block("10.0.0.9", "gmail.com")
        .protect("private", "10.0.0.0/8")
        .protect("mail-providers", "gmail.com");
    assertEquals("reject client_ip operator 10.0.0.9", decide("10.0.0.9", "", ""));
    assertEquals("reject sender_domain operator gmail.com", decide(CLEAN, "", "a@gmail.com"));
  }

  @Test
  void downstreamAndLoopbackBeatEvenTheOperator() {
    world
        .block("127.0.0.0/8", "10.0.0.0/8", "::1")
        .protect("loopback", "127.0.0.0/8", "::1")
        .protect("downstream", "10.0.0.5");
    assertEquals("accept", decide("127.0.0.1", "", ""));
    assertEquals("accept", decide("::1", "", ""));
    assertEquals("accept", decide("10.0.0.5", "", ""));
    assertEquals(
        "reject client_ip operator 10.0.0.0/8",
        decide("10.0.0.6", "", ""),
        "the rest of a blocked network stays blocked");
  }
}

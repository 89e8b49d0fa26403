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
}

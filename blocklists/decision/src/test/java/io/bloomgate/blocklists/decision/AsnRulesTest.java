package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.JoinedSnapshot;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule.Where;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** AS numbers and countries: conditions of rules, and lists of AS numbers. */
class AsnRulesTest {

  private static final String IP = "203.0.113.7";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void theClientIsInATable() {
    world =
        new World(directory)
            .table(
                "table", "203.0.113.0/24 64500 FR", "198.51.100.0/24 64501 -", "192.0.2.0/24 - IT")
            .feed(
                "weak",
                Action.OBSERVE,
                Set.of(Check.CLIENT_IP),
                "203.0.113.7",
                "198.51.100.7",
                "192.0.2.7",
                "100.1.2.3");
  }

  private String decide(String address) {
    return line(world.decide(client(address)));
  }

  private static Where where(String asns, String countries) {
    Set<AsNumber> numbers =
        words(asns).stream()
            .map(word -> AsNumber.parse(word).toOptional().orElseThrow())
            .collect(Collectors.toSet());
    return new Where(numbers, words(countries));
  }

  private static Set<String> words(String text) {
    return text.isEmpty() ? Set.of() : Set.of(text.split(" ", -1));
  }

  // conditions of rules

  @ParameterizedTest
  @CsvSource({
    "64500, '', 203.0.113.7",
    "'', FR, 203.0.113.7",
    "64500, FR, 203.0.113.7",
    "64500 64501, '', 198.51.100.7",
    "'', FR IT, 192.0.2.7"
  })
  void aRuleIsForClientsInSuchNetworks(String asns, String countries, String address) {
    world.anyFrom(where(asns, countries), "far", Action.REJECT, "weak");
    assertTrue(decide(address).startsWith("reject client_ip far weak,"), decide(address));
  }

  @ParameterizedTest
  @CsvSource({
    "64500, IT, 203.0.113.7",
    "64501, FR, 203.0.113.7",
    "'', FR, 198.51.100.7",
    "64500, '', 192.0.2.7",
    "64500, FR, 100.1.2.3"
  })
  void andForNobodyElse(String asns, String countries, String address) {
    world.anyFrom(where(asns, countries), "far", Action.REJECT, "weak");
    assertEquals("accept", decide(address));
  }

  /** Promise P2: nothing refuses by the network alone, whatever the condition says. */
  @Test
  void withoutAListingTheNetworkDoesNothing() {
    world.anyFrom(where("64500", "FR"), "far", Action.REJECT, "weak");
    assertEquals("accept", decide("203.0.113.8"));
    assertEquals(List.of(), world.decide(client("203.0.113.8")).grounds().standing());
  }

  @Test
  void aWholeNetworkCountsWhenAllOfItIsThere() {
    world
        .feed("wide", Action.OBSERVE, "203.0.0.0/16")
        .anyFrom(where("64500", ""), "far", Action.REJECT, "wide");
    Facts inside = Facts.of(World.prefix("203.0.113.0/25"), null, List.of(), null, null);
    assertEquals("reject client_ip far wide,AS64500/FR", line(world.decide(inside)));
    Facts around = Facts.of(World.prefix("203.0.112.0/23"), null, List.of(), null, null);
    assertEquals("accept", line(world.decide(around)));
  }

  // lists of AS numbers

  private World drop(Action action) {
    return world.feed("asn-drop", action, Set.of(Check.ASN), "AS64500", "AS64999");
  }

  @Test
  void aListedNumberRefusesAsAnyListing() {
    drop(Action.REJECT);
    assertEquals("reject asn asn-drop AS64500", decide(IP));
    assertEquals("accept", decide("198.51.100.7"));
    assertEquals("accept", decide("100.1.2.3"));
  }

  @Test
  void whatAllowsOrProtectsTheClientLiftsIt() {
    drop(Action.REJECT);
    World allowed = world.allow("203.0.113.7");
    assertEquals("accept", line(allowed.decide(client(IP))));
    assertEquals("reject asn asn-drop AS64500", decide("203.0.113.8"));
    world.protect("mail-providers", "203.0.113.8/32");
    assertEquals("accept", decide("203.0.113.8"), "a provider in a listed network stays");
  }

  @Test
  void itCountsInRules() {
    drop(Action.OBSERVE).any("both", 2, Action.REJECT, "weak", "asn-drop");
    assertTrue(decide(IP).startsWith("reject client_ip both weak,asn-drop"), decide(IP));
    assertEquals("accept", decide("203.0.113.8"));
  }

  @Test
  void itCountsForNoMoreThanItsTable() {
    drop(Action.REJECT).aged("table", Duration.ofDays(4), Duration.ofDays(3), Duration.ofDays(14));
    assertEquals("tag asn asn-drop AS64500", decide(IP));
    world.aged("table", Duration.ofDays(15), Duration.ofDays(3), Duration.ofDays(14));
    assertEquals("accept", decide(IP));
  }

  // cost

  /** Counts what is asked. */
  private static final class Asked implements ListSnapshot {
    private final ListSnapshot inner;
    private int asn;

    Asked(ListSnapshot inner) {
      this.inner = inner;
    }

    @Override
    public long generation() {
      return inner.generation();
    }

    @Override
    public ListAnswer ask(ListKey key) {
      return inner.ask(key);
    }

    @Override
    public long mayList(KeyBatch batch) {
      return inner.mayList(batch);
    }

    @Override
    public List<AsnAnswer> asn(IpPrefix network) {
      asn++;
      return inner.asn(network);
    }
  }

  @Test
  void cleanMailDoesNotAskTheTableForRulesAlone() {
    world.anyFrom(where("64500", ""), "far", Action.REJECT, "weak");
    Asked asked = new Asked(world.snapshot());
    world.snapshot(asked);
    assertEquals("accept", decide("203.0.113.8"));
    assertEquals(0, asked.asn);
    assertEquals("reject client_ip far weak,AS64500/FR", decide(IP));
    assertEquals(1, asked.asn);
    assertFalse(world.policy().asked().asnLists());
  }

  @Test
  void listsThatAreTriedBesideTheLiveOnesMayHaveATable() throws Exception {
    ListSnapshot live =
        new World(Files.createDirectory(directory.resolve("live")))
            .feed("none", Action.TAG)
            .snapshot();
    ListSnapshot both = new JoinedSnapshot(live, world.snapshot());
    assertEquals(1, both.asn(World.prefix(IP)).size());
  }
}

package io.bloomgate.blocklists.decision;

import static io.bloomgate.blocklists.decision.World.client;
import static io.bloomgate.blocklists.decision.World.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AS numbers where a client is a network, and what their tables are asked. */
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

  private static final Where OF_64500 =
      new Where(Set.of(AsNumber.parse("AS64500").toOptional().orElseThrow()), Set.of());

  @Test
  void aWholeNetworkCountsWhenAllOfItIsThere() {
    world
        .feed("wide", Action.OBSERVE, "203.0.0.0/16")
        .anyFrom(OF_64500, "far", Action.REJECT, "wide");
    Facts inside = Facts.of(World.prefix("203.0.113.0/25"), null, List.of(), null, null);
    assertEquals("reject client_ip far wide,AS64500/FR", line(world.decide(inside)));
    Facts around = Facts.of(World.prefix("203.0.112.0/23"), null, List.of(), null, null);
    assertEquals("accept", line(world.decide(around)));
  }

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
    world.anyFrom(OF_64500, "far", Action.REJECT, "weak");
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

package io.bloomgate.blocklists;

import static io.bloomgate.config.settings.MemorySettings.STRONG;
import static io.bloomgate.config.settings.MemorySettings.WEAK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.memory.OtherNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The own memories of two nodes of a fleet, which hear and ask each other. */
final class FleetMemoryTest {

  private final Map<String, MemoryStage> stages = new HashMap<>();
  private final Map<String, Boolean> connected = new HashMap<>();
  private final Map<String, String> kept = new HashMap<>();
  private final List<String> sent = new ArrayList<>();
  private boolean isRedisAway;

  @TempDir private Path folder;
  private MemoryStage first;
  private MemoryStage second;

  /** The other node, as one of them sees it. */
  private record Seen(FleetMemoryTest fleet, String node) implements OtherNodes {
    @Override
    public Optional<Map<String, Boolean>> connected() {
      Map<String, Boolean> others = new HashMap<>(fleet.connected);
      others.remove(node);
      return fleet.isRedisAway ? Optional.empty() : Optional.of(others);
    }

    @Override
    public void tell(String text) {
      fleet.sent.add(text);
      fleet.stages.forEach((name, stage) -> {
        if (!name.equals(node)) {
          assertTrue(stage.heard(text), text);
        }
      });
    }

    @Override
    public void keep(String name, String text) {
      fleet.kept.put(node + " " + name, text);
    }

    @Override
    public Optional<String> kept(String node, String name) {
      return Optional.ofNullable(fleet.kept.get(node + " " + name));
    }
  }

  @BeforeEach
  void open() throws IOException {
    first = stage("mx1");
    second = stage("mx2");
  }

  private MemoryStage stage(String node) throws IOException {
    Path state = Files.createDirectories(folder.resolve(node));
    connected.put(node, true);
    MemoryStage stage =
        new MemoryStage(
            state,
            """
            traps: {keep: 30d}
            fleet: {node: %s, redis: 'redis://127.0.0.1:6379'}
            """
                .formatted(node),
            new Seen(this, node),
            node);
    stages.put(node, stage);
    return stage;
  }

  @AfterEach
  void close() throws IOException {
    for (MemoryStage stage : stages.values()) {
      stage.close();
    }
  }

  /** Each node asks, is answered and writes its lists. */
  private void passed(Duration time) {
    for (int turn = 0; turn < 3; turn++) {
      stages.values().forEach(stage -> stage.passed(time.dividedBy(3)));
    }
  }

  private List<String> texts(MemoryStage stage, String list) throws IOException {
    return stage.list(list).stream().filter(MemoryStage.print(MemoryStage.TEXT)::equals).toList();
  }

  @Test
  void sightingsOfTwoNodesAreTwoSightings() throws IOException {
    first.spam("192.0.2.1", "one@first.example", MemoryStage.TEXT);
    second.spam("198.51.100.1", "two@second.example", MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(1, texts(first, STRONG).size(), "as mx1 lists it");
    assertEquals(first.list(STRONG), second.list(STRONG));
  }

  @Test
  void whatAnotherNodeAcceptedIsListedNowhere() throws IOException {
    second.accepted("203.0.113.7", "friend@partner.example", MemoryStage.TEXT);
    first.strangers(MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(List.of(), texts(first, STRONG));
    assertEquals(List.of(), texts(first, WEAK));
  }

  @Test
  void whatANodeHasNotAnsweredYetIsNotListed() throws IOException {
    first.strangers(MemoryStage.TEXT);
    first.passed(Duration.ofDays(2));
    assertEquals(List.of(), texts(first, STRONG), "mx2 has not said whether it accepted that");
    assertEquals(List.of(), texts(first, WEAK));
    connected.put("mx2", false);
    assertEquals(1, texts(first, WEAK).size(), "a node that is away accepts no mail, but it did");
    assertEquals(List.of(), texts(first, STRONG));
    connected.remove("mx2");
    assertEquals(1, texts(first, STRONG).size(), "nobody waits for a node that is gone for long");
  }

  @Test
  void aNodeThatDoesNotKnowItsGoodMailLetsNothingBeRefused() throws IOException {
    second.forgetsSessions();
    first.strangers(MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(List.of(), texts(first, STRONG));
    assertEquals(1, texts(first, WEAK).size());
  }

  @Test
  void withoutRedisAStartedNodeRefusesNothing() throws IOException {
    first.strangers(MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    isRedisAway = true;
    first.restart();
    assertEquals(List.of(), texts(first, STRONG));
    assertEquals(1, texts(first, WEAK).size());
  }

  @Test
  void aReportOfGoodMailCountsOnAllNodes() throws IOException {
    first.strangers(MemoryStage.TEXT);
    second.good("192.0.2.1", "one@first.example", MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(List.of(), texts(first, STRONG));
    assertEquals(List.of(), texts(first, WEAK));
  }

  /** A node that starts reads again what it sent itself. */
  @Test
  void whatIsHeardAgainIsNoNewSighting() throws IOException {
    first.spam("192.0.2.1", "one@first.example", MemoryStage.TEXT);
    String old = sent.getFirst();
    passed(Duration.ofDays(20));
    first.spam("198.51.100.1", "two@second.example", MemoryStage.TEXT);
    assertTrue(first.heard(old));
    passed(Duration.ofDays(20));
    assertEquals(1, texts(first, STRONG).size(), "30 days from the last sighting");
    passed(Duration.ofDays(20));
    assertTrue(first.heard(old));
    passed(Duration.ofDays(1));
    assertEquals(List.of(), texts(first, WEAK));
  }

  @Test
  void aNodeThatRemembersNothingKeepsNobodyFromTagging() throws IOException {
    connected.put("mx3", true);
    first.strangers(MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(List.of(), texts(first, STRONG), "nobody knows what mx3 accepted");
    assertEquals(1, texts(first, WEAK).size());
    assertTrue(first.alarms().getFirst().contains("mx3"), first.alarms().toString());
    connected.remove("mx3");
    assertEquals(1, texts(first, STRONG).size());
    assertEquals(List.of(), first.alarms());
  }

  /** Its last question stays in Redis for days, and nobody answers for it. */
  @Test
  void aMemoryThatIsSwitchedOffKeepsNobodyFromTagging() throws IOException {
    first.strangers(MemoryStage.TEXT);
    passed(Duration.ofHours(6));
    assertEquals(1, texts(first, STRONG).size());
    second.switchOff();
    passed(Duration.ofHours(6));
    assertEquals(List.of(), texts(first, STRONG), "nobody knows what mx2 accepts now");
    assertEquals(1, texts(first, WEAK).size());
    assertTrue(first.alarms().getFirst().contains("mx2"), first.alarms().toString());
  }

  @Test
  void nonsenseIsNoSighting() {
    for (String text : List.of("", "{}", "{\"at\":1}", "{\"keys\":[\"*\"]}")) {
      assertFalse(first.heard(text), text);
    }
  }
}

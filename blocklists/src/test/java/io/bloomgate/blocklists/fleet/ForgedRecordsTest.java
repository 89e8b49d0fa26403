package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.resps.StreamEntry;

/** Records in a real Redis that no administrator asked for. */
class ForgedRecordsTest {

  private static final String STREAM = "test:entries";
  private static final String FORGED =
      "{\"node\":\"mx9\",\"seq\":9,\"at\":1,\"author\":\"eve\",\"command\":\"allow"
          + " add\",\"changes\":"
          + "[{\"list\":\"allow\",\"entry\":\"spam.example\",\"author\":\"eve\",\"created\":1}]}";

  @TempDir private Path folder;

  private ForgedStage forged;
  private FleetStage stage;
  private RealRedis redis;
  private RedisServer admin;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    forged = new ForgedStage(folder);
    stage = forged.stage;
    redis = forged.redis;
    admin = forged.admin;
  }

  @AfterEach
  void close() throws Exception {
    if (forged != null) {
      forged.close();
    }
  }

  private void forge(StreamEntryID id, Map<String, String> fields) {
    admin.commands().xadd(STREAM, id, fields);
  }

  private boolean isAlarmed(String words) {
    return stage.alarms.stream().anyMatch(text -> text.contains(words));
  }

  private void awaitEntries(int count) {
    stage.await(
        count + " entries everywhere",
        () -> stage.equal() && stage.nodes.getFirst().all().size() == count);
  }

  private static boolean hasForged(Node node) {
    return node.all().toString().contains("spam.example");
  }

  @Test
  void aRecordOfTheFutureIsRefusedAndTheFleetGoesOn() throws Exception {
    stage.three(redis.address());
    stage.nodes.getFirst().put(ListKind.ALLOW, "a.example", "before");
    awaitEntries(1);
    for (int i = 1; i <= 3; i++) {
      forge(new StreamEntryID(9_999_999_999_999L, i), Map.of("r", FORGED));
      stage.nodes.get(i - 1).put(ListKind.ALLOW, "a.example", "after " + i);
      stage.nodes.get(i % 3).put(ListKind.BLOCK, "b" + i + ".example", "after");
      awaitEntries(1 + i);
      stage.await("the stream is started over", () -> newest() < 9_999_999_999_999L);
      String reason = "after " + i;
      stage.await(
          "the later reason", () -> stage.nodes.getLast().all().toString().contains(reason));
    }
    assertTrue(isAlarmed("after that of Redis"), stage.alarms::toString);
    assertTrue(stage.nodes.stream().noneMatch(ForgedRecordsTest::hasForged));
    redis.command("XADD " + STREAM + " 18446744073709551615-18446744073709551615 r x");
    stage.nodes.getFirst().put(ListKind.BLOCK, "d.example", "after the last number of all");
    awaitEntries(5);
    redis.command("FLUSHALL");
    stage.nodes.getFirst().put(ListKind.BLOCK, "c.example", "after the loss");
    awaitEntries(6);
    stage.await("a stream of now", () -> newest() > 0 && newest() < 9_999_999_999_999L);
  }

  private long newest() {
    List<StreamEntry> last =
        admin.commands().xrevrange(STREAM, (StreamEntryID) null, (StreamEntryID) null, 1);
    return last.isEmpty() ? 0 : last.getFirst().getID().getTime();
  }

  @Test
  void nodesNoticeThatTheStreamWasRemoved() throws Exception {
    stage.three(redis.address());
    stage.nodes.getFirst().put(ListKind.ALLOW, "a.example", "before");
    awaitEntries(1);
    redis.command("DEL " + STREAM);
    stage.await("added again", () -> newest() > 0);
    stage.node("mx4", redis.address());
    awaitEntries(1);
  }

  @Test
  void aRecordWithoutTheSecretIsRefusedAndACopyCountsOnce() throws Exception {
    forged.useSecret();
    stage.three(redis.address());
    Node first = stage.nodes.getFirst();
    first.put(ListKind.ALLOW, "a.example", "of alice");
    awaitEntries(1);
    Map<String, String> proven =
        admin.commands().xrevrange(STREAM, (StreamEntryID) null, (StreamEntryID) null, 10).stream()
            .map(StreamEntry::getFields)
            .filter(fields -> fields.getOrDefault("r", "").contains("a.example"))
            .findFirst()
            .orElseThrow();
    first.remove(ListKind.ALLOW, "a.example");
    awaitEntries(0);
    forge(StreamEntryID.NEW_ENTRY, Map.of("r", FORGED));
    forge(StreamEntryID.NEW_ENTRY, Map.of("r", FORGED, "m", proven.getOrDefault("m", "")));
    forge(StreamEntryID.NEW_ENTRY, proven);
    stage.nodes.get(1).put(ListKind.BLOCK, "b.example", "behind the forged ones");
    awaitEntries(1);
    stage.await("all read it", () -> stage.nodes.get(1).shared.skipped() == 3);
    assertTrue(isAlarmed("fleet.secret_file"), stage.alarms::toString);
    stage.await("its own record is known to it", () -> first.shared.skipped() == 2);
    assertFalse(first.all().toString().contains("a.example"));
  }

  @Test
  void aNodeWithoutTheSecretChangesNothingAtTheOthers() throws Exception {
    Node without = stage.node("mx9", redis.address());
    forged.useSecret();
    Node with = stage.node("mx1", redis.address());
    stage.awaitConnected();
    without.put(ListKind.ALLOW, "spam.example", "of a node that is not of us");
    stage.await("refused", () -> with.shared.skipped() > 0);
    assertFalse(hasForged(with));
  }

  /** As the handbook says: one node after the other gets the new one. */
  @Test
  void aNewSecretOnAllNodesEndsWithEqualLists() throws Exception {
    forged.useSecret();
    stage.three(redis.address());
    stage.nodes.getFirst().put(ListKind.ALLOW, "a.example", "with the old secret");
    awaitEntries(1);
    forged.useSecret("fedcba9876543210-secret");
    for (int i = 1; i <= 3; i++) {
      String name = "mx" + i;
      Node old = stage.nodes.getFirst();
      assertEquals(name, old.shared.node());
      stage.stop(old);
      stage.node(name, redis.address()).put(ListKind.BLOCK, name + ".example", "with the new one");
    }
    awaitEntries(4);
    stage.awaitConnected();
  }

  /** As with a server that sends its replies octet by octet. */
  @Test
  void aHeartbeatThatHangsIsNoticedAndTheLeaderEndsInTime() throws Exception {
    Node node = stage.node("mx1", redis.address());
    stage.await("it leads", node::leads);
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<String> hanging = new CompletableFuture<>();
    node.generation =
        () -> {
          asked.complete(null);
          return hanging.join();
        };
    stage.await("it hangs", asked::isDone);
    node.skipped = Duration.ofSeconds(11);
    stage.await("noticed", () -> node.shared.problem().contains("the heartbeat for 10 s"));
    stage.await("it leads no more", () -> !node.leads());
    assertFalse(node.shared.isConnected());
    hanging.complete("g2");
    stage.await("works again", () -> node.shared.isConnected() && node.leads());
  }
}

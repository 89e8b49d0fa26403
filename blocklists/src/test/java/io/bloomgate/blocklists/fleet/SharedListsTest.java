package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.SharedRecord;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.StreamEntryID;

/** Operator entries of three nodes and a real server that is stopped, killed and emptied. */
class SharedListsTest {

  @TempDir private Path folder;

  private FleetStage stage;

  @BeforeEach
  void needsRedis() {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    stage = new FleetStage(folder);
  }

  @AfterEach
  void close() throws Exception {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  void oneNodeLeadsAndAnotherOneWhenItGoes() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      stage.three(redis.address());
      stage.await("a leader", () -> stage.nodes.stream().anyMatch(FleetStage.Node::leads));
      List<Node> leading = stage.nodes.stream().filter(FleetStage.Node::leads).toList();
      assertEquals(1, leading.size());
      stage.stop(leading.getFirst());
      stage.await("another leader", () -> stage.nodes.stream().anyMatch(FleetStage.Node::leads));
      assertEquals(1, stage.nodes.stream().filter(FleetStage.Node::leads).count());
    }
  }

  @Test
  void anEntryIsOnAllNodesAndTheCommandSaysSo() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      Node early = stage.node("mx1", redis.address());
      early.put(ListKind.ALLOW, "early.example", "before the others came");
      stage.node("mx2", redis.address());
      stage.node("mx3", redis.address());
      stage.await("three nodes known", () -> stage.known() == 3);
      stage.await("the early entry everywhere", stage::equal);
      stage.nodes.get(1).put(ListKind.BLOCK, "203.0.113.0/24", "x");
      stage.awaitConfirmed(stage.nodes.get(1));
      assertTrue(stage.equal(), "confirmed and not there");
      stage.nodes.get(2).put(ListKind.BLOCK, "203.0.113.0/24", "y");
      stage.awaitConfirmed(stage.nodes.get(2));
      stage.nodes.getFirst().remove(ListKind.BLOCK, "203.0.113.0/24");
      stage.await("the removal everywhere", () -> stage.equal() && early.all().size() == 1);
      // Both authors are in the audit of a node that gave no command about it.
      List<String> audit =
          stage.nodes.get(1).lists.audit(Instant.EPOCH, Long.MAX_VALUE).records().stream()
              .map(record -> record.author())
              .toList();
      assertTrue(audit.containsAll(List.of("alice@mx3", "bob@mx1", "alice")), audit.toString());
    }
  }

  @Test
  void aQuestionIsAnsweredByTheNodeThatKnows() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      stage.three(redis.address());
      stage.await("three nodes known", () -> stage.known() == 3);
      for (int i = 0; i < 3; i++) {
        String own = "id" + i;
        stage
            .nodes
            .get(i)
            .shared
            .answerBy(id -> Optional.of("of " + id).filter(_ -> id.equals(own)));
      }
      Optional<SharedLists.Elsewhere> known =
          Optional.of(new SharedLists.Elsewhere("mx3", "of id2"));
      stage.await("an answer", () -> stage.nodes.getFirst().shared.ask("id2").equals(known));
      assertEquals(Optional.empty(), stage.nodes.getFirst().shared.ask("id7"));
    }
  }

  @Test
  void theUserOfTheHandbookMayDoAllThatIsNeeded() throws Exception {
    String handbook = Files.readString(Path.of("../config/README.md"));
    int start = handbook.indexOf("redis-cli ACL SETUSER ");
    String line = handbook.substring(start, handbook.indexOf('\n', start));
    assertTrue(line.contains(" '>SECRET' "), "a shell takes > for a file");
    String[] words = line.replace("'", "").split(" ");
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer admin = RedisServer.at(redis.address())) {
      CommandArguments command = new CommandArguments(Protocol.Command.ACL);
      for (String word : List.of(words).subList(2, words.length)) {
        command.add(word);
      }
      admin.commands().executeCommand(command);
      RedisAddress user = RedisAddress.read("redis://bloomgate:SECRET@127.0.0.1:" + redis.port());
      stage.prefix = "bloomgate:";
      Node first = stage.node("mx1", user);
      Node second = stage.node("mx2", user);
      stage.await("two nodes known", () -> stage.known() == 2);
      first.put(ListKind.ALLOW, "a.example", "x");
      stage.await("the entry everywhere", () -> stage.equal() && second.all().size() == 1);
      second.shared.answerBy(Optional::of);
      stage.await("an answer", () -> first.shared.ask("id").isPresent());
      stage.awaitConfirmed(first);
      assertEquals(List.of(), stage.alarms);
    }
  }

  @Test
  void whatOneNodeDidIsDoneOnceByAllOthers() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      List<String> done = new CopyOnWriteArrayList<>();
      stage.three(redis.address());
      for (Node node : stage.nodes) {
        node.shared.actBy((act, author) -> done.add(act.kind() + act.value() + author));
      }
      stage.nodes.getFirst().shared.tell(new SharedRecord.Act("mode", "observe"), "alice");
      stage.await("three nodes known", () -> stage.known() == 3);
      stage.awaitConfirmed(stage.nodes.getFirst());
      stage.await("done", () -> done.size() == 2);
      assertEquals(List.of("modeobservealice@mx1", "modeobservealice@mx1"), done);
    }
  }

  /** Something that is wrong with the server for a while. */
  private enum Fault {
    KILLED,
    PAUSED,
    FULL,
    READ_ONLY,
    OTHER_KEYS
  }

  private static void begin(Fault fault, RealRedis redis) throws Exception {
    switch (fault) {
      case KILLED -> redis.kill();
      case PAUSED -> redis.signal("STOP");
      case FULL -> redis.command("CONFIG SET maxmemory 1");
      case READ_ONLY -> redis.command("REPLICAOF 127.0.0.1 1");
      // In one command: a node that finds no stream would make one, instead of what is set here.
      case OTHER_KEYS -> redis.command("SET test:entries x");
    }
  }

  private RealRedis end(Fault fault, RealRedis redis) throws Exception {
    switch (fault) {
      case KILLED -> {
        return RealRedis.start(folder, redis.port()); // without its data
      }
      case PAUSED -> redis.signal("CONT");
      case FULL -> redis.command("CONFIG SET maxmemory 0");
      case READ_ONLY -> redis.command("REPLICAOF NO ONE");
      case OTHER_KEYS -> redis.command("DEL test:entries");
    }
    return redis;
  }

  @Test
  void aThousandChangesAtAnyNodeEndInTheSameListsThroughAllFaults() throws Exception {
    RealRedis redis = RealRedis.start(folder);
    try {
      stage.three(redis.address());
      List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
      faults.addAll(List.of(Fault.values()));
      Collections.shuffle(faults, new Random(stage.seed));
      for (Fault fault : faults) {
        for (int i = 0; i < 50; i++) {
          stage.change();
        }
        begin(fault, redis);
        stage.await(
            fault + " is noticed",
            () -> stage.nodes.stream().noneMatch(node -> node.shared.isConnected()));
        for (int i = 0; i < 50; i++) {
          stage.change();
        }
        redis = end(fault, redis);
        long healed = System.nanoTime();
        stage.await("equal after " + fault, stage::equal);
        System.out.printf(
            "%s: equal %d ms after its end; seed %d%n",
            fault, (System.nanoTime() - healed) / 1_000_000, stage.seed);
      }
      assertFalse(stage.nodes.getFirst().all().isEmpty());
    } finally {
      redis.close();
    }
  }

  @Test
  void whatRedisLostIsAddedAgainAndARemovalStaysARemoval() throws Exception {
    RealRedis redis = RealRedis.start(folder);
    try {
      stage.three(redis.address());
      for (int i = 0; i < 300; i++) {
        stage.nodes.get(i % 3).put(ListKind.ALLOW, "host" + i + ".example", "n" + i);
      }
      stage.nodes.getFirst().remove(ListKind.ALLOW, "host7.example");
      stage.await("everywhere", () -> stage.equal() && stage.nodes.getFirst().all().size() == 299);
      stage.stop(stage.nodes.get(2));
      stage.nodes.getFirst().remove(ListKind.ALLOW, "host8.example");
      stage.await("the removal on two", stage::equal);
      redis.kill();
      redis = RealRedis.start(folder, redis.port());
      stage.nodes.getFirst().put(ListKind.BLOCK, "new.example", "after the loss");
      stage.await(
          "the entry after the loss",
          () -> stage.equal() && stage.nodes.getFirst().all().size() == 299);
      stage.node("mx3", redis.address());
      stage.node("mx4", redis.address());
      stage.await("four alike", () -> stage.equal() && stage.nodes.getFirst().all().size() == 299);
      assertEquals(2, stage.nodes.getFirst().shared.starts(), "the first stream, and the lost one");
    } finally {
      redis.close();
    }
  }

  @Test
  void whatIsNoRecordIsSkippedAndCounted() throws Exception {
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      stage.three(redis.address());
      List<String> bad =
          List.of(
              "",
              "\u001b[31m",
              "{\"node\":\"x\",\"seq\":1,\"changes\":[1]}",
              "{\"node\":\"x\",\"seq\":0,\"changes\":[{\"list\":\"allow\",\"entry\":\"a.example\"}]}",
              "{\"node\":\"x\",\"seq\":1,\"changes\":[{\"list\":\"allow\",\"entry\":\"-_-\"}]}");
      for (String text : bad) {
        server.commands().xadd("test:entries", StreamEntryID.NEW_ENTRY, Map.of("r", text));
      }
      stage.nodes.getFirst().put(ListKind.ALLOW, "good.example", "behind the bad ones");
      stage.await(
          "the good one everywhere",
          () -> stage.equal() && stage.nodes.getFirst().all().size() == 1);
      for (Node node : stage.nodes) {
        stage.await("all are counted", () -> node.shared.skipped() == bad.size());
      }
      assertTrue(stage.alarms.stream().noneMatch(text -> text.contains("\u001b")));
    }
  }

  /** Who may write into Redis can lie about time; the next change still counts. */
  @Test
  void aVersionOfTheFutureIsNoNewerThanItsRecord() throws Exception {
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      stage.three(redis.address());
      String forged =
          "{\"node\":\"mx9\",\"seq\":0,\"at\":1,\"author\":\"a\",\"command\":\"add\",\"changes\":"
              + "[{\"list\":\"allow\",\"entry\":\"spam.example\",\"author\":\"a\",\"created\":1,"
              + "\"version\":\"999999999999999999-0\"}]}";
      server.commands().xadd("test:entries", StreamEntryID.NEW_ENTRY, Map.of("r", forged));
      stage.await(
          "the entry everywhere",
          () -> stage.nodes.stream().allMatch(node -> node.all().size() == 1));
      stage.nodes.getFirst().remove(ListKind.ALLOW, "spam.example");
      stage.await(
          "its removal everywhere",
          () -> stage.nodes.stream().allMatch(node -> node.all().isEmpty()));
    }
  }
}

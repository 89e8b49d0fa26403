package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.StreamEntryID;

/** Operator entries of three nodes and a real server that is stopped, killed and emptied. */
class SharedListsTest extends FleetStories {

  @Test
  void oneNodeLeadsAndAnotherOneWhenItGoes() throws Exception {
    stage.three(redis.address());
    stage.await("a leader", () -> stage.nodes.stream().anyMatch(FleetStage.Node::leads));
    List<Node> leading = stage.nodes.stream().filter(FleetStage.Node::leads).toList();
    assertEquals(1, leading.size());
    stage.stop(leading.getFirst());
    stage.await("another leader", () -> stage.nodes.stream().anyMatch(FleetStage.Node::leads));
    assertEquals(1, stage.nodes.stream().filter(FleetStage.Node::leads).count());
  }

  @Test
  void anEntryIsOnAllNodesAndTheCommandSaysSo() throws Exception {
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
        stage.nodes.get(1).lists.audit(Instant.EPOCH, Long.MAX_VALUE).items().stream()
            .map(record -> record.author())
            .toList();
    assertTrue(audit.containsAll(List.of("alice@mx3", "bob@mx1", "alice")), audit.toString());
  }

  @Test
  void theUserOfTheHandbookMayDoAllThatIsNeeded() throws Exception {
    String handbook = Documents.read("config/handbook/fleet.md");
    int start = handbook.indexOf("redis-cli ACL SETUSER ");
    String line = handbook.substring(start, handbook.indexOf('\n', start));
    assertTrue(line.contains(" '>SECRET' "), "a shell takes > for a file");
    String[] words = line.replace("'", "").split(" ");
    try (RedisServer admin = RedisServer.at(redis.address())) {
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
      stage.awaitConfirmed(first);
      assertEquals(List.of(), stage.alarms);
    }
  }

  @Test
  void whatOneNodeDidIsDoneOnceByAllOthers() throws Exception {
    List<String> done = new CopyOnWriteArrayList<>();
    stage.three(redis.address());
    for (Node node : stage.nodes) {
      node.shared.actBy((act, author) -> done.add(act.kind() + act.value() + author));
    }
    stage.nodes.getFirst().shared.tell(new Act("mode", "mode", "observe"), "alice");
    stage.await("three nodes known", () -> stage.known() == 3);
    stage.awaitConfirmed(stage.nodes.getFirst());
    stage.await("done", () -> done.size() == 2);
    assertEquals(List.of("modeobservealice@mx1", "modeobservealice@mx1"), done);
  }

  /** Something that is wrong with the server for a while. */
  private enum Fault {
    KILLED,
    PAUSED,
    FULL,
    READ_ONLY,
    OTHER_KEYS
  }

  private void begin(Fault fault) throws Exception {
    switch (fault) {
      case KILLED -> redis.kill();
      case PAUSED -> redis.signal("STOP");
      case FULL -> redis.command("CONFIG SET maxmemory 1");
      case READ_ONLY -> redis.command("REPLICAOF 127.0.0.1 1");
      case OTHER_KEYS -> redis.command("SET test:entries x");
    }
  }

  private void end(Fault fault) throws Exception {
    switch (fault) {
      case KILLED -> startAgain();
      case PAUSED -> redis.signal("CONT");
      case FULL -> redis.command("CONFIG SET maxmemory 0");
      case READ_ONLY -> redis.command("REPLICAOF NO ONE");
      case OTHER_KEYS -> redis.command("DEL test:entries");
    }
  }

  @Test
  void aThousandChangesAtAnyNodeEndInTheSameListsThroughAllFaults() throws Exception {
    stage.three(redis.address());
    List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
    faults.addAll(List.of(Fault.values()));
    Collections.shuffle(faults, new Random(stage.seed));
    for (Fault fault : faults) {
      for (int i = 0; i < 50; i++) {
        stage.change();
      }
      begin(fault);
      stage.await(
          fault + " is noticed",
          () -> stage.nodes.stream().noneMatch(node -> node.shared.isConnected()));
      for (int i = 0; i < 50; i++) {
        stage.change();
      }
      end(fault);
      long healed = System.nanoTime();
      stage.await("equal after " + fault, stage::equal);
      System.out.printf(
          "%s: equal %d ms after its end; seed %d%n",
          fault, (System.nanoTime() - healed) / 1_000_000, stage.seed);
    }
    assertFalse(stage.nodes.getFirst().all().isEmpty());
  }

  @Test
  void aNodeADayBehindAndANewOneLoseNothingWhenTheStreamWasCut() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      stage.three(redis.address());
      Node first = stage.nodes.getFirst();
      for (int i = 0; i < 100; i++) {
        first.put(ListKind.ALLOW, "host" + i + ".example", "early");
      }
      stage.await("everywhere", () -> stage.equal() && first.all().size() == 100);
      stage.stop(stage.nodes.get(2));
      for (int i = 0; i < 100; i++) {
        first.put(ListKind.BLOCK, "host" + i + ".example", "while the third is away");
      }
      first.remove(ListKind.ALLOW, "host7.example");
      stage.await("on two", () -> stage.equal() && first.all().size() == 199);
      assertTrue(admin.commands().xtrim("test:changes", 0, false) > 0);
      stage.node("mx3", redis.address());
      stage.node("mx4", redis.address());
      stage.await("four alike", () -> stage.equal() && first.all().size() == 199);
    }
  }

  @Test
  void whatIsNoCommandIsSkippedAndCounted() throws Exception {
    try (RedisServer server = RedisServer.at(redis.address())) {
      stage.three(redis.address());
      Map<String, String> bad =
          Map.of(
              "allow a.example", "",
              "allow b.example", "\u001b[31m",
              "allow c.example", "1 {\"node\":\"x\",\"entry\":\"other.example\"}",
              "mode", "1 {\"kind\":\"mode\",\"value\":\"soft\"}",
              "x", "99999999999999999999 {}");
      bad.forEach((subject, value) -> {
        server.commands().hset("test:entries", subject, value);
        server.commands().xadd("test:changes", StreamEntryID.NEW_ENTRY, Map.of("1", subject));
      });
      stage.nodes.getFirst().put(ListKind.ALLOW, "good.example", "behind the bad ones");
      stage.await(
          "the good one everywhere",
          () -> stage.equal() && stage.nodes.getFirst().all().size() == 1);
      for (Node node : stage.nodes) {
        stage.await("all are counted", () -> node.shared.skipped() >= bad.size());
      }
      assertTrue(stage.alarms.stream().noneMatch(text -> text.contains("\u001b")));
    }
  }

  /** As of a node whose clock was wrong: the next command about it still counts. */
  @Test
  void aTimeOfTheFutureDoesNotWinForEver() throws Exception {
    try (RedisServer server = RedisServer.at(redis.address())) {
      stage.three(redis.address());
      String future =
          "999999999999999 {\"node\":\"mx9\",\"at\":1,\"author\":\"a\",\"command\":\"allow add\","
              + "\"entry\":\"spam.example\",\"by\":\"a\",\"created\":1}";
      server.commands().hset("test:entries", "allow spam.example", future);
      server
          .commands()
          .xadd("test:changes", StreamEntryID.NEW_ENTRY, Map.of("1", "allow spam.example"));
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

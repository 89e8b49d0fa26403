package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.config.name.ListKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes and entries of nodes that were apart: the newest command wins on all of them. */
class NewestWinsTest extends FleetStories {

  private void three() throws Exception {
    stage.three(redis.address());
    stage.nodes.forEach(Node::takeModes);
  }

  private void awaitLost() {
    stage.await("lost", () -> stage.nodes.stream().noneMatch(node -> node.shared.isConnected()));
  }

  private void awaitMode(String mode) {
    stage.await(
        mode + " everywhere",
        () -> stage.equal() && stage.nodes.stream().allMatch(node -> node.mode.equals(mode)));
  }

  /** So that the next command is a later one. */
  private static void nextMilli() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  /** Commands of both orders of names, so that no order but that of time decides. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void ofCommandsThatWereGivenWhileRedisWasAway(int last) throws Exception {
    three();
    redis.kill();
    awaitLost();
    for (int i = 0; i < 3; i++) {
      nextMilli();
      int node = (last + 1 + i) % 3;
      stage.nodes.get(node).mode(i == 2 ? "observe" : "soft");
      stage.nodes.get(node).put(ListKind.BLOCK, "a.example", "of command " + i);
    }
    startAgain();
    awaitMode("observe");
    assertTrue(stage.nodes.getFirst().all().toString().contains("of command 2"));
  }

  /** The time between the reply of Redis and the look at the own clock is no difference of both. */
  @Test
  void ofANodeThatLooksAtItsClockLate() throws Exception {
    three();
    redis.kill();
    awaitLost();
    stage.nodes.getFirst().mode("soft");
    nextMilli();
    stage.nodes.getLast().mode("observe");
    stage.nodes.getLast().slow = Duration.ofMillis(100);
    startAgain();
    awaitMode("observe");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void ofNodesWhoseClocksAreAnHourOff(int hours) throws Exception {
    stage.clock = Duration.ofHours(hours);
    stage.node("mx1", redis.address());
    stage.clock = Duration.ofHours(-hours);
    stage.node("mx2", redis.address());
    stage.awaitConnected();
    stage.nodes.forEach(Node::takeModes);
    redis.kill();
    awaitLost();
    Node first = stage.nodes.getFirst();
    Node second = stage.nodes.getLast();
    first.mode("soft");
    first.put(ListKind.BLOCK, "a.example", "of the first");
    // A clock is compared with that of Redis by milliseconds.
    for (int i = 0; i < 100; i++) {
      nextMilli();
    }
    second.mode("observe");
    second.remove(ListKind.BLOCK, "a.example");
    second.put(ListKind.BLOCK, "a.example", "of the second");
    startAgain();
    awaitMode("observe");
    assertTrue(first.all().toString().contains("of the second"), () -> first.all().toString());
    Node ahead = hours > 0 ? first : second;
    Node behind = hours > 0 ? second : first;
    stage.await(
        "both clocks are noticed",
        () ->
            ahead.shared.notices().toString().contains("3600 s ahead of")
                && behind.shared.notices().toString().contains("s behind that of Redis"));
    assertEquals(3_600, ahead.shared.figures().clockSeconds(), 60);
    assertTrue(ahead.shared.isConnected(), "it is no fault of Redis");
  }

  @Test
  void ofANodeThatWasAwayForADay() throws Exception {
    stage.clock = Duration.ofDays(-1);
    Node third = stage.node("mx3", redis.address());
    third.takeModes();
    stage.awaitConnected();
    third.put(ListKind.BLOCK, "a.example", "of yesterday");
    third.mode("soft");
    stage.await("sent", stage::equal);
    stage.stop(third);
    stage.clock = Duration.ZERO;
    stage.node("mx1", redis.address());
    stage.node("mx2", redis.address());
    stage.nodes.forEach(Node::takeModes);
    awaitMode("soft");
    stage.nodes.getFirst().put(ListKind.BLOCK, "a.example", "of today");
    stage.nodes.getFirst().put(ListKind.BLOCK, "b.example", "of today");
    stage.nodes.getFirst().mode("observe");
    stage.node("mx3", redis.address()).takeModes();
    awaitMode("observe");
    assertEquals(2, stage.nodes.getLast().all().size());
  }

  @Test
  void afterRedisWasEmptied() throws Exception {
    three();
    for (int i = 0; i < 20; i++) {
      stage.nodes.get(i % 3).put(ListKind.ALLOW, "host" + i + ".example", "n" + i);
    }
    stage.await("everywhere", () -> stage.equal() && stage.nodes.getFirst().all().size() == 20);
    stage.nodes.getFirst().mode("observe");
    stage.nodes.getFirst().remove(ListKind.ALLOW, "host7.example");
    awaitMode("observe");
    redis.command("FLUSHALL");
    stage.nodes.get(1).put(ListKind.BLOCK, "new.example", "after the loss");
    Node fourth = stage.node("mx4", redis.address());
    fourth.takeModes();
    awaitMode("observe");
    stage.await("all of it on a new node", () -> fourth.all().size() == 20 && stage.equal());
    assertTrue(stage.nodes.getFirst().shared.gaps() > 0);
  }

  @Test
  void afterRedisCameBackWithAnOldCopyOfItsData() throws Exception {
    three();
    Node first = stage.nodes.getFirst();
    first.put(ListKind.ALLOW, "old.example", "in the copy");
    first.put(ListKind.ALLOW, "gone.example", "in the copy");
    first.mode("soft");
    awaitMode("soft");
    stage.await("everywhere", () -> stage.equal() && first.all().size() == 2);
    redis.command("SAVE");
    first.remove(ListKind.ALLOW, "gone.example");
    stage.nodes.getLast().put(ListKind.ALLOW, "old.example", "later");
    stage.nodes.getLast().put(ListKind.BLOCK, "new.example", "later");
    stage.nodes.getLast().mode("observe");
    awaitMode("observe");
    stage.await("later ones everywhere", () -> stage.equal() && first.all().size() == 2);
    redis.kill();
    awaitLost();
    startAgain();
    stage.awaitConnected();
    Node fourth = stage.node("mx4", redis.address());
    fourth.takeModes();
    awaitMode("observe");
    stage.await("as before", () -> stage.equal() && fourth.all().equals(first.all()));
    assertEquals(2, first.all().size(), () -> first.all().toString());
    assertTrue(first.all().toString().contains("later"));
    List<String> problems = stage.nodes.stream().map(node -> node.shared.problem()).toList();
    assertEquals(List.of("", "", "", ""), problems);
  }
}

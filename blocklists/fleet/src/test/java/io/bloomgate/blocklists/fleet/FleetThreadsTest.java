package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What fails unexpectedly ends no thread of the fleet. */
class FleetThreadsTest extends FleetStories {

  @Test
  void anActThatFailsIsCountedAndWhatFollowsIsDone() throws Exception {
    Node first = stage.node("mx1", redis.address());
    Node second = stage.node("mx2", redis.address());
    List<String> done = new CopyOnWriteArrayList<>();
    second.shared.actBy((act, _) -> {
      if (act.value().equals("bad")) {
        throw new IllegalStateException("of the test");
      }
      return done.add(act.value());
    });
    first.shared.tell(new Act("mode", "mode", "bad"), "alice");
    // A newer act of this kind would replace the bad one before it is done.
    stage.await("counted", () -> second.shared.faults() == 1);
    first.shared.tell(new Act("mode", "mode", "good"), "alice");
    first.put(ListKind.ALLOW, "a.example", "behind the acts");
    stage.await("the entry", () -> second.all().size() == 1);
    stage.await("the other act", () -> done.equals(List.of("good")));
    assertEquals(1, second.shared.faults());
    stage.await(
        "the alarm",
        () -> stage.alarms.stream().anyMatch(text -> text.contains("failed unexpectedly")));
  }

  @Test
  void aHeartbeatThatFailsIsFollowedByOthers() throws Exception {
    Node node = stage.node("mx1", redis.address());
    stage.awaitConnected();
    node.generation =
        () -> {
          throw new IllegalStateException("of the test");
        };
    stage.await("counted", () -> node.shared.faults() > 0);
    node.generation = () -> "g2";
    stage.await("the new generation", () -> generation(node).equals("g2"));
  }

  private static String generation(Node node) {
    try {
      List<FleetNode> nodes = node.shared.nodes();
      return nodes.isEmpty() ? "" : nodes.getFirst().beat().generation();
    } catch (RedisException e) {
      return "";
    }
  }

  @Test
  void anActThatWasNotDoneYetIsDoneAfterARestart() throws Exception {
    Node first = stage.node("mx1", redis.address());
    Node second = stage.node("mx2", redis.address());
    first.shared.tell(new Act("mode", "mode", "observe"), "alice");
    first.put(ListKind.ALLOW, "a.example", "behind the act");
    stage.await("the entry", () -> second.all().size() == 1);
    stage.stop(second);
    List<String> done = new CopyOnWriteArrayList<>();
    Node again = stage.node("mx2", redis.address());
    again.shared.actBy((act, author) -> done.add(act.value() + " " + author));
    stage.await("done", () -> done.equals(List.of("observe alice@mx1")));
  }

  @Test
  void aServerThatRefusesThisUserIsAskedNowAndThen() throws Exception {
    long began = System.nanoTime();
    Node node =
        stage.node("mx1", RedisAddress.read("redis://nobody:WRONG@127.0.0.1:" + redis.port()));
    stage.await("refused", () -> node.shared.problem().contains("refuses this user"));
    stage.await("many tries", () -> System.nanoTime() - began > 1_200_000_000L);
    String stats = redis.reply("INFO stats");
    long connections =
        Long.parseLong(stats.replaceAll("(?s).*total_connections_received:([0-9]+).*", "$1"));
    long tries = (System.nanoTime() - began) / 250_000_000L;
    assertTrue(connections < 4 * tries, connections + " connections in " + tries + " tries");
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
  }
}

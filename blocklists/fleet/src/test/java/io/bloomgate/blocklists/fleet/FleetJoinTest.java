package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A node that joins a fleet, and one that comes with a name that is in use. */
class FleetJoinTest extends FleetStories {

  @Test
  void aNodeThatJoinsSetsOnlyTheNewestMode() throws Exception {
    Node first = stage.node("mx1", redis.address());
    stage.awaitConnected();
    first.shared.tell(new Act("mode", "mode", "enforce"), "alice");
    first.shared.tell(new Act("feed a", "feeds accept", "a b version"), "alice");
    first.shared.tell(new Act("mode", "mode", "soft"), "alice");
    first.shared.tell(new Act("mode", "mode", "observe"), "alice");
    stage.await("all sent", () -> first.shared.waiting() == 0);
    List<String> done = new CopyOnWriteArrayList<>();
    Node second = stage.node("mx2", redis.address());
    second.shared.actBy((act, author) -> done.add(act.value()));
    stage.await("the newest mode", () -> done.contains("observe"));
    assertEquals(List.of("a b version", "observe"), done);
  }

  @Test
  void aNodeThatWentIsAwayForAWeek() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node first = stage.node("mx1", redis.address());
      Node second = stage.node("mx2", redis.address());
      stage.awaitConnected();
      stage.awaitConfirmed(first);
      String beat = admin.commands().hget("test:nodes", "mx2");
      stage.stop(second);
      stage.awaitConfirmed(first, "on 1 of 1 nodes (1 away)");
      long ago = System.currentTimeMillis() - Duration.ofDays(8).toMillis();
      String old = beat.replaceAll("\"at\":[0-9]+", "\"at\":" + ago);
      admin.commands().hset("test:nodes", "mx2", old);
      stage.awaitConfirmed(first, "on 1 of 1 nodes");
      assertEquals(2, first.shared.nodes().size(), "it is shown");
      assertTrue(first.shared.nodes().getLast().isLongGone(System.currentTimeMillis()));
    }
  }

  @Test
  void aNameThatTwoGatewaysUseIsAnAlarmAndARestartIsNone() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node first = stage.node("mx1", redis.address());
      stage.await("it is known", () -> stage.known() == 1);
      stage.nodes.remove(first);
      first.close();
      Node again = stage.node("mx1", redis.address());
      again.shared.stateBy(() -> new FleetNode.State("soft", null));
      stage.await(
          "its mode is known",
          () -> {
            try {
              return again.shared.nodes().getFirst().beat().state().mode().equals("soft");
            } catch (RedisException e) {
              return false;
            }
          });
      assertEquals(List.of(), stage.alarms);
      stage.await(
          "the alarm",
          () -> {
            // Again and again, as the other gateway does: that of an earlier start is no alarm.
            admin.commands().hset("test:nodes", "mx1", "{\"start\":\"another\"}");
            return !stage.alarms.isEmpty();
          });
      assertTrue(
          stage.alarms.getFirst().contains("another gateway uses the name mx1"),
          stage.alarms::toString);
    }
  }
}

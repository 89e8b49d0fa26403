package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.config.name.ListKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes that were away while others cut the stream, and nodes whose clocks are far apart. */
class FleetBehindTest extends FleetStories {

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
  void theNewestCommandWinsWhateverTheClocksSay() throws Exception {
    stage.clock = Duration.ofDays(1);
    Node ahead = stage.node("mx1", redis.address());
    stage.clock = Duration.ofDays(-1);
    Node behind = stage.node("mx2", redis.address());
    stage.awaitConnected();
    ahead.put(ListKind.BLOCK, "a.example", "of the clock ahead");
    stage.await("there", () -> behind.all().size() == 1 && stage.equal());
    behind.put(ListKind.BLOCK, "a.example", "of the clock behind, later");
    stage.await("the later one", () -> stage.equal() && ahead.all().toString().contains("later"));
    behind.remove(ListKind.BLOCK, "a.example");
    stage.await("removed", () -> stage.equal() && ahead.all().isEmpty());
    stage.await(
        "both clocks are noticed",
        () ->
            ahead.shared.notices().toString().contains("86400 s ahead of")
                && behind.shared.notices().toString().contains("s behind that of Redis"));
    assertEquals(86_400, ahead.shared.figures().clockSeconds(), 60);
    assertTrue(ahead.shared.isConnected(), "it is no fault of Redis");
  }
}

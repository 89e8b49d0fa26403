package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.blocklists.operator.RecipientEntry.Wish;
import io.bloomgate.config.name.ListKind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Profiles of recipients by command on three nodes and a real server that is lost and emptied. */
class RecipientFleetTest extends FleetStories {

  private static void set(Node node, String line) throws Exception {
    Wish wish = RecipientEntry.parse(line).toOptional().orElseThrow().orElseThrow();
    node.lists.recipients().set(List.of(wish), new Origin("alice", "recipient set"));
  }

  private static Set<String> lines(Node node) {
    Set<String> lines = new TreeSet<>();
    node.lists
        .view()
        .recipients()
        .values()
        .forEach(entry -> lines.add(entry.text() + " by " + entry.author()));
    return lines;
  }

  private void awaitEverywhere(String... lines) {
    Set<String> wanted = Set.of(lines);
    stage.await(
        wanted.toString(), () -> stage.nodes.stream().allMatch(node -> lines(node).equals(wanted)));
  }

  @Test
  void anEntryIsOnAllNodesOverALossOfRedisAndARestart() throws Exception {
    Node early = stage.node("mx1", redis.address());
    set(early, "early@example.com off # before the others came");
    stage.node("mx2", redis.address());
    stage.node("mx3", redis.address());
    stage.await("three nodes known", () -> stage.known() == 3);
    awaitEverywhere("early@example.com off # before the others came by alice");
    set(stage.nodes.get(1), "early@example.com strict expires=2036-01-01T00:00:00Z");
    stage.awaitConfirmed(stage.nodes.get(1));
    awaitEverywhere("early@example.com strict expires=2036-01-01T00:00:00Z by alice");
    redis.kill();
    stage.await("lost", () -> stage.nodes.stream().noneMatch(node -> node.shared.isConnected()));
    set(early, "info@ off");
    Node third = stage.nodes.get(2);
    third.lists.recipients().remove(List.of("early@example.com"), new Origin("bob", "remove"));
    stage.stop(third);
    startAgain();
    stage.node("mx3", redis.address());
    awaitEverywhere("info@ off by alice");
    assertTrue(stage.nodes.stream().allMatch(node -> node.all().isEmpty()), "nothing is blocked");
  }

  /** A later release may share what this one does not know, as this one does with older ones. */
  @Test
  void aKindThatThisReleaseDoesNotKnowIsSkippedAndStaysInRedis() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node first = stage.node("mx1", redis.address());
      stage.awaitConnected();
      first.put(ListKind.ALLOW, "partner.example", "x");
      stage.awaitConfirmed(first);
      String command = admin.commands().hget("test:entries", "allow partner.example");
      String later = command.replace("partner.example", "192.0.2.1");
      admin.commands().hset("test:entries", "greeting 192.0.2.1", later);
      Node second = stage.node("mx2", redis.address());
      stage.await("both have it", () -> stage.known() == 2 && stage.equal());
      assertEquals(1, second.shared.skipped());
      assertTrue(
          stage.alarms.stream().anyMatch(one -> one.contains("another release may have written")),
          stage.alarms::toString);
      set(second, "info@ off");
      awaitEverywhere("info@ off by alice");
      assertEquals(later, admin.commands().hget("test:entries", "greeting 192.0.2.1"));
    }
  }
}

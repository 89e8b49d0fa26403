package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client of a real Redis without the fleet's secret can pretend about nodes. */
class ForgedNodesTest {

  private static final String QUESTION = "0123456789";

  @TempDir private Path folder;

  private ForgedStage forged;
  private FleetStage stage;
  private RealRedis redis;
  private RedisServer admin;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    forged = new ForgedStage(folder);
    forged.useSecret();
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

  private static Optional<FleetNode> seen(Node by, String name) {
    try {
      return by.shared.nodes().stream().filter(node -> node.name().equals(name)).findFirst();
    } catch (RedisException e) {
      return Optional.empty();
    }
  }

  private void awaitSeen(Node by, String name, boolean connected) {
    stage.await(
        name + " is here: " + connected,
        () -> seen(by, name).filter(node -> node.connected() == connected).isPresent());
  }

  /** Also what an older release writes, which knows no proofs. */
  @Test
  void aHeartbeatWithoutAProofIsNamedAndNotCounted() throws Exception {
    Node first = stage.node("mx1", redis.address());
    Node second = stage.node("mx2", redis.address());
    stage.awaitConnected();
    awaitSeen(first, "mx2", true);
    Map<String, String> beats = admin.commands().hgetAll("test:nodes");
    String beat = beats.getOrDefault("mx2", "");
    String proof = beats.getOrDefault("mx2 m", "");
    assertFalse(proof.isEmpty(), beats::toString);
    admin.commands().hset("test:nodes", Map.of("mx8", beat, "mx9", beat, "mx9 m", proof));
    admin.commands().set("test:alive:mx9", "x");
    for (String name : List.of("mx8", "mx9")) {
      FleetNode forged = seen(first, name).orElseThrow();
      assertFalse(forged.proven() || forged.connected(), forged::toString);
      assertEquals("", forged.generation(), "nothing of it is shown");
    }
    first.put(ListKind.BLOCK, "a.example", "of alice");
    stage.awaitConfirmed(first);
    admin.commands().hset("test:places", "mx2", "9999999999999-0");
    assertTrue(seen(first, "mx2").orElseThrow().place().millis() < 9_999_999_999_999L);

    stage.stop(second);
    awaitSeen(first, "mx2", false);
    admin.commands().hset("test:nodes", Map.of("mx2", beat, "mx2 m", proof));
    FleetNode copied = seen(first, "mx2").orElseThrow();
    assertTrue(copied.proven() && !copied.connected(), "it is of an earlier time");
  }

  @Test
  void aNodeAnswersNodesOnly() throws Exception {
    Node first = stage.node("mx1", redis.address());
    Node second = stage.node("mx2", redis.address());
    second.shared.answerBy(question -> Optional.of("answer to " + question));
    stage.awaitConnected();
    awaitSeen(first, "mx2", true);
    JsonObject forged =
        JsonValue.object().put("reply", "test:reply:eve").put("question", QUESTION).build();
    admin.commands().rpush("test:ask:mx2", Json.write(forged));
    stage.await("answered", () -> first.shared.ask(QUESTION).isPresent());
    assertFalse(admin.commands().exists("test:reply:eve"), "its turn was before the other's");
  }

  /** Only the time tells a copy from the first one: its list for answers is gone by then. */
  @Test
  void aQuestionOfAnEarlierTimeIsNotAnswered() throws Exception {
    Node second = stage.node("mx2", redis.address());
    second.shared.answerBy(question -> Optional.of("answer to " + question));
    stage.awaitConnected();
    RecordSeal seal = RecordSeal.of(stage.secret);
    long now = admin.millis();
    long old = now - FleetQuestions.MOST_AGE.toMillis() - 1_000;
    for (long at : List.of(old, now)) {
      String replies = "test:reply:" + at;
      String text = FleetQuestions.text(seal, "mx2", replies, QUESTION, at);
      String later = text.replace("\"at\":" + at, "\"at\":" + now);
      admin.commands().rpush("test:ask:mx2", text, at == now ? "{}" : later);
    }
    // its turn is behind the others
    assertTrue(admin.commands().blpop(60.0, "test:reply:" + now) != null);
    assertFalse(admin.commands().exists("test:reply:" + old) || second.shared.faults() > 0);
  }

  @Test
  void anAnswerWithoutAProofIsNone() throws Exception {
    assertEquals(Optional.empty(), answered(RecordSeal.of(stage.secret)));
    assertEquals(
        Optional.of("forged"), answered(RecordSeal.of(null)).map(FleetQuestions.Answer::text));
  }

  /** What a node takes of a forged answer. */
  private Optional<FleetQuestions.Answer> answered(RecordSeal seal) throws Exception {
    FleetQuestions questions =
        new FleetQuestions("test:", "mx1", seal, () -> "word", System::nanoTime);
    try (RedisServer own = RedisServer.at(redis.address())) {
      CompletableFuture<Optional<FleetQuestions.Answer>> answer =
          CompletableFuture.supplyAsync(() -> questions.ask(own, List.of("mx2"), QUESTION));
      String asked = admin.commands().blpop(60.0, "test:ask:mx2").getValue();
      JsonObject forged =
          JsonValue.object().put("node", "mx2").put("answer", "forged").put("m", "00").build();
      String replies = ((JsonObject) Json.parse(asked)).text("reply").orElseThrow();
      admin.commands().rpush(replies, Json.write(forged));
      return answer.join();
    }
  }

  /** Who writes one can stop the leading for as long as he writes, and no longer. */
  @Test
  void aLeaseOfNobodyEnds() throws Exception {
    Node node = stage.node("mx1", redis.address());
    stage.await("it leads", node::leads);
    admin.commands().set("test:leader", "eve forever");
    stage.await("it leads no more", () -> !node.leads());
    stage.await("the lease has an end", () -> admin.commands().pttl("test:leader") > 0);
    assertTrue(admin.commands().pttl("test:leader") <= 15_000);
  }

  @Test
  void aNumberOfALeaseThatNoNodeGaveIsNotTaken() throws Exception {
    Node node = stage.node("mx1", redis.address());
    stage.await("it leads", node::leads);
    for (String forged : List.of("9223372036854775807", "999999999999", "x", "-9")) {
      long before = node.lease;
      admin.commands().set("test:leader:term", forged);
      stage.await("a new number", () -> node.leads() && node.lease != before);
      assertTrue(node.lease < Instant.now().getEpochSecond() + 10_000, forged);
    }
  }

  /** Steps that are small enough take centuries to the last number. */
  @Test
  void aNumberOfALeaseIsNotLedAwayInSteps() throws Exception {
    Node node = stage.node("mx1", redis.address());
    stage.await("it leads", node::leads);
    for (int i = 0; i < 3; i++) {
      long before = node.lease;
      admin.commands().set("test:leader:term", Long.toString(before + 999_999_000L));
      stage.await("a new number", () -> node.leads() && node.lease != before);
      assertTrue(node.lease < Instant.now().getEpochSecond() + 10_000, "lease " + node.lease);
    }
  }

  @Test
  void namesOfNobodyFillNoMemory() throws Exception {
    Node first = stage.node("mx1", redis.address());
    stage.node("mx2", redis.address());
    stage.awaitConnected();
    awaitSeen(first, "mx2", true);
    for (int i = 0; i < 20; i++) {
      Map<String, String> names = new HashMap<>();
      for (int j = 0; j < 1_000; j++) {
        names.put("a" + i + "-" + j, "{}");
      }
      admin.commands().hset("test:nodes", names);
    }
    List<FleetNode> nodes = first.shared.nodes();
    assertEquals(2 + FleetNodes.MOST_UNPROVEN, nodes.size());
    assertEquals(2, nodes.stream().filter(FleetNode::proven).count());
  }

  @Test
  void aKeyOfAnotherKindStopsNobody() throws Exception {
    Node first = stage.node("mx1", redis.address());
    Node second = stage.node("mx2", redis.address());
    stage.awaitConnected();
    for (String key :
        List.of("alive:mx1", "alive:mx2", "leader", "leader:term", "nodes", "places")) {
      admin.commands().rpush("wrong", "x");
      admin
          .commands()
          .rename("wrong", "test:" + key); // at once, whatever the nodes write meanwhile
      awaitSeen(first, "mx1", true);
      stage.await(
          key + " is right again", () -> !admin.commands().type("test:" + key).equals("list"));
      stage.await("one leads after a wrong " + key, () -> first.leads() || second.leads());
    }
    first.put(ListKind.BLOCK, "a.example", "of alice");
    stage.awaitConfirmed(first);
  }
}

package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.RecordLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.resps.StreamEntry;

/** Records that nodes of the fleet made, which somebody without the secret copies or removes. */
class CopiedRecordsTest {

  private static final String STREAM = "test:entries";
  private static final String WORD = "test:entries:id";
  private static final String OLDER =
      "{\"node\":\"mx9\",\"seq\":9,\"at\":1,\"author\":\"alice\",\"command\":\"allow"
          + " add\",\"changes\":"
          + "[{\"list\":\"allow\",\"entry\":\"old.example\",\"author\":\"alice\",\"created\":1}]}";

  @TempDir private Path folder;

  private ForgedStage forged;
  private FleetStage stage;
  private RedisServer admin;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    forged = new ForgedStage(folder);
    forged.useSecret();
    stage = forged.stage;
    admin = forged.admin;
  }

  @AfterEach
  void close() throws Exception {
    if (forged != null) {
      forged.close();
    }
  }

  private void awaitEntries(int count) {
    stage.await(
        count + " entries everywhere",
        () -> stage.equal() && stage.nodes.getFirst().all().size() == count);
  }

  private void awaitStarts(int count) {
    stage.await(
        "started over", () -> stage.nodes.stream().allMatch(n -> n.shared.starts() >= count));
  }

  private Optional<StreamEntry> record(String... words) {
    return admin
        .commands()
        .xrevrange(STREAM, (StreamEntryID) null, (StreamEntryID) null, 100)
        .stream()
        .filter(entry ->
            List.of(words).stream()
                .allMatch(word -> entry.getFields().getOrDefault("r", "").contains(word)))
        .findFirst();
  }

  /** What a node tells of its state after the stream was lost. */
  private StreamEntry stateOf(String entry) {
    stage.await("added", () -> record("\"seq\":0,", entry).isPresent());
    return record("\"seq\":0,", entry).orElseThrow();
  }

  /** The clocks of these nodes are a month ahead: they forget a removal with its stream. */
  @Test
  void aStateOfAnEarlierStreamBringsNothingBack() throws Exception {
    stage.clock = Duration.ofDays(31);
    stage.three(forged.redis.address());
    Node first = stage.nodes.getFirst();
    first.put(ListKind.ALLOW, "a.example", "of alice");
    awaitEntries(1);
    forged.redis.command("FLUSHALL");
    Map<String, String> state = stateOf("a.example").getFields();
    awaitStarts(2); // or one of them would begin again, and forget the removal
    String word = admin.commands().get(WORD);
    awaitEntries(1);
    first.remove(ListKind.ALLOW, "a.example");
    awaitEntries(0);
    stage.awaitConfirmed(first);
    forged.redis.command("FLUSHALL");
    awaitStarts(3);

    admin.commands().xadd(STREAM, new XAddParams(), state);
    stage.await("refused", () -> stage.nodes.stream().allMatch(n -> n.shared.skipped() > 0));
    first.put(ListKind.ALLOW, "b.example", "behind it");
    awaitEntries(1);

    // The same with the word of the stream that it was in.
    try (AbstractTransaction all = admin.commands().multi()) {
      all.set(WORD, word);
      all.del(STREAM);
      all.xadd(STREAM, new XAddParams(), state);
      all.exec();
    }
    stage.await("not that stream", () -> !word.equals(admin.commands().get(WORD)));
    first.put(ListKind.ALLOW, "c.example", "behind it");
    awaitEntries(2);
    assertFalse(first.all().toString().contains("a.example"), () -> first.all().toString());
  }

  @Test
  void aStateThatIsAddedTwiceCountsOnce() throws Exception {
    stage.three(forged.redis.address());
    stage.nodes.getFirst().put(ListKind.ALLOW, "a.example", "of alice");
    awaitEntries(1);
    forged.redis.command("FLUSHALL");
    StreamEntry state = stateOf("a.example");
    String by = state.getFields().getOrDefault("r", "").replaceAll(".*\"node\":\"(\\w+)\".*", "$1");
    stage.awaitConnected();
    admin.commands().xadd(STREAM, new XAddParams(), state.getFields());
    stage.await(
        "refused by both others",
        () ->
            stage.nodes.stream()
                .allMatch(n -> n.shared.node().equals(by) || n.shared.skipped() > 0));
    assertTrue(stage.alarms.toString().contains("it was copied"), stage.alarms::toString);
  }

  /** In one step with another record, so that the length of the stream says nothing. */
  private void remove(StreamEntryID id) {
    try (AbstractTransaction both = admin.commands().multi()) {
      both.xdel(STREAM, id);
      both.xadd(STREAM, new XAddParams(), Map.of("r", "x"));
      both.exec();
    }
  }

  @Test
  void aRecordThatSomebodyRemovedIsMissedByTheNodeThatHadNotReadIt() throws Exception {
    stage.three(forged.redis.address());
    Node first = stage.nodes.getFirst();
    first.put(ListKind.ALLOW, "a.example", "before");
    awaitEntries(1);
    stage.stop(stage.nodes.getLast());
    for (String name : List.of("b.example", "c.example", "d.example")) {
      first.put(ListKind.BLOCK, name, "while one is away");
    }
    awaitEntries(4);
    remove(record("c.example").orElseThrow().getID());
    Node third = stage.node("mx3", forged.redis.address());
    awaitEntries(4);
    assertEquals(1, third.shared.gaps());
    assertTrue(
        stage.alarms.toString().contains("records of node mx1 before "), stage.alarms::toString);
    stage.await("shown", () -> third.shared.notices().toString().contains("removed records"));
  }

  @Test
  void theNewestRecordIsMissedByAllWhoSawTheStreamBefore() throws Exception {
    stage.three(forged.redis.address());
    stage.nodes.getFirst().put(ListKind.ALLOW, "a.example", "of alice");
    awaitEntries(1);
    stage.awaitConfirmed(stage.nodes.getFirst());
    String word = admin.commands().get(WORD);
    admin.commands().xdel(STREAM, record("a.example").orElseThrow().getID());
    stage.await("noticed", () -> stage.nodes.stream().anyMatch(n -> n.shared.gaps() > 0));
    stage.await("started over", () -> !word.equals(admin.commands().get(WORD)));
    StreamEntry _ = stateOf("a.example");
    awaitEntries(1);
  }

  /** A record without a place counts while the heartbeat of its node is of an older release. */
  @Test
  void recordsOfAnOlderReleaseCountWhileItIsHere() throws Exception {
    Node node = stage.node("mx1", forged.redis.address());
    stage.awaitConnected();
    RecordSeal seal = RecordSeal.of(stage.secret);
    Map<String, String> older = Map.of("r", OLDER, "m", seal.proof(OLDER));
    admin.commands().xadd(STREAM, new XAddParams(), older);
    stage.await("refused", () -> node.shared.skipped() == 1);
    String beat = "{\"version\":\"older\",\"reply\":600000,\"at\":" + admin.millis() + "}";
    admin
        .commands()
        .hset("test:nodes", Map.of("mx9", beat, "mx9 m", seal.proof("nodes", "mx9", beat)));
    admin.commands().xadd(STREAM, new XAddParams(), older);
    stage.await("applied", () -> node.all().toString().contains("old.example"));
    assertEquals(1, node.shared.skipped());
  }

  /** Also for a node that never read a record of that node, and has no number to compare. */
  @Test
  void aRecordWhosePlaceIsOfAnotherTimeIsRefused() throws Exception {
    Node node = stage.node("mx1", forged.redis.address());
    stage.awaitConnected();
    RecordSeal seal = RecordSeal.of(stage.secret);
    long now = admin.millis();
    long old = now - EntryStream.MOST_LATE.toMillis() - 1_000;
    for (String word : List.of(admin.commands().get(WORD), "another")) {
      RecordLink link = new RecordLink(word, 1, 0, old);
      admin.commands().xadd(STREAM, new XAddParams(), seal.fields(OLDER, link));
    }
    stage.await("refused", () -> node.shared.skipped() == 2);
    RecordLink link = new RecordLink(admin.commands().get(WORD), 1, 0, now);
    admin.commands().xadd(STREAM, new XAddParams(), seal.fields(OLDER, link));
    stage.await("applied", () -> node.all().toString().contains("old.example"));
    assertEquals(2, node.shared.skipped());
  }

  @Test
  void aWordThatNoNodeMadeIsReplacedOnceAndThenNamed() throws Exception {
    Node node = stage.node("mx1", forged.redis.address());
    node.put(ListKind.ALLOW, "a.example", "of alice");
    stage.awaitConfirmed(node);
    admin.commands().set(WORD, "forged");
    awaitStarts(2); // with its own word; what is set before that is replaced with the first
    admin.commands().set(WORD, "forged");
    stage.await("named", () -> node.shared.problem().contains("another fleet.secret_file or none"));
    assertEquals(1, node.all().size());
    assertEquals(0, node.shared.gaps(), "nobody removed a record");
  }
}

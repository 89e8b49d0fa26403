package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.util.KeyValue;

/**
 * Questions that nodes of a fleet ask each other: a list of Redis for each node that is asked, and
 * one for the answers, both of a short life. An id of a session says nothing of its node, so all
 * nodes are asked at once. With the fleet's secret a node answers only nodes, and believes only
 * what a node answers to this very question; a question has the time of Redis under its proof, and
 * an old one is not answered. Called by {@link SharedLists}; methods throw {@code JedisException}
 * when the server is lost.
 */
final class FleetQuestions {

  /** Questions that wait for one node; older ones are dropped. */
  private static final int MOST_QUESTIONS = 100;

  private static final int MOST_QUESTION_CHARACTERS = 64;
  private static final int MOST_ANSWER_CHARACTERS = 256 << 10;
  private static final long LIFE_MILLIS = 5_000;
  private static final double WAIT_SECONDS = 1;
  private static final long MOST_WAIT_NANOS = 1_500_000_000L;

  /** What is older, by the clock of Redis, was copied: nobody waits for an answer. */
  static final Duration MOST_AGE = Duration.ofSeconds(10);

  /** The time of a question, and the proof that covers it; older releases pass over both. */
  private static final String TIME = "at";

  private static final String TIMED_PROOF = "p";

  private final String prefix;
  private final String self;
  private final RecordSeal seal;
  private final Supplier<String> word;
  private final LongSupplier nanoTime;

  FleetQuestions(
      String prefix, String self, RecordSeal seal, Supplier<String> word, LongSupplier nanoTime) {
    this.prefix = prefix;
    this.self = self;
    this.seal = seal;
    this.word = word;
    this.nanoTime = nanoTime;
  }

  /** What a node knows. */
  record Answer(String node, String text) {}

  /** Asks these nodes, and takes the first that knows; 1.5 s at most. */
  Optional<Answer> ask(RedisServer server, List<String> nodes, String question) {
    String replies = prefix + "reply:" + word.get();
    long at = server.millis();
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      for (String node : nodes) {
        String list = prefix + "ask:" + node;
        pipeline.rpush(list, text(seal, node, replies, question, at));
        pipeline.ltrim(list, -MOST_QUESTIONS, -1);
        pipeline.pexpire(list, LIFE_MILLIS);
      }
      pipeline.sync();
    }
    long deadline = nanoTime.getAsLong() + MOST_WAIT_NANOS;
    for (int answers = 0; answers < nodes.size(); answers++) {
      double left = (deadline - nanoTime.getAsLong()) / 1e9;
      KeyValue<String, String> reply = left <= 0 ? null : server.commands().blpop(left, replies);
      if (reply == null) {
        break;
      }
      Optional<JsonObject> object = object(reply.getValue());
      Optional<String> node = object.flatMap(o -> o.text("node")).filter(nodes::contains);
      Optional<String> known = object.flatMap(o -> o.text("answer"));
      String proof = object.flatMap(o -> o.text(RecordSeal.PROOF)).orElse("");
      if (node.isPresent()
          && known.isPresent()
          && seal.isProof(proof, "answer", replies, node.get(), known.get())) {
        server.commands().del(replies);
        return Optional.of(new Answer(node.get(), known.get()));
      }
    }
    return Optional.empty();
  }

  /** A question to a node, as Redis has it; older releases ask for the first proof. */
  static String text(RecordSeal seal, String node, String replies, String question, long at) {
    return Json.write(
        JsonValue.object()
            .put("reply", replies)
            .put("question", question)
            .put(TIME, at)
            .put(RecordSeal.PROOF, seal.proof("question", node, replies, question))
            .put(
                TIMED_PROOF,
                seal.proof("timed question", node, replies, Long.toString(at), question))
            .build());
  }

  /** Waits 1 s for a question and answers it. */
  void answerNext(RedisServer server, Function<String, Optional<String>> answers) {
    @Nullable KeyValue<String, String> asked =
        server.commands().blpop(WAIT_SECONDS, prefix + "ask:" + self);
    if (asked == null) {
      return;
    }
    Optional<JsonObject> object = object(asked.getValue());
    String question = object.flatMap(o -> o.text("question")).orElse("");
    String replies = object.flatMap(o -> o.text("reply")).orElse("");
    if (question.isEmpty()
        || question.length() > MOST_QUESTION_CHARACTERS
        || replies.length() > 2 * MOST_QUESTION_CHARACTERS + prefix.length()
        || !replies.startsWith(prefix + "reply:")
        || (seal.isStrict() && !isOfNow(server, object.orElseThrow(), replies, question))) {
      return;
    }
    Optional<String> answer =
        answers.apply(question).filter(text -> text.length() <= MOST_ANSWER_CHARACTERS);
    JsonObject reply =
        JsonValue.object()
            .put("node", self)
            .put("answer", answer.orElse(null))
            .put(RecordSeal.PROOF, seal.proof("answer", replies, self, answer.orElse("")))
            .build();
    server.commands().rpush(replies, Json.write(reply));
    server.commands().pexpire(replies, LIFE_MILLIS);
  }

  private boolean isOfNow(RedisServer server, JsonObject object, String replies, String question) {
    long at = object.number(TIME).orElse(0);
    String proof = object.text(TIMED_PROOF).orElse("");
    return seal.isProof(proof, "timed question", self, replies, Long.toString(at), question)
        && Math.abs(server.millis() - at) <= MOST_AGE.toMillis();
  }

  private static Optional<JsonObject> object(String text) {
    try {
      return text.length() <= 2 * MOST_ANSWER_CHARACTERS
              && Json.parse(text) instanceof JsonObject object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.fleet.FleetNode;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedRecord.Act;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * {@code fleet status}, and on how many nodes a change of the lists is. Called on the threads of
 * control connections.
 */
public final class FleetHandler {

  private static final Set<String> ADVICE = Set.of("undo", "undo_wider", "notes");

  private final Optional<SharedLists> fleet;
  private final Counts counts;

  /**
   * What nodes count together.
   *
   * @param reachMillis how far their counts reach back in Redis, which is asked; -1 for none
   */
  public record Counts(Supplier<SharedCounts.Figures> figures, LongSupplier reachMillis) {
    private JsonObject json() {
      SharedCounts.Figures now = figures.get();
      ObjectBuilder object =
          JsonValue.object()
              .put("connected", now.connected())
              .put("sent", now.sent())
              .put("sent_octets", now.sentOctets())
              .put("merged", now.merged())
              .put("dropped", now.dropped())
              .put("skipped", now.skipped())
              .put("waiting", now.waiting());
      long reach = now.connected() ? reachMillis.getAsLong() : -1;
      return (reach < 0 ? object : object.put("reach_ms", reach))
          .put("problem", now.problem())
          .build();
    }
  }

  /** A handler; empty where nothing is shared by way of Redis. */
  FleetHandler(Optional<SharedLists> fleet, Counts counts) {
    this.fleet = fleet;
    this.counts = counts;
  }

  /** Why Redis is lost or refuses something; empty while all works, and for a gateway alone. */
  Optional<String> problem() {
    return fleet.map(SharedLists::problem).filter(why -> !why.isEmpty());
  }

  /** Waits for the other nodes and says how many have what a command changed. */
  void confirm(ReplySender answer) throws IOException {
    if (fleet.isPresent()) {
      try {
        answer.note(fleet.get().confirm().text());
      } catch (OperatorListsException e) {
        answer.note("warning: " + e.userMessage());
      }
    }
  }

  /** Tells the other nodes what a command did here. */
  void tell(Act act, String author, ReplySender answer) throws IOException {
    if (fleet.isEmpty()) {
      return;
    }
    try {
      fleet.get().tell(act, author);
    } catch (OperatorListsException e) {
      answer.note("warning: the other nodes do not know it: " + e.userMessage());
    }
    confirm(answer);
  }

  /** Who does what other nodes did. */
  void actBy(FleetActs acts) {
    fleet.ifPresent(shared -> shared.actBy(acts::carryOut));
  }

  /** Who answers questions of other nodes. */
  void answerBy(Function<String, Optional<String>> answers) {
    fleet.ifPresent(shared -> shared.answerBy(answers));
  }

  /**
   * Asks the other nodes for a session that this one does not know. What comes may be forged: no
   * command of it is shown, and no sentence but those that this release writes itself.
   *
   * @param sentences that the answer may have
   * @return false when none knows it; then nothing was answered
   */
  boolean explainElsewhere(String id, Set<String> sentences, ReplySender answer)
      throws IOException {
    Optional<SharedLists.Elsewhere> found = fleet.flatMap(shared -> shared.ask(id));
    if (found.isEmpty()) {
      return false;
    }
    int exitCode = ReplySender.OK;
    for (String line : found.get().text().split("\n", -1)) {
      if (ControlCodec.decodeReply(line)
          instanceof ControlCodec.DecodedReply.Reply(ControlReply reply)) {
        switch (reply) {
          case ControlReply.Item(var value) -> answer.item(withoutAdvice(value));
          case ControlReply.Note(String text) when sentences.contains(text) -> answer.note(text);
          case ControlReply.Done(int code) -> exitCode = code;
          case ControlReply.Note _, ControlReply.Progress _, ControlReply.Failed _ -> {}
        }
      }
    }
    answer.note(
        "node "
            + found.get().node()
            + " answers for this session; `bloomgate explain "
            + id
            + "` on that node names the command that undoes a refusal");
    answer.done(exitCode);
    return true;
  }

  /** The same without what tells people to do something, at any depth. */
  private static JsonObject withoutAdvice(JsonObject object) {
    ObjectBuilder builder = JsonValue.object();
    object
        .members()
        .forEach((name, value) -> {
          if (!ADVICE.contains(name)) {
            builder.put(name, value instanceof JsonObject inner ? withoutAdvice(inner) : value);
          }
        });
    return builder.build();
  }

  /** An object for each node; this one alone where Redis is lost. */
  void status(ReplySender answer) throws IOException {
    if (fleet.isEmpty()) {
      answer.failed(
          ReplySender.NO,
          "this gateway shares nothing by way of Redis",
          "set fleet.node and fleet.redis, and start it again");
      return;
    }
    SharedLists shared = fleet.get();
    List<JsonObject> rows = new ArrayList<>();
    try {
      for (FleetNode node : shared.nodes()) {
        rows.add(
            node.name().equals(shared.node())
                ? self(node(node).put("connected", shared.isConnected()), shared, shared.problem())
                : node(node).build());
      }
    } catch (RedisException e) {
      ObjectBuilder lost =
          JsonValue.object().put("node", shared.node()).put("self", true).put("connected", false);
      rows.add(self(lost, shared, e.problem()));
    }
    answer.items(rows);
    answer.done(shared.isConnected() ? ReplySender.OK : ReplySender.NO);
  }

  private static ObjectBuilder node(FleetNode node) {
    return JsonValue.object()
        .put("node", node.name())
        .put("self", false)
        .put("connected", node.connected())
        .put("leader", node.leads())
        .put("generation", node.generation())
        .put("place", node.placeText())
        .put("lag_ms", node.lagMillis())
        .put("waiting", node.waiting())
        .put("reply_ms", node.replyMillis())
        .put("clock_ms", node.clockMillis())
        .put("at", Instant.ofEpochMilli(node.atMillis()).toString())
        .put("version", node.version());
  }

  /** What this node knows of itself, which may be newer than its heartbeat. */
  private JsonObject self(ObjectBuilder row, SharedLists shared, String problem) {
    return row.put("self", true)
        .put("waiting", shared.waiting())
        .put("skipped", shared.skipped())
        .put("faults", shared.faults())
        .put("problem", problem.isEmpty() ? null : problem)
        .put("notices", JsonValue.ofStrings(shared.notices()))
        .put("counts", counts.json())
        .build();
  }
}

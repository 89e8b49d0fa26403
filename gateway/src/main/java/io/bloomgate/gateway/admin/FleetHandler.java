package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.fleet.FleetNode;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.fleet.SharedLists.Confirmation;
import io.bloomgate.blocklists.fleet.published.Fleet;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code fleet status}, and on how many nodes a change of the lists is. Called on the threads of
 * control connections.
 */
public final class FleetHandler {

  private final Optional<SharedLists> fleet;
  private final Counts counts;
  private final GatewayControl gateway;

  /**
   * The counts that nodes share.
   *
   * @param fault why they are not counted together though they should be; empty for none
   * @param nodeOf the node that refused a session of this id, by Redis, which is asked
   */
  public record Counts(
      Supplier<SharedCounts.Figures> figures,
      Supplier<String> fault,
      Function<String, Optional<String>> nodeOf) {}

  FleetHandler(GatewayControl gateway) {
    this.fleet = Optional.ofNullable(gateway.shared());
    this.counts = gateway.together();
    this.gateway = gateway;
    fleet.ifPresent(shared -> {
      shared.stateBy(() -> new FleetNode.State(mode(), gateway.blocklists().health().rolledBack()));
      shared.actBy(new FleetActs(gateway)::carryOut);
    });
  }

  private String mode() {
    return gateway.mode().effective().key();
  }

  /**
   * The reason why Redis is lost or refuses something, or fails the counters alone; empty while all
   * works, and for a gateway alone.
   */
  Optional<String> problem() {
    return fleet
        .map(SharedLists::problem)
        .filter(why -> !why.isEmpty())
        .or(() ->
            Optional.of(counts.fault().get())
                .filter(why -> !why.isEmpty())
                .map(why -> "senders and mails are counted alone: " + why));
  }

  /** Waits for the other nodes and says how many have what a command changed. */
  void confirm(ReplySender answer) {
    note(confirmed(), answer);
  }

  static void note(Optional<Confirmation> there, ReplySender answer) {
    there.ifPresent(known -> answer.note(known.text()));
  }

  /** Adds on how many nodes an entry is. */
  static JsonObject with(Optional<Confirmation> there, ObjectBuilder entry) {
    return there
        .map(known ->
            entry
                .put("nodes", known.nodes())
                .put("nodes_here", known.connected())
                .put("nodes_away", known.away())
                .put("queued", known.queued()))
        .orElse(entry)
        .build();
  }

  /** Waits for the other nodes; empty for a gateway alone. */
  Optional<Confirmation> confirmed() {
    return fleet.map(SharedLists::confirm);
  }

  /**
   * Advice about a session that this node does not know: the node that refused it has it.
   *
   * @param alone the hint where no other node is known to have it
   */
  String hint(String id, String alone) {
    return IncidentId.canonical(id)
        .flatMap(counts.nodeOf())
        .map(node -> "node " + node + " has it: run the same command there")
        .orElse(alone);
  }

  /** Tells the other nodes what a command did here. */
  void tell(Act act, ReplySender answer) {
    if (fleet.isEmpty()) {
      return;
    }
    try {
      fleet.get().tell(act, answer.user());
    } catch (OperatorListsException e) {
      answer.note("warning: the other nodes do not know it: " + e.userMessage());
    }
    confirm(answer);
  }

  /** An object for each node; this one alone where Redis is lost. */
  void status(ReplySender answer) throws RefusedException {
    if (fleet.isEmpty()) {
      statusOfFiles(answer);
      return;
    }
    SharedLists shared = fleet.get();
    List<JsonObject> rows = new ArrayList<>();
    try {
      List<FleetNode> nodes = shared.nodes();
      List<String> notices = new ArrayList<>(shared.notices());
      notices.addAll(FleetRows.differences(nodes));
      for (FleetNode node : nodes) {
        ObjectBuilder row = node(node);
        rows.add(
            node.name().equals(shared.node())
                ? self(
                    row.put("connected", shared.isConnected()), shared, shared.problem(), notices)
                : row.build());
      }
    } catch (RedisException e) {
      ObjectBuilder lost =
          JsonValue.object().put("node", shared.node()).put("self", true).put("connected", false);
      rows.add(self(lost, shared, e.problem(), shared.notices()));
    }
    answer.items(FleetRows.complete(rows));
    answer.exit(shared.isConnected() ? ReplySender.OK : ReplySender.NO);
  }

  private void statusOfFiles(ReplySender answer) throws RefusedException {
    FleetSettings settings = gateway.settings().fleet();
    if (settings == null) {
      throw RefusedException.no(
          "this gateway shares nothing with others",
          "set fleet.node, and fleet.redis or fleet.publish or fleet.generations; then start it"
              + " again");
    }
    JsonObject row = FleetRows.ofFiles(settings, gateway);
    answer.item(row);
    answer.exit(row.text("problem").isEmpty() ? ReplySender.OK : ReplySender.NO);
  }

  private ObjectBuilder node(FleetNode node) {
    FleetNode.Beat beat = node.beat();
    List<String> rolledBack = beat.state().rolledBack();
    return JsonValue.object()
        .put("node", node.name())
        .put("self", false)
        .put("connected", node.connected())
        .put("leader", node.leads())
        .put("generation", beat.generation())
        .put("mode", beat.state().mode())
        .put("rolled_back", rolledBack == null ? JsonValue.NULL : JsonValue.ofStrings(rolledBack))
        .put("long_gone", node.isLongGone(gateway.now().toEpochMilli()))
        .put("place", beat.place())
        .put("lag_ms", node.lagMillis())
        .put("waiting", beat.waiting())
        .put("reply_ms", beat.reply())
        .put("clock_ms", beat.clock())
        .put("at", Instant.ofEpochMilli(beat.at()).toString())
        .put("version", beat.version());
  }

  /** The row of this node, which may be newer than its heartbeat. */
  private JsonObject self(
      ObjectBuilder row, SharedLists shared, String problem, List<String> notices) {
    return FleetRows.put(row, gateway.blocklists().sharedVersions().published())
        .put("self", true)
        .put("mode", mode())
        .put("waiting", shared.waiting())
        .put("skipped", shared.skipped())
        .put("gaps", shared.gaps())
        .put("faults", shared.faults())
        .put("problem", problem.isEmpty() ? null : problem)
        .put("notices", JsonValue.ofStrings(notices))
        .put("counts", JsonRecords.of(counts.figures().get()))
        .build();
  }

  /** The rows of {@code fleet status}. Used by {@link FleetHandler}; pure but for what it asks. */
  static final class FleetRows {

    private FleetRows() {}

    /** The row of this gateway, where it shares nothing but files. */
    static JsonObject ofFiles(FleetSettings fleet, GatewayControl gateway) {
      Fleet versions = gateway.blocklists().sharedVersions();
      List<String> alarms = versions.alarms();
      Optional<Fleet.Published> published = versions.published();
      ObjectBuilder row =
          JsonValue.object()
              .put("node", fleet.node())
              .put("self", true)
              .put("leader", fleet.mayLead())
              .put("generation", gateway.blocklists().status().generationId())
              .put("mode", gateway.mode().effective().key())
              .put("problem", alarms.isEmpty() ? null : String.join("; ", alarms))
              .put(
                  "notices",
                  JsonValue.ofStrings(fleet.mayLead() ? List.of() : ownVersions(gateway)))
              .put("shares", "files");
      return put(row, published).build();
    }

    /**
     * The reasons why a follower may list something else than its leader, as after a rollback here.
     */
    private static List<String> ownVersions(GatewayControl gateway) {
      List<String> reasons = new ArrayList<>();
      for (FeedStatus feed : gateway.blocklists().feeds().list()) {
        if (feed.problem() != null) {
          reasons.add("feed " + feed.feed() + " may differ from the leader's: " + feed.problem());
        }
      }
      return reasons;
    }

    /** Adds what the leader published last. */
    static ObjectBuilder put(ObjectBuilder row, Optional<Fleet.Published> published) {
      return published
          .map(last ->
              row.put("manifest", last.number())
                  .put("manifest_node", last.node())
                  .put("manifest_time", last.time().toString()))
          .orElse(row);
    }

    /** The rows with the same members in each. */
    static List<JsonObject> complete(List<JsonObject> rows) {
      Set<String> names = new LinkedHashSet<>();
      rows.forEach(row -> names.addAll(row.members().keySet()));
      List<JsonObject> all = new ArrayList<>();
      for (JsonObject row : rows) {
        ObjectBuilder whole = JsonValue.object();
        names.forEach(name -> whole.put(name, row.get(name).orElse(JsonValue.NULL)));
        all.add(whole.build());
      }
      return all;
    }

    /** Sentences about nodes that are here and have another mode or list something else. */
    static List<String> differences(List<FleetNode> nodes) {
      List<FleetNode> here = nodes.stream().filter(FleetNode::connected).toList();
      List<String> notices = new ArrayList<>();
      List<FleetNode> known =
          here.stream().filter(node -> node.beat().state().rolledBack() != null).toList();
      Map<String, Set<String>> rolledBack = new LinkedHashMap<>();
      Map<String, Set<String>> modes = new TreeMap<>();
      for (FleetNode node : here) {
        FleetNode.State state = node.beat().state();
        if (state.rolledBack() != null) {
          state.rolledBack().forEach(feed -> add(rolledBack, feed, node));
        }
        if (!state.mode().isEmpty()) {
          add(modes, state.mode(), node);
        }
      }
      rolledBack.forEach((feed, on) -> {
        List<String> others =
            known.stream().map(FleetNode::name).filter(name -> !on.contains(name)).toList();
        if (!others.isEmpty()) {
          notices.add(
              "feed %s is rolled back on %s and not on %s: they list something else until the feed has another version; `bloomgate feeds show %s` on a node says who did it"
                  .formatted(feed, String.join(", ", on), String.join(", ", others), feed));
        }
      });
      if (modes.size() > 1) {
        List<String> parts = new ArrayList<>();
        modes.forEach((mode, on) -> parts.add(mode + " on " + String.join(", ", on)));
        notices.add(
            "modes differ: "
                + String.join("; ", parts)
                + "; a node that starts has the mode of its file, and `bloomgate mode MODE` sets"
                + " all");
      }
      return notices;
    }

    private static void add(Map<String, Set<String>> nodes, String what, FleetNode node) {
      nodes.computeIfAbsent(what, any -> new LinkedHashSet<>()).add(node.name());
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.fleet.FleetNode;
import io.bloomgate.blocklists.fleet.published.Fleet;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.FleetSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rows of {@code fleet status}. Used by {@link FleetHandler}; pure but for what it asks. */
final class FleetRows {

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
            .put("notices", JsonValue.ofStrings(fleet.mayLead() ? List.of() : ownVersions(gateway)))
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

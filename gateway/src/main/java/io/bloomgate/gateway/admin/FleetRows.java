package io.bloomgate.gateway.admin;


import io.bloomgate.blocklists.fleet.published.Fleet;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
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

  private static final String NOTICES = "notices";

  /** Names of feeds. */
  static final String ROLLED_BACK = "rolled_back";

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
            .put(NOTICES, JsonValue.ofStrings(fleet.mayLead() ? List.of() : ownVersions(gateway)))
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

  /** {@code null} for a node that has not said it. */
  static JsonValue names(Optional<List<String>> feeds) {
    return feeds.<JsonValue>map(JsonValue::ofStrings).orElse(JsonValue.NULL);
  }

  /** The rows with the same members in each, and with notices where nodes differ. */
  static List<JsonObject> complete(List<JsonObject> rows) {
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> names.addAll(row.members().keySet()));
    List<String> differ = new ArrayList<>(rolledBack(rows));
    modesDiffer(rows).ifPresent(differ::add);
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject row : rows) {
      ObjectBuilder whole = JsonValue.object();
      for (String name : names) {
        JsonValue value = row.get(name).orElse(JsonValue.NULL);
        boolean tell = name.equals(NOTICES) && row.isTrue("self") && !differ.isEmpty();
        whole.put(name, tell ? with(row.elements(NOTICES), differ) : value);
      }
      all.add(whole.build());
    }
    return all;
  }

  private static JsonArray with(List<JsonValue> notices, List<String> more) {
    List<JsonValue> all = new ArrayList<>(notices);
    more.forEach(one -> all.add(new JsonString(one)));
    return new JsonArray(all);
  }

  /** Feeds that some nodes have rolled back and others have not: they list something else. */
  private static List<String> rolledBack(List<JsonObject> rows) {
    List<JsonObject> known =
        rows.stream()
            .filter(row -> row.isTrue("connected"))
            .filter(row -> row.get(ROLLED_BACK).orElse(JsonValue.NULL) instanceof JsonArray)
            .toList();
    Map<JsonValue, List<String>> nodes = new LinkedHashMap<>();
    for (JsonObject row : known) {
      for (JsonValue feed : row.elements(ROLLED_BACK)) {
        nodes.computeIfAbsent(feed, any -> new ArrayList<>()).add(name(row));
      }
    }
    List<String> notices = new ArrayList<>();
    nodes.forEach((feed, names) -> {
      List<String> others =
          known.stream().map(FleetRows::name).filter(name -> !names.contains(name)).toList();
      if (!others.isEmpty() && feed instanceof JsonString(String text)) {
        notices.add(
            "feed %s is rolled back on %s and not on %s: they list something else until the feed has another version; `bloomgate feeds show %s` on a node says who did it"
                .formatted(text, String.join(", ", names), String.join(", ", others), text));
      }
    });
    return notices;
  }

  private static String name(JsonObject row) {
    return row.text("node").orElse("");
  }

  private static Optional<String> modesDiffer(List<JsonObject> rows) {
    Map<String, List<String>> nodes = new TreeMap<>();
    for (JsonObject row : rows) {
      String mode = row.text("mode").orElse("");
      if (row.isTrue("connected") && !mode.isEmpty()) {
        nodes.computeIfAbsent(mode, any -> new ArrayList<>()).add(name(row));
      }
    }
    if (nodes.size() < 2) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    nodes.forEach((mode, names) -> parts.add(mode + " on " + String.join(", ", names)));
    return Optional.of(
        "modes differ: "
            + String.join("; ", parts)
            + "; a node that starts has the mode of its file, and `bloomgate mode MODE` sets all");
  }
}

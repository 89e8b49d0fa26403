package io.bloomgate.gateway.page;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.html.Inert;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A profile, from the settings in force as {@code bloomgate config diff} asks for them, and its
 * recipients, as {@code bloomgate recipient list} names them. Immutable; pure.
 *
 * @param differences what the profile says, a setting each
 * @param recipients that have it, those of the settings too
 */
record ProfileRow(String name, List<String> differences, List<String> recipients) {

  /** Recipients of one profile that are shown. */
  private static final int MAX_RECIPIENTS = 20;

  private static final Map<String, String> BUILT_IN =
      Map.of(
          "default", "nothing: what the settings say",
          "off", "nothing is refused or tagged",
          "exempt", "lists refuse nothing, content may tag, your block of the client refuses");

  ProfileRow {
    differences = List.copyOf(differences);
    recipients = List.copyOf(recipients);
  }

  /** All profiles: those that are built in, then those of the settings in their order. */
  static List<ProfileRow> of(List<JsonObject> values, List<JsonObject> recipients) {
    Map<String, List<String>> differences = new LinkedHashMap<>();
    Map<String, List<String>> named = new HashMap<>();
    for (String name : List.of("default", "off", "exempt")) {
      add(differences, name, BUILT_IN.getOrDefault(name, ""));
    }
    for (JsonObject value : values) {
      List<String> path = Show.texts(value, "path");
      String text = Show.raw(value, "value");
      if (path.equals(List.of("policy", "exempt_recipients"))) {
        add(named, "exempt", text);
      } else if (path.size() > 2 && path.getFirst().equals("profiles") && value.isTrue("changed")) {
        add(differences, path.get(1), String.join(".", path.subList(2, path.size())) + ": " + text);
      }
    }
    for (JsonObject recipient : recipients) {
      if (!recipient.isTrue("expired")) {
        String profile = Show.raw(recipient, "profile");
        differences.putIfAbsent(profile, List.of());
        add(named, profile, Show.raw(recipient, "subject"));
      }
    }
    return differences.entrySet().stream()
        .map(row ->
            new ProfileRow(
                row.getKey(), row.getValue(), named.getOrDefault(row.getKey(), List.of())))
        .toList();
  }

  private static void add(Map<String, List<String>> texts, String profile, String text) {
    texts.computeIfAbsent(profile, _ -> new ArrayList<>()).add(text);
  }

  String difference() {
    return Inert.whole(String.join(", ", differences));
  }

  /** The recipients, as many as a page may show. */
  String shown() {
    String text = String.join(", ", recipients.stream().limit(MAX_RECIPIENTS).toList());
    int more = recipients.size() - MAX_RECIPIENTS;
    return Inert.whole(text) + (more > 0 ? " and " + more + " more" : "");
  }
}

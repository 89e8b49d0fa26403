package io.bloomgate.gateway.page;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.html.Inert;
import java.util.ArrayList;
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
  private static final int MAX_RECIPIENTS = 200;

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
    Map<String, ProfileRow> rows = new LinkedHashMap<>();
    for (String name : List.of("default", "off", "exempt")) {
      rows.put(name, new ProfileRow(name, List.of(BUILT_IN.getOrDefault(name, "")), List.of()));
    }
    for (JsonObject value : values) {
      List<String> path = Show.texts(value, "path");
      String text = Show.raw(value, "value");
      if (path.equals(List.of("policy", "exempt_recipients"))) {
        add(rows, "exempt", "", text);
      } else if (path.size() > 2 && path.getFirst().equals("profiles") && value.isTrue("changed")) {
        add(rows, path.get(1), String.join(".", path.subList(2, path.size())) + ": " + text, "");
      }
    }
    for (JsonObject recipient : recipients) {
      if (!recipient.isTrue("expired")) {
        add(rows, Show.raw(recipient, "profile"), "", Show.raw(recipient, "subject"));
      }
    }
    return List.copyOf(rows.values());
  }

  private static void add(
      Map<String, ProfileRow> rows, String name, String difference, String recipient) {
    rows.compute(
        name,
        (_, known) ->
            new ProfileRow(
                name,
                with(known == null ? List.of() : known.differences(), difference),
                with(known == null ? List.of() : known.recipients(), recipient)));
  }

  private static List<String> with(List<String> texts, String more) {
    List<String> all = new ArrayList<>(texts);
    if (!more.isEmpty()) {
      all.add(more);
    }
    return all;
  }

  String difference() {
    return Inert.whole(String.join(", ", differences));
  }

  /** The recipients, as many as a page may show. */
  String shown() {
    String text = String.join(", ", recipients.stream().limit(MAX_RECIPIENTS).toList());
    int more = recipients.size() - MAX_RECIPIENTS;
    return Inert.whole(more > 0 ? text + " and " + more + " more" : text);
  }
}

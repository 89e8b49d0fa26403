package io.bloomgate.gateway.demo;

import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says in a few words why a mail fared as it did, from the gateway's own explanation. Pure. */
final class RefusalReason {

  private static final int MAX_REPLY = 60;

  private RefusalReason() {}

  static String of(JsonObject explanation, DemoClient.Result result) {
    String verdict = explanation.text("verdict").orElse("");
    if (verdict.equals("accept") && !result.accepted()) {
      return shortened(result.code() + " " + result.reply());
    }
    List<JsonObject> listings = listings(explanation);
    Optional<JsonObject> standing =
        listings.stream().filter(l -> l.text("pardon").isEmpty()).findFirst();
    if (standing.isPresent()) {
      return listing(standing.get());
    }
    if (!listings.isEmpty()) {
      JsonObject first = listings.getFirst();
      return listing(first) + " " + first.text("pardon").orElse("");
    }
    return bloomHit(explanation) ? "not listed, the exact index says" : "not listed";
  }

  private static String shortened(String reply) {
    return reply.length() <= MAX_REPLY ? reply : reply.substring(0, MAX_REPLY - 3) + "...";
  }

  private static String listing(JsonObject listing) {
    return listing.text("feed").orElse("") + " " + listing.text("entry").orElse("");
  }

  private static List<JsonObject> listings(JsonObject explanation) {
    List<JsonObject> found = new ArrayList<>();
    if (explanation.get("listings").orElse(null) instanceof JsonArray(var elements)) {
      for (var element : elements) {
        if (element instanceof JsonObject object) {
          found.add(object);
        }
      }
    }
    return found;
  }

  /** True when a filter took the client for a listed one and the exact index did not. */
  static boolean bloomHit(JsonObject explanation) {
    return explanation.get("bloom").orElse(null) instanceof JsonObject bloom
        && is(bloom, "hit", true)
        && is(bloom, "confirmed", false);
  }

  private static boolean is(JsonObject object, String name, boolean wanted) {
    return object.get(name).orElse(null) instanceof JsonBoolean(boolean value) && value == wanted;
  }
}

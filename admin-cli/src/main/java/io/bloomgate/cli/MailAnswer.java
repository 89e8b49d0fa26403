package io.bloomgate.cli;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole answer to {@code explain FILE.eml}: what lists say, with every key of the mail, its
 * shape and what was not looked at. Pure.
 */
final class MailAnswer {

  private static final String REJECT = "reject";

  private MailAnswer() {}

  /**
   * The answer as one object.
   *
   * @param name of the mail, as typed
   * @param said what the lists say of its keys
   */
  static JsonObject of(String name, ScannedMail mail, JsonObject said) {
    boolean byShape = mail.excess() != null && !said.text("verdict").orElse("").equals(REJECT);
    JsonValue.ObjectBuilder json = JsonValue.object().putAll(said).put("subject", name);
    if (said.elements("listings").isEmpty()) {
      json.put("kind", "mail");
    }
    if (byShape) {
      // The shape is refused whatever lists say, and no entry of a list lifts that.
      json.put("verdict", REJECT)
          .put("stage", "data")
          .put("undo", JsonValue.NULL)
          .put("undo_wider", new JsonArray(List.of()));
    }
    return json.put("keys", keys(mail.keys(), said))
        .put("signs", new JsonArray(mail.signs().stream().map(MailAnswer::sign).toList()))
        .put("not_looked_at", JsonValue.ofStrings(mail.skipped()))
        .put("shape", shape(mail))
        .build();
  }

  private static JsonValue sign(Content.Shown shown) {
    return JsonValue.object().put("sign", shown.sign().key()).put("seen", shown.seen()).build();
  }

  private static JsonArray keys(List<ContentKey> keys, JsonObject said) {
    Map<Long, JsonObject> about = new HashMap<>();
    said.objects("keys")
        .forEach(one -> one.number("number").ifPresent(number -> about.put(number, one)));
    JsonObject nothing = JsonValue.object().build();
    List<JsonValue> all = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      ContentKey key = keys.get(i);
      JsonObject one = about.getOrDefault((long) i, nothing);
      all.add(
          JsonValue.object()
              .put("check", key.check().key())
              .put("key", key.key().toString())
              .put("place", key.place().key())
              .put("listings", new JsonArray(one.elements("listings")))
              .put("allow", one.get("allow").orElse(JsonValue.NULL))
              .build());
    }
    return new JsonArray(all);
  }

  private static JsonObject shape(ScannedMail mail) {
    MimeExcess excess = mail.excess();
    JsonValue limit =
        excess == null
            ? JsonValue.NULL
            : JsonValue.object()
                .put("name", "limits.mime." + excess.what().key())
                .put("value", excess.limit())
                .build();
    return JsonValue.object()
        .put("parts", mail.parts())
        .put("depth", mail.depth())
        .put("limit", limit)
        .build();
  }
}

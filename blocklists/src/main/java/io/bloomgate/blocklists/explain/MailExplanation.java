package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.explain.Explanation.Line;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code explain} about a mail. Made by {@link Explainer}; immutable.
 *
 * @param whole the outcome for the mail
 * @param carried the keys that a list or an entry of the operator says something of
 */
public record MailExplanation(Explanation whole, List<Carried> carried) {

  /** What an answer has as its subject. */
  public static final String SUBJECT = "mail";

  public MailExplanation {
    carried = List.copyOf(carried);
  }

  /**
   * What is said of one key of the mail.
   *
   * @param number of the key in the question, from 0
   * @param listings what counts first
   * @param allow the entry that lifts listings, or that would
   */
  public record Carried(
      int number, ContentKey key, List<Line> listings, @Nullable OperatorEntry allow) {
    public Carried {
      listings = List.copyOf(listings);
    }
  }

  /**
   * The object of the contract, section 7, with {@code keys}: of those keys only that something is
   * said of. The command line puts the other keys between them.
   */
  public JsonObject toJson() {
    List<JsonValue> keys = carried.stream().<JsonValue>map(MailExplanation::json).toList();
    JsonValue.ObjectBuilder json = JsonValue.object();
    whole.toJson().members().forEach(json::put);
    return json.put("keys", new JsonArray(keys)).build();
  }

  private static JsonObject json(Carried one) {
    return JsonValue.object()
        .put("number", one.number())
        .put(
            "listings",
            new JsonArray(
                one.listings().stream().map(line -> ExplanationJson.of(line, false)).toList()))
        .put("allow", ExplanationJson.of(one.allow()))
        .build();
  }
}

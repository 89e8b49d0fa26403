package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.explain.Explanation.Line;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.json.JsonRecords;
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

  /** The subject of an answer about a mail. */
  public static final String SUBJECT = "mail";

  public MailExplanation {
    carried = List.copyOf(carried);
  }

  /**
   * The findings about one key of the mail.
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
   * The documented object, with {@code keys}: of those keys only that something is said of. The
   * command line puts the other keys between them.
   */
  public JsonObject toJson() {
    return JsonRecords.of(ExplanationJson.of(whole, carried));
  }
}

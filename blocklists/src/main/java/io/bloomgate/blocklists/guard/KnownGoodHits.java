package io.bloomgate.blocklists.guard;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What one list does to the known-good set. The counts are exact, the sample is bounded. Immutable.
 *
 * @param subjects of the set that are listed, wholly or in part
 * @param allowed how many of them the operator's allow entries name, which win over the list
 * @param entries that list one of them
 * @param sample the first such entries, at most {@link #SAMPLE}
 */
public record KnownGoodHits(long subjects, long allowed, long entries, List<Hit> sample) {

  /** Entries that are named. */
  public static final int SAMPLE = 20;

  /** Place of a subject that is in no file, because the operator allows it. */
  public static final String ALLOW_ENTRY = "allow entry";

  /** Nothing is hit. */
  public static final KnownGoodHits NONE = new KnownGoodHits(0, 0, 0, List.of());

  /**
   * An entry, and the first of the subjects that it lists.
   *
   * @param entry its canonical text
   * @param line of the list
   * @param place where the subject comes from, {@code FILE:LINE} or {@link #ALLOW_ENTRY}
   */
  public record Hit(String entry, int line, String subject, String place) {

    JsonObject toJson() {
      return JsonValue.object()
          .put("entry", entry)
          .put("line", line)
          .put("subject", subject)
          .put("file", place)
          .build();
    }
  }

  public KnownGoodHits {
    sample = List.copyOf(sample);
  }

  /** Hits on subjects that no allow entry names. */
  public KnownGoodHits(long subjects, long entries, List<Hit> sample) {
    this(subjects, 0, entries, sample);
  }

  /** What {@link #toJson} wrote, as far as it is there. */
  public static KnownGoodHits ofJson(JsonObject stored) {
    List<Hit> sample = new ArrayList<>();
    for (JsonValue value : stored.elements("sample")) {
      if (value instanceof JsonObject hit) {
        sample.add(
            new Hit(
                hit.text("entry").orElse(""),
                (int) hit.number("line").orElse(0),
                hit.text("subject").orElse(""),
                hit.text("file").orElse("")));
      }
    }
    return new KnownGoodHits(
        stored.number("subjects").orElse(0),
        stored.number("allowed").orElse(0),
        stored.number("entries").orElse(0),
        sample);
  }

  /** Member {@code known_good} of {@code feeds show} and {@code feeds test}. */
  public JsonObject toJson() {
    return JsonValue.object()
        .put("subjects", subjects)
        .put("entries", entries)
        .put("sample", new JsonArray(sample.stream().<JsonValue>map(Hit::toJson).toList()))
        .put("allowed", allowed)
        .build();
  }
}

package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/** Prints the known-good senders that a list names, for a person. Pure. */
final class KnownGoodText {

  /** The member with those that {@code feeds accept} would list of what is held. */
  static final String HELD = "held_known_good";

  private KnownGoodText() {}

  /** Prints the member {@link #HELD} of an object, if it names any. */
  static void held(JsonObject object, Output out) {
    object
        .object(HELD)
        .filter(hits -> hits.number("subjects").orElse(0) > 0)
        .ifPresent(hits -> {
          out.line("  if what is held were accepted:");
          show(hits, out);
        });
  }

  /** The member {@code known_good} of {@code feeds test} and {@code feeds show}. */
  static void show(JsonObject hits, Output out) {
    long subjects = hits.number("subjects").orElse(0);
    if (subjects == 0) {
      out.line("  known good " + out.palette().good("none of them is listed"));
      return;
    }
    out.line(
        "  known good " + out.palette().warn("{subjects} listed, by entries: {entries}"), hits);
    List<JsonObject> sample = hits.objects("sample");
    for (JsonObject hit : sample) {
      out.line("             {entry} in line {line} lists {subject} ({file})", hit);
    }
    if (hits.number("entries").orElse(0) > sample.size()) {
      out.line("             and more");
    }
    explainAllowed(sample, out);
  }

  /**
   * Senders that are listed and allowed: nothing is held back for them, so the text says that the
   * allow entries win.
   */
  private static void explainAllowed(List<JsonObject> sample, Output out) {
    sample.stream()
        .filter(hit -> hit.text("file").filter(KnownGoodHits.ALLOW_ENTRY::equals).isPresent())
        .findFirst()
        .ifPresent(hit ->
            out.line(
                "             your allow entries win; `bloomgate explain {subject}` shows how far",
                hit));
  }
}

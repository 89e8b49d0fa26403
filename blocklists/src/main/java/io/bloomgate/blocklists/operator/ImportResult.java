package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an import did with some lines, or would do. Immutable; made by the control server, and by
 * the command line for a trial without a gateway.
 *
 * @param file for messages
 * @param stored what became of each entry that was read, in the same order
 */
public record ImportResult(String file, OperatorImport.Read read, List<Stored> stored) {

  public ImportResult {
    stored = List.copyOf(stored);
  }

  /** What storing entries comes to where nothing is stored yet. */
  public static List<Stored> inNewStore(List<NewEntry> entries, Instant now) {
    return entries.stream()
        .map(entry -> new Stored(entry.entry("", "", now), Change.ADDED, Optional.empty()))
        .toList();
  }

  /** A sentence for each line that was not taken, or was taken after something was fixed. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (OperatorImport.Problem warning : read.warnings()) {
      notes.add("warning: " + warning.text(file));
    }
    for (OperatorImport.Problem problem : read.problems()) {
      notes.add(problem.text(file));
    }
    return notes;
  }

  /** True when some lines were not taken. */
  public boolean isPartial() {
    return !read.problems().isEmpty();
  }

  /** How many lines came to what. */
  public ObjectBuilder counts() {
    ObjectBuilder counts = JsonValue.object().put("file", file);
    for (Change change : Change.values()) {
      counts.put(word(change), stored.stream().filter(one -> one.change() == change).count());
    }
    return counts.put("skipped", read.problems().size());
  }

  /** The same with the numbers of the lines, as {@code lines_added}. */
  public ObjectBuilder lines() {
    ObjectBuilder result = counts();
    for (Change change : Change.values()) {
      List<JsonValue> lines = new ArrayList<>();
      for (int i = 0; i < stored.size(); i++) {
        if (stored.get(i).change() == change) {
          lines.add(JsonValue.of(read.entries().get(i).line()));
        }
      }
      result.put("lines_" + word(change), new JsonArray(lines));
    }
    return result;
  }

  private static String word(Change change) {
    return change.name().toLowerCase(Locale.ROOT);
  }
}

package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Many lines of {@link OperatorText} at once: what can be stored, and what is wrong with the rest.
 * Pure; called by {@link ListFiles} and, for {@code import}, by the control server.
 */
public final class OperatorImport {

  private OperatorImport() {}

  /**
   * The result of reading a file.
   *
   * @param entries in file order
   * @param problems lines that were not taken
   * @param warnings lines that were taken after something was fixed
   */
  public record Read(List<Numbered> entries, List<Problem> problems, List<Problem> warnings) {
    public Read {
      entries = List.copyOf(entries);
      problems = List.copyOf(problems);
      warnings = List.copyOf(warnings);
    }

    /** The entries without their line numbers. */
    public List<NewEntry> newEntries() {
      return entries.stream().map(Numbered::entry).toList();
    }
  }

  /** An entry and the line that it came from. */
  public record Numbered(int line, NewEntry entry) {}

  /** The problem of a line; shown as {@code FILE:LINE: reason; hint}. */
  public record Problem(int line, String reason, @Nullable String hint) {
    /** The text for a person. */
    public String text(String file) {
      return file + ":" + line + ": " + reason + (hint == null ? "" : "; " + hint);
    }
  }

  /**
   * Reads lines.
   *
   * @param firstLine number of the first line, for messages
   * @param force the whole import is forced
   * @param repeated a problem repeats the line, for a reader who does not see the file
   * @param rules asked for each entry with whether it is forced; {@link OperatorRules}
   */
  public static Read read(
      ListKind list,
      int firstLine,
      List<String> lines,
      boolean force,
      boolean repeated,
      BiFunction<NewEntry, Boolean, Optional<Refusal>> rules) {
    List<Numbered> entries = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    List<Problem> warnings = new ArrayList<>();
    int number = firstLine;
    for (String line : lines) {
      int at = number++;
      switch (OperatorText.parse(list, line)) {
        case Parsed.Bad<Optional<OperatorText.Line>>(String reason) ->
            problems.add(new Problem(at, repeated ? repeat(reason, line) : reason, null));
        case Parsed.Ok<Optional<OperatorText.Line>>(var read, var ignored) -> {
          if (read.isPresent()) {
            OperatorText.Line parsed = read.get();
            Optional<Refusal> refusal = rules.apply(parsed.entry(), force || parsed.forced());
            if (refusal.isPresent()) {
              problems.add(new Problem(at, refusal.get().message(), refusal.get().hint()));
            } else {
              entries.add(new Numbered(at, parsed.entry()));
              if (parsed.warning() != null) {
                warnings.add(new Problem(at, parsed.warning(), null));
              }
            }
          }
        }
      }
    }
    return new Read(entries, problems, warnings);
  }

  private static String repeat(String reason, String line) {
    return reason + ": `" + Octets.escape(line.strip()) + "`";
  }
}

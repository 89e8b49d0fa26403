package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of {@link OperatorText}, of a list file or of an import: gives their entries one by
 * one, so that a text of any length needs no memory, and keeps what is wrong with the other lines.
 * Called for {@link ListFiles} and {@link KnownGoodFiles} on the thread that reads them, and for
 * {@code import} by the control server and the command line; of one thread.
 */
public final class EntryLines {

  /** Bad lines of a file that are kept with their reasons; the rest is counted. */
  static final int MAX_PROBLEMS = 20;

  /** Nothing was read yet. */
  static final EntryLines NONE =
      new EntryLines(ListKind.ALLOW, MAX_PROBLEMS, (_, _) -> Optional.empty());

  private final ListKind list;
  private final int most;
  private final BiFunction<NewEntry, Boolean, Optional<Refusal>> rules;
  private long size;
  private long badLines;
  private final List<BadLine> problems = new ArrayList<>();
  private final List<BadLine> warnings = new ArrayList<>();

  private EntryLines(
      ListKind list, int most, BiFunction<NewEntry, Boolean, Optional<Refusal>> rules) {
    this.list = list;
    this.most = most;
    this.rules = rules;
  }

  /**
   * A reader of an import: it keeps all problems, and they repeat their line for a person who does
   * not see the file.
   *
   * @param rules asked for each entry with whether its line forces it; {@link OperatorRules}
   */
  public static EntryLines ofImport(
      ListKind list, BiFunction<NewEntry, Boolean, Optional<Refusal>> rules) {
    return new EntryLines(list, Integer.MAX_VALUE, rules);
  }

  /** An entry and the line that it came from. */
  public record Numbered(int line, NewEntry entry) {}

  /** The problem of a line; shown as {@code FILE:LINE: reason; hint}. */
  public record BadLine(int line, String reason, @Nullable String hint) {
    /** The text for a person. */
    public String text(String file) {
      return file + ":" + line + ": " + reason + (hint == null ? "" : "; " + hint);
    }
  }

  /** Takes one entry of a file. */
  @FunctionalInterface
  interface Taker {
    void take(int line, NewEntry entry) throws IOException;
  }

  /** Gives the entries of a list file, and reads it whole. */
  static EntryLines forEach(ListKind list, Path path, WidthRules widths, Taker taker)
      throws IOException {
    return forEach(
        list, Files.newInputStream(path), (entry, forced) -> refusal(entry, widths, forced), taker);
  }

  /** Gives the entries of a text that these rules let pass; closes it. */
  static EntryLines forEach(
      ListKind list,
      InputStream text,
      BiFunction<NewEntry, Boolean, Optional<Refusal>> rules,
      Taker taker)
      throws IOException {
    EntryLines read = new EntryLines(list, MAX_PROBLEMS, rules);
    try (BoundedLines lines = BoundedLines.of(text, OperatorText.MAX_LINE_CHARACTERS)) {
      int number = 1;
      for (String line = lines.next(); line != null; line = lines.next()) {
        NewEntry entry = read.line(number, line);
        if (entry != null) {
          taker.take(number, entry);
        }
        number++;
      }
    }
    return read;
  }

  private static Optional<Refusal> refusal(NewEntry entry, WidthRules widths, boolean forced) {
    // Each one costs every mail a comparison of 10 ns, and a file may have any number of lines.
    return entry.subject() instanceof Likeness
        ? Refusal.always("a list file can hold no likeness", "use `bloomgate block add` for it")
        : OperatorRules.checkAlone(entry, widths, forced).map(EntryLines::inFile);
  }

  /** The words of the command line as they are written in a line. */
  private static Refusal inFile(Refusal refusal) {
    return new Refusal(inFile(refusal.message()), inFile(refusal.hint()), refusal.forceable());
  }

  private static String inFile(String text) {
    return text.replace("repeat the command with --force", "write force=yes into the line")
        .replace("--force", "force=yes")
        .replaceAll("--from (?=CIDR|[0-9a-f.:]+/)", "from=")
        .replace("--from", "from=")
        .replace("--scope ", "scope=")
        .replace("with --url https:", "as ");
  }

  /**
   * Reads a line; {@code null} where it has no entry or one that is not taken.
   *
   * @param number of the line, for messages
   */
  public @Nullable NewEntry line(int number, String line) {
    return switch (OperatorText.parse(list, line)) {
      case Parsed.Bad<Optional<OperatorText.Line>>(String reason) -> {
        boolean repeats = most > MAX_PROBLEMS;
        String repeated = repeats ? ": `" + Octets.escape(line.strip()) + "`" : "";
        yield bad(new BadLine(number, reason + repeated, null));
      }
      case Parsed.Ok<Optional<OperatorText.Line>>(var read, var ignored) ->
          read.isEmpty() ? null : entry(number, read.get());
    };
  }

  private @Nullable NewEntry entry(int number, OperatorText.Line line) {
    Optional<Refusal> refusal = rules.apply(line.entry(), line.forced());
    if (refusal.isPresent()) {
      return bad(new BadLine(number, refusal.get().message(), refusal.get().hint()));
    }
    if (line.warning() != null && warnings.size() < most) {
      warnings.add(new BadLine(number, line.warning(), null));
    }
    size++;
    return line.entry();
  }

  private @Nullable NewEntry bad(BadLine problem) {
    badLines++;
    if (problems.size() < most) {
      problems.add(problem);
    }
    return null;
  }

  /** Entries, also those that are there twice. */
  long size() {
    return size;
  }

  /** Returns the number of lines that were not taken. */
  public long badLines() {
    return badLines;
  }

  /** The first of the lines that were not taken. */
  public List<BadLine> problems() {
    return List.copyOf(problems);
  }

  /** The first of the lines that were taken after something was fixed. */
  public List<BadLine> warnings() {
    return List.copyOf(warnings);
  }

  /** A sentence for each of the first lines that were not taken, and one for the rest. */
  List<String> problems(Path file) {
    List<String> sentences = new ArrayList<>();
    problems.forEach(problem -> sentences.add(problem.text(file.toString())));
    more().ifPresent(rest -> sentences.add(file + ": " + rest));
    return sentences;
  }

  /** The same for a person who checks the settings. */
  List<Problem> badLines(Path file) {
    List<Problem> bad = new ArrayList<>();
    for (BadLine one : problems) {
      bad.add(warning(file, one.line(), 1, one.reason(), one.hint() == null ? "" : one.hint()));
    }
    more().ifPresent(rest -> bad.add(warning(file, 0, 0, rest, "")));
    return bad;
  }

  private static Problem warning(Path file, int line, int column, String reason, String hint) {
    return new Problem(Severity.WARNING, file.toString(), line, column, reason, hint);
  }

  private Optional<String> more() {
    long more = badLines - problems.size();
    return more == 0 ? Optional.empty() : Optional.of(OperatorText.lines(more) + " more not taken");
  }
}

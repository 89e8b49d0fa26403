package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Problem.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The result of one reading of a list file: how many entries it has, and what is wrong with other
 * lines. The entries themselves are given one by one, so that a file of any length needs no memory.
 * Made by {@link ListFile} and {@link KnownGoodFiles}; immutable afterwards.
 */
final class FileContent {

  /** Nothing was read yet. */
  static final FileContent NONE = new FileContent();

  /** Bad lines that are kept with their reasons; the rest is counted. */
  static final int MAX_PROBLEMS = 20;

  /** Lines that are read before their entries are given. */
  private static final int AT_ONCE = 1_000;

  private long size;
  private long badLines;
  private final List<OperatorImport.Problem> problems = new ArrayList<>();
  private final List<OperatorImport.Problem> warnings = new ArrayList<>();

  private FileContent() {}

  /** Takes one entry of a file. */
  @FunctionalInterface
  interface Taker {
    void take(int line, NewEntry entry) throws IOException;
  }

  /** Reads a file whole. */
  static FileContent read(ListKind list, Path path, WidthRules widths) throws IOException {
    return forEach(list, path, widths, (_, _) -> {});
  }

  /** Gives the entries of a list file, and reads it whole. */
  static FileContent forEach(ListKind list, Path path, WidthRules widths, Taker taker)
      throws IOException {
    return forEach(
        list, Files.newInputStream(path), (entry, forced) -> refusal(entry, widths, forced), taker);
  }

  /** Gives the entries of a text that these rules let pass; closes it. */
  static FileContent forEach(
      ListKind list,
      InputStream text,
      BiFunction<NewEntry, Boolean, Optional<Refusal>> rules,
      Taker taker)
      throws IOException {
    FileContent content = new FileContent();
    try (BoundedLines lines = BoundedLines.of(text, OperatorText.MAX_LINE_CHARACTERS)) {
      List<String> some = new ArrayList<>();
      int first = 1;
      for (String line = lines.next(); line != null; line = lines.next()) {
        some.add(line);
        if (some.size() == AT_ONCE) {
          content.take(OperatorImport.read(list, first, some, false, false, rules), taker);
          first += some.size();
          some.clear();
        }
      }
      content.take(OperatorImport.read(list, first, some, false, false, rules), taker);
    }
    return content;
  }

  private static Optional<Refusal> refusal(NewEntry entry, WidthRules widths, boolean forced) {
    // Each one costs every mail a comparison of 10 ns, and a file may have any number of lines.
    return entry.subject() instanceof Likeness
        ? Optional.of(
            Refusal.always(
                entry, "a list file can hold no likeness", "use `bloomgate block add` for it"))
        : OperatorRules.checkAlone(entry, widths, forced).map(FileContent::inFile);
  }

  private void take(OperatorImport.Read read, Taker taker) throws IOException {
    for (OperatorImport.Numbered one : read.entries()) {
      taker.take(one.line(), one.entry());
    }
    size += read.entries().size();
    badLines += read.problems().size();
    keep(read.problems(), problems);
    keep(read.warnings(), warnings);
  }

  private static void keep(List<OperatorImport.Problem> some, List<OperatorImport.Problem> first) {
    some.stream().limit(MAX_PROBLEMS - first.size()).forEach(first::add);
  }

  /** The words of the command line as they are written in a line. */
  private static Refusal inFile(Refusal refusal) {
    return new Refusal(
        inFile(refusal.message()), inFile(refusal.hint()), refusal.log(), refusal.forceable());
  }

  private static String inFile(String text) {
    return text.replace("repeat the command with --force", "write force=yes into the line")
        .replace("--force", "force=yes")
        .replaceAll("--from (?=CIDR|[0-9a-f.:]+/)", "from=")
        .replace("--from", "from=")
        .replace("--scope ", "scope=")
        .replace("with --url https:", "as ");
  }

  /** The lines that were not taken, for a person who checks the files. */
  List<Problem> badLines(Path file) {
    List<Problem> bad = new ArrayList<>();
    for (OperatorImport.Problem one : problems) {
      String hint = one.hint() == null ? "" : one.hint();
      bad.add(new Problem(Severity.WARNING, file.toString(), one.line(), 1, one.reason(), hint));
    }
    if (badLines > problems.size()) {
      String more = OperatorText.lines(badLines - problems.size()) + " more not taken";
      bad.add(new Problem(Severity.WARNING, file.toString(), 0, 0, more, ""));
    }
    return bad;
  }

  /** Entries, also those that are there twice. */
  long size() {
    return size;
  }

  /** The first of the lines that were not taken. */
  List<OperatorImport.Problem> problems() {
    return List.copyOf(problems);
  }

  /** A sentence for each of those, and one for the rest. */
  List<String> problems(Path file) {
    List<String> sentences = new ArrayList<>();
    problems.forEach(problem -> sentences.add(problem.text(file.toString())));
    if (badLines > problems.size()) {
      sentences.add(
          file + ": " + OperatorText.lines(badLines - problems.size()) + " more not taken");
    }
    return sentences;
  }

  /** Returns the number of lines that were not taken. */
  long badLines() {
    return badLines;
  }

  /** The first of the lines that were taken after something was fixed. */
  List<OperatorImport.Problem> warnings() {
    return List.copyOf(warnings);
  }
}

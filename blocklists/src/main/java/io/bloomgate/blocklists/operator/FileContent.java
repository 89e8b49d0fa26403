package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Problem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The result of one reading of a list file: the line of each entry and a hash of its whole text (12
 * octets an entry), and what is wrong with other lines. The entries themselves are read again when
 * they are stored. Made by {@link ListFile}; immutable afterwards.
 */
final class FileContent {

  /** Bad lines that are kept with their reasons; the rest is counted. */
  static final int MAX_PROBLEMS = 20;

  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

  private final SubjectKeys keys;
  private long[] hashes = new long[1_024];
  private int[] lines = new int[1_024];
  private int size;
  private final List<OperatorImport.Problem> problems = new ArrayList<>();
  private long badLines;
  private final List<OperatorImport.Problem> warnings = new ArrayList<>();

  private FileContent(SubjectKeys keys) {
    this.keys = keys;
  }

  /** Takes one entry of a file. */
  @FunctionalInterface
  interface Taker {
    /** Takes the entry; false ends the reading. */
    boolean take(int line, NewEntry entry) throws IOException;
  }

  /** Reads a file whole. */
  static FileContent read(ListKind list, Path path, WidthRules widths, SubjectKeys keys)
      throws IOException {
    FileContent content = new FileContent(keys);
    forEach(
        list,
        path,
        widths,
        _ -> true,
        (line, entry) -> {
          content.add(line, entry);
          return true;
        },
        content);
    return content;
  }

  /** The lines of a file that are not taken; its entries are not kept. */
  static List<Problem> badLines(ListKind list, Path path, WidthRules widths) throws IOException {
    FileContent content = new FileContent(new SubjectKeys(0, 0));
    forEach(list, path, widths, _ -> true, (_, _) -> true, content);
    return content.badLines(path);
  }

  /** Reads the entries again. */
  static void forEach(ListKind list, Path path, WidthRules widths, Taker taker) throws IOException {
    forEach(list, path, widths, _ -> true, taker, null);
  }

  /** Reads the entries of the lines with these numbers again. */
  static void forEach(ListKind list, Path path, WidthRules widths, IntPredicate wanted, Taker taker)
      throws IOException {
    forEach(list, path, widths, wanted, taker, null);
  }

  private static void forEach(
      ListKind list,
      Path path,
      WidthRules widths,
      IntPredicate wanted,
      Taker taker,
      @Nullable FileContent content)
      throws IOException {
    try (BoundedLines lines =
        BoundedLines.of(Files.newInputStream(path), OperatorText.MAX_LINE_CHARACTERS)) {
      int number = 0;
      for (String line = lines.next(); line != null; line = lines.next()) {
        number++;
        if (!wanted.test(number)) {
          continue;
        }
        switch (OperatorText.parse(list, line)) {
          case Parsed.Bad<Optional<OperatorText.Line>>(String reason) -> {
            if (content != null) {
              content.bad(new OperatorImport.Problem(number, reason, null));
            }
          }
          case Parsed.Ok<Optional<OperatorText.Line>>(var read, var ignored) -> {
            if (read.isPresent() && !takes(number, read.get(), widths, taker, content)) {
              return;
            }
          }
        }
      }
    }
  }

  private static boolean takes(
      int number,
      OperatorText.Line line,
      WidthRules widths,
      Taker taker,
      @Nullable FileContent content)
      throws IOException {
    if (line.entry().subject() instanceof Likeness) {
      // Each one costs every mail a comparison, so their number has a bound that files do not know.
      if (content != null) {
        content.bad(
            new OperatorImport.Problem(
                number, "a list file can hold no likeness", "use `bloomgate block add` for it"));
      }
      return true;
    }
    Optional<Refusal> refusal = OperatorRules.checkAlone(line.entry(), widths, line.forced());
    if (refusal.isPresent()) {
      if (content != null) {
        content.bad(
            new OperatorImport.Problem(
                number, inFile(refusal.get().message()), inFile(refusal.get().hint())));
      }
      return true;
    }
    if (content != null && line.warning() != null && content.warnings.size() < MAX_PROBLEMS) {
      content.warnings.add(new OperatorImport.Problem(number, line.warning(), null));
    }
    return taker.take(number, line.entry());
  }

  /** The words of the command line as they are written in a line. */
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

  private void bad(OperatorImport.Problem problem) {
    badLines++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(problem);
    }
  }

  private void add(int line, NewEntry entry) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2);
      lines = Arrays.copyOf(lines, size * 2);
    }
    hashes[size] = hash(keys, entry);
    lines[size++] = line;
  }

  /** A hash of everything in an entry; entries with the same hash count as equal. */
  static long hash(SubjectKeys keys, NewEntry entry) {
    Instant expires = entry.expires();
    return hash(
        keys.of(entry.subject()),
        SubjectKeys.isCompared(entry.subject()),
        entry.from() == null ? "" : entry.from().toString(),
        StoredRow.scope(entry.scope(), entry.anyScope()),
        entry.reason(),
        expires == null ? 0 : expires.toEpochMilli());
  }

  /**
   * The same of the columns of a row.
   *
   * @param expiresMs 0 for never
   */
  static long hash(
      long key, boolean network, String from, String scope, String reason, long expiresMs) {
    long hash = network ? key * MIX : key;
    hash = mixed(mixed(mixed(hash, from), scope), reason);
    hash = (hash ^ expiresMs) * MIX;
    return hash ^ hash >>> 29;
  }

  /** The text with its length, so that the border between two texts changes the hash too. */
  private static long mixed(long before, String text) {
    long hash = (before ^ text.length()) * MIX;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * MIX;
      hash ^= hash >>> 29;
    }
    return hash;
  }

  int size() {
    return size;
  }

  long hash(int at) {
    return hashes[at];
  }

  /** Returns an index of the first place of each entry. */
  HashPlaces places() {
    return new HashPlaces(hashes, 0, size);
  }

  int line(int at) {
    return lines[at];
  }

  /** The first of the lines that were not taken. */
  List<OperatorImport.Problem> problems() {
    return List.copyOf(problems);
  }

  /** Returns the number of lines that were not taken. */
  long badLines() {
    return badLines;
  }

  /** The first of the lines that were taken after something was fixed. */
  List<OperatorImport.Problem> warnings() {
    return List.copyOf(warnings);
  }

  /**
   * Index of the first place of each of many hashes in an array: an open table of 8 to 16 octets a
   * hash. Used by {@link FileSync} for one comparison; one thread.
   */
  static final class HashPlaces {

    private static final int FREE = 0;

    private final long[] hashes;

    /** Place plus one; at most half of them are used. */
    private final int[] slots;

    /** Makes the index of the places {@code from} to {@code to} (exclusive). */
    HashPlaces(long[] hashes, int from, int to) {
      this.hashes = hashes;
      this.slots = new int[Integer.highestOneBit(Math.max(1, to - from)) * 4];
      for (int place = from; place < to; place++) {
        int slot = slot(hashes[place]);
        if (slots[slot] == FREE) {
          slots[slot] = place + 1;
        }
      }
    }

    /** The first place of a hash, -1 when it is nowhere. */
    int first(long hash) {
      return slots[slot(hash)] - 1;
    }

    /** Finds the slot of the hash, or the free slot where it would be. */
    private int slot(long hash) {
      int slot = (int) (hash >>> Integer.SIZE ^ hash) & (slots.length - 1);
      while (slots[slot] != FREE && hashes[slots[slot] - 1] != hash) {
        slot = (slot + 1) & (slots.length - 1);
      }
      return slot;
    }
  }
}

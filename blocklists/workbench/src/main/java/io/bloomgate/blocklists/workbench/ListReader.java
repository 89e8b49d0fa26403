package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedBytes;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads list files in any format that a feed may have, as a feed is read, or as lines of which each
 * is a key. Keeps no entry. On the thread of the command.
 */
public final class ListReader {

  private static final String TRY = "`bloomgate feeds test` says what it is";

  /** The format in which a list of web addresses gives them, and not their hosts. */
  private static final String URLS = "urls:paths-only";

  /** The name in messages and reports. */
  private static final String STANDARD_INPUT = "standard input";

  /** The most that a list of standard input may have. */
  private static final long MOST_OCTETS = Integer.MAX_VALUE;

  private final @Nullable FeedFormat format;
  private final boolean anyText;

  /**
   * A reader of one format.
   *
   * @param format its name, or {@code null} to find it for each file
   * @param anyText true for lines of which each is a key
   * @throws OfflineException when there is no such format in this release
   */
  ListReader(@Nullable String format, boolean anyText) throws OfflineException {
    this.format = format == null ? null : named(format);
    this.anyText = anyText;
    OfflineException.refuseIf(
        anyText && format != null, "a list of any text has no format", "leave --format out");
  }

  /** Web addresses are asked as such, so a list of them gives them and not their hosts. */
  private static FeedFormat named(String name) throws OfflineException {
    return switch (FeedFormat.named(name.equals("urls") ? URLS : name)) {
      case Parsed.Ok<FeedFormat>(FeedFormat known, var ignored) -> known;
      case Parsed.Bad<FeedFormat>(String hint) ->
          throw OfflineException.usage("there is no format \"" + name + "\"", hint);
    };
  }

  /** True for the word that stands for standard input. */
  static boolean isStandardInput(Path file) {
    return file.equals(Path.of("-"));
  }

  /**
   * Reads standard input to its end. It is kept in a temporary file meanwhile, because its format
   * is found before it is read.
   *
   * @param target beside which the temporary file is
   */
  Report read(InputStream in, Path target, Consumer<? super Key> keys)
      throws OfflineException, IOException {
    Path kept = FilterFiles.Target.beside(target);
    try {
      long octets = Files.copy(in, kept, StandardCopyOption.REPLACE_EXISTING);
      OfflineException.refuseIf(
          octets > MOST_OCTETS,
          STANDARD_INPUT + " has more than 2 GiB",
          "give it in parts, as files");
      return read(kept, STANDARD_INPUT, keys);
    } finally {
      Files.deleteIfExists(kept);
    }
  }

  /**
   * Reads a file to its end.
   *
   * @param keys takes each key that is listed, repeats included
   * @throws OfflineException when it cannot be read, or is no list
   */
  Report read(Path file, Consumer<? super Key> keys) throws OfflineException {
    return read(file, file.toString(), keys);
  }

  private Report read(Path file, String name, Consumer<? super Key> keys) throws OfflineException {
    FilterFiles.requireLines(file);
    OfflineException.refuseIf(
        format == null && !anyText && !Files.isRegularFile(file),
        file + " is not a file that can be read twice, so its format cannot be found",
        "name it with --format");
    try {
      return anyText ? lines(file, name, keys) : entries(file, name, keys);
    } catch (IOException e) {
      throw FilterFiles.unreadable(file, e);
    }
  }

  private static Report lines(Path file, String name, Consumer<? super Key> keys)
      throws IOException {
    try (InputStream octets = Files.newInputStream(file);
        InputStream text = FeedBytes.open(octets)) {
      Key.Lines lines = new Key.Lines(text);
      List<ParseProblem> problems = new ArrayList<>();
      int read = 0;
      long found = 0;
      long invalid = 0;
      for (Parsed<String> line = lines.next(); line != null; line = lines.next()) {
        read++;
        switch (Key.parse(line, true)) {
          case Parsed.Ok<Key>(Key key, var _) -> {
            keys.accept(key);
            found++;
          }
          case Parsed.Bad<Key>(String reason) when reason.equals(Key.BLANK) -> {}
          case Parsed.Bad<Key>(String reason) -> {
            invalid++;
            if (problems.size() < FeedLimits.SHOWN_PROBLEMS) {
              problems.add(new ParseProblem(read, reason, ""));
            }
          }
        }
      }
      ParseTotals totals = new ParseTotals(read, found, invalid, 0, 0, null);
      return new Report(name, "text", totals, found, 0, problems);
    }
  }

  private Report entries(Path file, String name, Consumer<? super Key> keys)
      throws IOException, OfflineException {
    FeedContent content = new FeedContent(List.of(file));
    FeedFormat chosen = format == null ? named(content.detect().name()) : format;
    Keys sink = new Keys(keys);
    ParseTotals totals = content.read(chosen, null, sink);
    String damage = totals.damage().orElse("");
    if (!damage.isEmpty()) {
      throw OfflineException.failed(name + " cannot be trusted: " + damage, TRY);
    }
    if (Files.isRegularFile(file) && content.looksLikeWebPage()) {
      throw OfflineException.failed(name + " is a web page, not a list", TRY);
    }
    if (totals.invalid() > totals.entries()) {
      throw OfflineException.failed(
          "%s is not a list: %s bad lines, %s good"
              .formatted(name, totals.invalid(), totals.entries()),
          TRY);
    }
    String word = chosen.name().equals(URLS) ? "urls" : chosen.name();
    return new Report(name, word, totals, sink.found, sink.exceptions, sink.problems);
  }

  /** Hands keys on; counts what it leaves out. */
  static final class Keys implements FeedSink {
    private final Consumer<? super Key> next;
    private final List<ParseProblem> problems = new ArrayList<>();
    private long found;
    private long exceptions;

    Keys(Consumer<? super Key> next) {
      this.next = next;
    }

    @Override
    public void entry(ListEntry entry) {
      if (entry.exception()) {
        exceptions++;
      } else {
        found++;
        next.accept(new Key.OfMail(entry.subject()));
      }
    }

    @Override
    public void problem(ParseProblem problem) {
      if (problems.size() < FeedLimits.SHOWN_PROBLEMS) {
        problems.add(problem);
      }
    }
  }

  /**
   * The facts that were read of one list file. Immutable.
   *
   * @param source as it was named
   * @param format found or named
   * @param totals counts of lines, bad lines and entries
   * @param keys that were put in, repeats included; a range is as many as the networks it falls
   *     into
   * @param exceptions entries that take away, which are left out
   * @param problems the first bad lines
   */
  public record Report(
      String source,
      String format,
      ParseTotals totals,
      long keys,
      long exceptions,
      List<ParseProblem> problems) {

    public Report {
      problems = List.copyOf(problems);
    }

    /** True when a feed like this would not be taken for its share of bad lines. */
    public boolean hasTooManyBadLines() {
      double read = (double) totals.invalid() + totals.entries();
      return totals.invalid() > FeedGuard.TOLERATED_BAD_LINES
          && totals.invalid() / read > FeedTest.DEFAULT_GUARD.maxInvalid();
    }

    /** The form that answers show. */
    record Shown(
        String source,
        String format,
        long lines,
        long keys,
        long exceptions,
        long invalid,
        List<ParseProblem> problems) {}

    Shown shown() {
      return new Shown(
          source, format, totals.lines(), keys, exceptions, totals.invalid(), problems);
    }
  }
}

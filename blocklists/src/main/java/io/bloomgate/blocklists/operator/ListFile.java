package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One list file and the last good content of it. Not thread-safe; owned by {@link ListFiles}. The
 * first look at a missing file reports it; later looks say nothing until something changes.
 */
final class ListFile {

  /** Longest file that is read, in octets. */
  private static final long MAX_FILE_OCTETS = 64L << 20;

  /** Bad lines that one look reports; the rest is counted. */
  private static final int MAX_REPORTED_LINES = 20;

  /** Looks, a second apart, for which a file may be missing from its directory. */
  private static final int LOOKS_UNTIL_GONE = 3;

  /** Looks for which a file that has shrunk may go on changing until it is taken all the same. */
  private static final int LOOKS_UNTIL_PROVEN = 10;

  /**
   * A change within the clock tick of the file system may leave time and size as they were: a file
   * this young is read again.
   */
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(2);

  private record Stamp(FileTime modified, long sizeOctets, String fileKey) {}

  private final ListKind list;
  private final Path path;
  private @Nullable Stamp stamp;
  private boolean settled;
  private List<OperatorEntry> entries = List.of();
  private List<OperatorImport.Problem> problems = List.of();
  private @Nullable String alarm;
  private int looksMissing;
  private @Nullable Stamp unproven;
  private int looksUnproven;

  ListFile(ListKind list, Path path) {
    this.list = list;
    this.path = path;
  }

  /** The same content, to be read again at the next look: rules may have changed. */
  ListFile stale() {
    stamp = null;
    return this;
  }

  List<OperatorEntry> entries() {
    return entries;
  }

  /** True when the file has been missing for so long that nobody is just replacing it. */
  boolean goneForGood() {
    return looksMissing >= LOOKS_UNTIL_GONE;
  }

  /** What is wrong with the file now. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (alarm != null) {
      alarms.add(alarm);
    }
    if (!problems.isEmpty()) {
      alarms.add(
          path
              + ": "
              + Words.lines(problems.size())
              + " not taken, the first: "
              + problems.getFirst().text(path.toString()));
    }
    return alarms;
  }

  /** Looks at the file and reads it if it changed; true when the entries changed. */
  boolean poll(WidthRules widths, InstantSource clock, List<String> news) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      Stamp now =
          new Stamp(
              attributes.lastModifiedTime(),
              attributes.size(),
              String.valueOf(attributes.fileKey()));
      if (now.equals(stamp) && settled) {
        recovered(news);
        return false;
      }
      boolean sameStamp = now.equals(stamp);
      OperatorImport.Read read = parse(lines(now), widths);
      if (read.entries().size() < entries.size() && !isProven(now)) {
        return false;
      }
      looksUnproven = 0;
      settled =
          Duration.between(now.modified().toInstant(), clock.instant()).compareTo(SETTLED_AFTER)
              > 0;
      stamp = now;
      recovered(news);
      if (!sameStamp || !read.problems().equals(problems)) {
        report(read, news);
      }
      return take(read, now.modified().toInstant());
    } catch (IOException e) {
      failed(e, news);
      return false;
    }
  }

  /**
   * A file that holds less than it did may be one that somebody is writing anew in its place: it
   * counts when it looks the same twice.
   */
  private boolean isProven(Stamp now) {
    boolean same = now.equals(unproven);
    unproven = now;
    return same || ++looksUnproven > LOOKS_UNTIL_PROVEN;
  }

  private List<String> lines(Stamp now) throws IOException {
    if (now.sizeOctets() > MAX_FILE_OCTETS) {
      throw new IOException("longer than " + MAX_FILE_OCTETS + " octets");
    }
    // Bytes that are not UTF-8 become U+FFFD, which no subject holds: they spoil their line only.
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    return (text.startsWith("\ufeff") ? text.substring(1) : text).lines().toList();
  }

  private OperatorImport.Read parse(List<String> lines, WidthRules widths) {
    return OperatorImport.read(
        list, 1, lines, false, (entry, forced) -> OperatorRules.checkAlone(entry, widths, forced));
  }

  private boolean take(OperatorImport.Read read, Instant modified) {
    problems = read.problems();
    List<OperatorEntry> now = new ArrayList<>(read.entries().size());
    for (OperatorImport.Numbered numbered : read.entries()) {
      now.add(
          numbered
              .entry()
              .entry(
                  path.getFileName() + ":" + numbered.line(),
                  "file:" + path + ":" + numbered.line(),
                  modified));
    }
    boolean changed = !now.equals(entries);
    entries = List.copyOf(now);
    return changed;
  }

  private void report(OperatorImport.Read read, List<String> news) {
    news.add(
        path
            + ": "
            + Words.entries(read.entries().size())
            + " read for the "
            + Words.of(list)
            + " list");
    read.problems().stream()
        .limit(MAX_REPORTED_LINES)
        .forEach(problem -> news.add(problem.text(path.toString())));
    int more = read.problems().size() - MAX_REPORTED_LINES;
    if (more > 0) {
      news.add(path + ": " + Words.lines(more) + " more not taken");
    }
    read.warnings().stream()
        .limit(MAX_REPORTED_LINES)
        .forEach(warning -> news.add(warning.text(path.toString())));
  }

  private void recovered(List<String> news) {
    looksMissing = 0;
    if (alarm != null) {
      alarm = null;
      news.add(path + " can be read again");
    }
  }

  private void failed(IOException e, List<String> news) {
    looksMissing = e instanceof NoSuchFileException ? looksMissing + 1 : 0;
    stamp = null;
    String why =
        e instanceof NoSuchFileException
            ? "does not exist"
            : "cannot be read (" + e.getClass().getSimpleName() + ")";
    String text = path + " " + why + "; its last good " + Words.entries(entries.size()) + " stay";
    if (!text.equals(alarm)) {
      alarm = text;
      news.add(text);
    }
  }
}

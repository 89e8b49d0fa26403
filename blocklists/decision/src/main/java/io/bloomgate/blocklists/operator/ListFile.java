package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One list file, whose last good content is in the store. Not thread-safe; owned by {@link
 * ListFiles}. The first look at a missing file reports it; later looks say nothing until something
 * changes.
 */
final class ListFile {

  /** Longest file that is read, in octets. */
  private static final long MAX_FILE_OCTETS = 1L << 30;

  /** Looks, a second apart, for which a file may be missing from its directory. */
  private static final int LOOKS_UNTIL_GONE = 60;

  /** Number of looks in which a file that has shrunk may change; then it is read as it is. */
  private static final int LOOKS_UNTIL_PROVEN = 10;

  /**
   * A change within the clock tick of the file system may leave time and size as they were: a file
   * this young is read again.
   */
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(2);

  private final ListKind list;
  private final Path path;

  /** Stamp of the file and of the rules when it was read; {@code null} before that. */
  private @Nullable String stamp;

  private boolean settled;

  /** Entries that are stored. */
  private long entries;

  /** The last reading. */
  private EntryLines read = EntryLines.NONE;

  private @Nullable String alarm;
  private int looksMissing;
  private @Nullable String unproven;
  private int looksUnproven;

  ListFile(ListKind list, Path path) {
    this.list = list;
    this.path = path;
  }

  /** A file whose entries are in the store since an earlier run. */
  ListFile(ListKind list, Path path, String stamp, long entries) {
    this(list, path);
    this.entries = entries;
    this.stamp = stamp.isEmpty() ? null : stamp;
    this.settled = true;
  }

  ListKind list() {
    return list;
  }

  Path path() {
    return path;
  }

  /** True when the file has been missing for longer than a replacement takes. */
  boolean goneForGood() {
    return looksMissing >= LOOKS_UNTIL_GONE;
  }

  /** Returns what is wrong with the file now. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (alarm != null) {
      alarms.add(alarm);
    }
    if (read.badLines() > 0) {
      String first = read.problems().getFirst().text(path.toString());
      alarms.add(
          "%s: %s not taken, the first: %s"
              .formatted(path, OperatorText.lines(read.badLines()), first));
    }
    return alarms;
  }

  /** The lines that are not taken, the first of them if there are many. */
  List<Problem> badLines() {
    return read.badLines(path);
  }

  /**
   * Looks at the file; reads and stores it if it changed.
   *
   * @param endsIfMissing the entries of a missing file end after a minute: a pattern named it, and
   *     it was deleted. Else they stay: the settings name it, or its folder cannot be trusted now
   */
  void poll(
      WidthRules widths,
      InstantSource clock,
      FileSync sync,
      boolean endsIfMissing,
      List<String> news) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      String now = stamp(attributes, widths);
      if (now.equals(stamp) && settled) {
        recovered(news);
        return;
      }
      boolean sameStamp = now.equals(stamp);
      if (!attributes.isRegularFile()) {
        // A pipe would be waited for until somebody writes to it.
        throw new IOException("no regular file");
      }
      boolean ends = endsIfMissing && goneForGood();
      if (attributes.size() == 0 && entries > 0 && !ends) {
        // One look later a program that writes it again is done.
        if (isProven(now)) {
          missing("is empty", endsIfMissing, news);
        }
        return;
      }
      if (attributes.size() > MAX_FILE_OCTETS) {
        throw new IOException("longer than " + MAX_FILE_OCTETS + " octets");
      }
      Instant modified = attributes.lastModifiedTime().toInstant();
      FileSync.Difference difference = sync.begin(list, path, modified);
      EntryLines content = EntryLines.forEach(list, path, widths, difference);
      boolean sameProblems = content.problems().equals(read.problems());
      read = content;
      BasicFileAttributes after = Files.readAttributes(path, BasicFileAttributes.class);
      boolean mayBeHalf = content.size() < entries || !now.equals(stamp(after, widths));
      if (mayBeHalf && !isProven(now)) {
        return; // the last line of a half may name another sender than the whole line does
      }
      difference.write();
      looksUnproven = 0;
      boolean quiet = Duration.between(modified, clock.instant()).compareTo(SETTLED_AFTER) > 0;
      difference.end(quiet && content.badLines() == 0 ? now : "", content.size());
      entries = content.size();
      settled = quiet;
      stamp = now;
      recovered(news);
      if (!sameStamp || !sameProblems) {
        report(content, news);
      }
    } catch (NoSuchFileException e) {
      missing("does not exist", endsIfMissing, news);
    } catch (IOException e) {
      failed(e, news);
    } catch (OperatorListsException e) {
      failed(new FileSync.NotStoredException(e), news);
    }
  }

  private static String stamp(BasicFileAttributes attributes, WidthRules widths) {
    return "%d %d %s %s %s"
        .formatted(
            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
            attributes.size(),
            attributes.fileKey(),
            widths.fingerprint(),
            KeyHash.NORMALISATION_VERSION);
  }

  /**
   * A file that has become shorter, or has changed while it was read, may just be written again by
   * a program: nothing of it is removed before two looks find it the same.
   */
  private boolean isProven(String now) {
    boolean same = now.equals(unproven);
    unproven = now;
    return same || ++looksUnproven > LOOKS_UNTIL_PROVEN;
  }

  private void report(EntryLines content, List<String> news) {
    news.add(
        "%s: %s read for the %s list"
            .formatted(path, OperatorText.entries(content.size()), list.key()));
    news.addAll(content.problems(path));
    content.warnings().forEach(warning -> news.add(warning.text(path.toString())));
  }

  private void recovered(List<String> news) {
    looksMissing = 0;
    if (alarm != null) {
      alarm = null;
      news.add(path + " can be read again");
    }
  }

  /** Entries of a file that is not there, or was cut to nothing by a disk that was full. */
  private void missing(String state, boolean endsIfMissing, List<String> news) {
    looksMissing = endsIfMissing ? looksMissing + 1 : 0;
    String what =
        endsIfMissing
            ? "; its %s in a minute if the file does not come back"
                .formatted(OperatorText.entries(entries) + (entries == 1 ? " ends" : " end"))
            : lastGoodStays();
    raise(path + " " + state + what, news);
  }

  private void failed(IOException e, List<String> news) {
    looksMissing = 0;
    String why =
        e instanceof FileSync.NotStoredException
            ? " cannot be stored: " + e.getMessage()
            : " cannot be read (" + Faults.reason(e) + ")";
    raise(path + why + lastGoodStays(), news);
  }

  private String lastGoodStays() {
    return entries == 1
        ? "; its last good entry stays"
        : "; its last good " + OperatorText.entries(entries) + " stay";
  }

  private void raise(String text, List<String> news) {
    stamp = null;
    if (!text.equals(alarm)) {
      alarm = text;
      news.add(text);
    }
  }
}

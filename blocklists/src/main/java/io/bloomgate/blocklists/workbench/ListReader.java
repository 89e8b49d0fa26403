package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads list files in any format that a feed may have, as a feed is read. Keeps no entry. */
final class ListReader {

  private static final String TRY = "`bloomgate feeds test` says what it is";

  private final @Nullable FeedFormat format;

  /**
   * @param format {@code null} to find it for each file
   */
  ListReader(@Nullable FeedFormat format) {
    this.format = format;
  }

  /**
   * The format of that name.
   *
   * @throws OfflineException when there is none in this release
   */
  static @Nullable FeedFormat format(@Nullable String name) throws OfflineException {
    if (name == null) {
      return null;
    }
    return switch (FeedFormat.named(name)) {
      case FeedFormat.Lookup.Known(FeedFormat known) -> known;
      case FeedFormat.Lookup.Unknown(String hint) ->
          throw new OfflineException(Kind.USAGE, "there is no format \"" + name + "\"", hint);
    };
  }

  /**
   * Reads a file to its end.
   *
   * @param keys takes each entry that lists something, repeats included
   * @throws OfflineException when it cannot be read, or is no list
   */
  ListReport read(Path file, Consumer<? super ListEntry> keys) throws OfflineException {
    return read(file, file.toString(), keys);
  }

  /**
   * The same for a file that people know by another name.
   *
   * @throws OfflineException when it cannot be read, or is no list
   */
  ListReport read(Path file, String name, Consumer<? super ListEntry> keys)
      throws OfflineException {
    InputFiles.requireLines(file);
    if (format == null && !Files.isRegularFile(file)) {
      throw new OfflineException(
          Kind.USAGE,
          file + " is not a file that can be read twice, so its format cannot be found",
          "name it with --format");
    }
    try {
      FeedContent content = new FeedContent(List.of(file));
      FeedFormat chosen = format == null ? content.detect() : format;
      Keys sink = new Keys(keys);
      ParseTotals totals = content.read(chosen, null, sink);
      refuseNoList(name, totals, Files.isRegularFile(file) && content.looksLikeWebPage());
      return new ListReport(name, chosen.name(), totals, sink.keys, sink.exceptions, sink.problems);
    } catch (IOException e) {
      throw InputFiles.unreadable(file, e);
    }
  }

  private static void refuseNoList(String file, ParseTotals totals, boolean webPage)
      throws OfflineException {
    String damage = totals.damage().orElse("");
    if (!damage.isEmpty()) {
      throw new OfflineException(Kind.FAILED, file + " cannot be trusted: " + damage, TRY);
    }
    if (webPage) {
      throw new OfflineException(Kind.FAILED, file + " is a web page, not a list", TRY);
    }
    if (totals.invalid() > totals.entries()) {
      throw new OfflineException(
          Kind.FAILED,
          file
              + " is not a list: "
              + totals.invalid()
              + " bad lines, "
              + totals.entries()
              + " good",
          TRY);
    }
  }

  /** Hands keys on; counts what it leaves out. */
  private static final class Keys implements FeedSink {
    private final Consumer<? super ListEntry> next;
    private final List<ParseProblem> problems = new ArrayList<>();
    private long keys;
    private long exceptions;

    Keys(Consumer<? super ListEntry> next) {
      this.next = next;
    }

    @Override
    public void entry(ListEntry entry) {
      if (entry.exception()) {
        exceptions++;
      } else {
        keys++;
        next.accept(entry);
      }
    }

    @Override
    public void problem(ParseProblem problem) {
      if (problems.size() < FeedLimits.SHOWN_PROBLEMS) {
        problems.add(problem);
      }
    }
  }
}

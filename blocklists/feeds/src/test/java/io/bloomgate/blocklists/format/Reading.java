package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text read by a format, written down so that tests can compare it. */
public final class Reading implements FeedSink {

  public final List<String> entries = new ArrayList<>();
  final List<String> problems = new ArrayList<>();
  public ParseTotals totals = ParseTotals.NONE;

  public static Reading of(String format, String text) {
    return of(format, text.getBytes(UTF_8), null);
  }

  public static Reading of(String format, byte[] octets, @Nullable Match match) {
    return of(format, new ByteArrayInputStream(octets), match);
  }

  /** The same of a source that gives one octet at a time. */
  static Reading trickled(String format, byte[] octets) {
    InputStream drops =
        new ByteArrayInputStream(octets) {
          @Override
          public int read(byte[] target, int from, int length) {
            return super.read(target, from, Math.min(length, 1));
          }
        };
    return of(format, drops, null);
  }

  private static Reading of(String format, InputStream octets, @Nullable Match match) {
    Reading reading = new Reading();
    try {
      reading.totals = format(format).parse(octets, match, reading);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reading;
  }

  /** All that was read, to compare. */
  List<Object> everything() {
    return List.of(entries, problems, totals);
  }

  public static FeedFormat format(String name) {
    return FeedFormat.named(name).toOptional().orElseThrow();
  }

  @Override
  public void entry(ListEntry entry) {
    String match =
        entry instanceof ListEntry.Domain domain && domain.match() == ListEntry.NameMatch.SUFFIX
            ? "+"
            : "";
    entries.add((entry.exception() ? "!" : "") + entry.text() + match + ":" + entry.line());
  }

  @Override
  public void problem(ParseProblem problem) {
    problems.add(problem.line() + ":" + problem.reason());
  }
}

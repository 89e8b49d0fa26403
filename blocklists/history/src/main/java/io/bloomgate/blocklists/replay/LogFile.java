package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.replay.LogLines.Layout;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One log file: what it is and how old. Made by {@link LogReplay}. Immutable.
 *
 * @param format {@code null} when none is found
 * @param reason why no format was found; empty when one was, and for an empty file
 * @param notUnderstood lines of those that were looked at, a few
 * @param begin time of the first line with a time
 * @param clock of its lines
 */
record LogFile(
    Path path,
    @Nullable LogFormat format,
    String reason,
    List<String> notUnderstood,
    Layout layout,
    Instant begin,
    LogClock clock) {

  private static final String UNKNOWN = "no log of a mail server that is known";

  /** Lines among which the first one of a mail server must be. */
  private static final int LOOKED_AT = 10_000;

  /** Lines after which the format with the most lines is taken. */
  private static final int ENOUGH = 200;

  /**
   * Looks at the beginning of a file.
   *
   * @param zone of times that name none
   * @throws IOException when it cannot be read
   */
  static LogFile look(Path path, ZoneId zone) throws IOException {
    Instant written = Files.getLastModifiedTime(path).toInstant();
    LogClock clock = new LogClock(written, zone);
    Layout layout = layout(path);
    return layout == null
        ? new LogFile(path, null, "", List.of(), Layout.LINES, written, clock)
        : look(path, layout, written, clock);
  }

  /** The layout by the first line; {@code null} when there is none. */
  private static @Nullable Layout layout(Path path) throws IOException {
    String line;
    try (LogLines lines = LogLines.open(path, Layout.LINES)) {
      line = lines.next();
    } catch (JsonSyntaxException e) {
      throw new AssertionError("lines are no JSON", e);
    }
    String text = line == null ? "" : line.strip();
    if (text.equals("[") || text.matches("\\[\\s*[\\[{\\]].*")) {
      return Layout.ARRAY;
    }
    if (line == null || !text.startsWith("{")) {
      return line == null ? null : Layout.LINES;
    }
    try {
      boolean rows = Json.parse(text) instanceof JsonObject row && row.get("rows").isPresent();
      return rows ? Layout.ROWS : Layout.LINES;
    } catch (JsonSyntaxException e) {
      return Layout.ROWS;
    }
  }

  private static LogFile look(Path path, Layout layout, Instant written, LogClock clock)
      throws IOException {
    Map<LogFormat, LogParser> parsers = new EnumMap<>(LogFormat.class);
    Map<LogFormat, Integer> understood = new EnumMap<>(LogFormat.class);
    for (LogFormat format : LogFormat.values()) {
      parsers.put(format, format.parser(mail -> {}));
    }
    OwnLog own = new OwnLog();
    List<String> notUnderstood = new ArrayList<>();
    Instant begin = null;
    String problem = UNKNOWN;
    int read = 0;
    try (LogLines lines = LogLines.open(path, layout)) {
      for (String line = lines.next();
          line != null
              && read < LOOKED_AT
              && (read < ENOUGH || understood.isEmpty() || own.isLikely());
          line = lines.next()) {
        read++;
        String text = JsonLine.unwrap(line);
        own.line(text);
        LogClock.Stamped stamped = clock.read(text);
        if (begin == null && stamped != null) {
          begin = stamped.at();
        }
        boolean any = false;
        for (Map.Entry<LogFormat, LogParser> parser : parsers.entrySet()) {
          if (parser.getValue().line(text, clock)) {
            understood.merge(parser.getKey(), 1, Integer::sum);
            any = true;
          }
        }
        if (!any) {
          LogText.example(notUnderstood, line);
        }
      }
    } catch (JsonSyntaxException e) {
      problem = "line " + e.line() + ", column " + e.column() + ": " + e.reason();
    }
    LogFormat format =
        understood.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(null);
    if (own.isLikely()) {
      return new LogFile(path, null, OwnLog.REASON, List.of(), layout, written, clock);
    }
    return new LogFile(
        path,
        format,
        format == null ? problem : "",
        notUnderstood,
        layout,
        begin == null ? written : begin,
        clock);
  }

  /**
   * Finds out whether a log is the decision log of Bloomgate itself, whose lines have the form of
   * Postfix's refusals. Such a log lacks accepted mail in that form, and the kept sessions hold
   * more. A log of both programs is a log of Postfix. One for each file.
   */
  private static final class OwnLog {

    /** The reason that is given for such a file. */
    static final String REASON =
        "this is Bloomgate's own log; `bloomgate impact` asks its kept sessions, which hold more";

    /** A line of {@code log.format: json} or {@code kv}. */
    private static final Pattern FIELDS =
        Pattern.compile("\\{\"ts\":\"[^\"]*+\",\"event\":\"|(?:^|\\s)ts=\\S++ event=");

    /** The program's name in a line of the form of Postfix. */
    private static final Pattern PROGRAM =
        Pattern.compile("[ /]bloomgate(?:/[a-z]++)?\\[\\d++\\]: ");

    private static final String REFUSAL = "]: NOQUEUE: ";

    private boolean own;
    private boolean other;

    /** Looks at one more line of the file. */
    void line(String line) {
      if (FIELDS.matcher(line).find() || PROGRAM.matcher(line).find() || isAccepted(line)) {
        own = true;
      } else if (!line.contains(REFUSAL)) {
        other |= line.contains(" postfix");
      }
    }

    /** A line of mail that passed, whatever {@code log.tag} is. */
    private static boolean isAccepted(String line) {
      return line.contains(REFUSAL) && line.contains(" nrcpt=") && line.contains(" outcome=");
    }

    /** True when lines of Bloomgate were seen, and none of another program of Postfix's family. */
    boolean isLikely() {
      return own && !other;
    }
  }
}

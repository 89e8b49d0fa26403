package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One log file, plain or gzip by its first octets: what it is and how old. Made by {@link
 * LogReplay}. Immutable.
 *
 * @param format {@code null} when none is found
 * @param reason why no format was found; empty when one was, and for an empty file
 * @param layout how a history of rspamd is laid out
 * @param begin time of the first line with a time
 * @param clock of its lines
 */
record LogFile(
    Path path,
    @Nullable LogFormat format,
    String reason,
    Layout layout,
    Instant begin,
    LogClock clock) {

  /** Longest line that is read, in UTF-16 units; a longer one is not understood. */
  static final int MAX_LINE = 16_384;

  /** Lines among which the first one of a mail server must be. */
  private static final int LOOKED_AT = 10_000;

  /** Lines after which the format with the most lines is taken. */
  private static final int ENOUGH = 200;

  private static final int BUFFER_OCTETS = 1 << 16;

  /** The layout of a JSON text. */
  enum Layout {
    NONE,
    LINES,
    ARRAY,
    ROWS
  }

  /**
   * Looks at the beginning of a file.
   *
   * @param zone of times that name none
   * @throws IOException when it cannot be read
   */
  static LogFile look(Path path, ZoneId zone) throws IOException {
    Instant written = Files.getLastModifiedTime(path).toInstant();
    LogClock clock = new LogClock(written, zone);
    try (BoundedLines lines = BoundedLines.of(open(path), MAX_LINE)) {
      String line = lines.next();
      if (line == null) {
        return unknown(path, "", written, clock);
      }
      String text = line.stripLeading();
      if (OwnLog.isFields(text)) {
        return unknown(path, OwnLog.REASON, written, clock);
      }
      if (text.startsWith("{") || (text.startsWith("[") && !text.matches("\\[[A-Z-].*"))) {
        return new LogFile(path, LogFormat.RSPAMD, "", layout(text), written, clock);
      }
      return ofLines(path, line, lines, written, clock);
    }
  }

  private static LogFile unknown(Path path, String reason, Instant written, LogClock clock) {
    return new LogFile(path, null, reason, Layout.NONE, written, clock);
  }

  private static Layout layout(String line) {
    if (line.startsWith("[")) {
      return Layout.ARRAY;
    }
    try {
      boolean row = Json.parse(line) instanceof JsonObject object && object.get("rows").isEmpty();
      return row ? Layout.LINES : Layout.ROWS;
    } catch (JsonSyntaxException e) {
      return Layout.ROWS;
    }
  }

  private static LogFile ofLines(
      Path path, String first, BoundedLines lines, Instant written, LogClock clock)
      throws IOException {
    Map<LogFormat, LogParser> parsers = new EnumMap<>(LogFormat.class);
    Map<LogFormat, Integer> understood = new EnumMap<>(LogFormat.class);
    for (LogFormat format : LogFormat.values()) {
      parsers.put(format, format.parser(mail -> {}));
    }
    OwnLog own = new OwnLog();
    Instant begin = null;
    int read = 0;
    for (String line = first;
        line != null
            && read < LOOKED_AT
            && (read < ENOUGH || understood.isEmpty() || own.isLikely());
        line = lines.next()) {
      read++;
      own.line(line);
      LogClock.Stamped stamped = clock.read(line);
      if (begin == null && stamped != null) {
        begin = stamped.at();
      }
      for (Map.Entry<LogFormat, LogParser> parser : parsers.entrySet()) {
        if (parser.getValue().line(line, clock)) {
          understood.merge(parser.getKey(), 1, Integer::sum);
        }
      }
    }
    if (own.isLikely()) {
      return unknown(path, OwnLog.REASON, written, clock);
    }
    LogFormat format =
        understood.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(null);
    return format == null
        ? unknown(path, "no log of a mail server that is known", written, clock)
        : new LogFile(path, format, "", Layout.NONE, begin == null ? written : begin, clock);
  }

  /** The text, unpacked; that of a packed file that is cut ends where the file does. */
  static UnpackedLog open(Path path) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_OCTETS);
    boolean opened = false;
    try {
      raw.mark(2);
      boolean packed = raw.read() == 0x1f && raw.read() == 0x8b;
      raw.reset();
      UnpackedLog text = UnpackedLog.of(raw, packed, BUFFER_OCTETS);
      opened = true;
      return text;
    } finally {
      if (!opened) {
        raw.close();
      }
    }
  }
}

package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log file, plain or gzip by its first octets; the elements of a JSON array are
 * lines too. Opened by {@link LogFile} and {@link LogReplay}; one thread.
 */
final class LogLines implements AutoCloseable {

  /** Longest line that is read, in UTF-16 units; a longer one is not understood. */
  static final int MAX_LINE = 16_384;

  private static final int BUFFER_OCTETS = 1 << 16;

  /** The kind of lines in a file. */
  enum Layout {
    LINES,
    /** The elements of the array that is the text. */
    ARRAY,
    /** The elements of the member {@code rows}. */
    ROWS
  }

  private final UnpackedLog unpacked;
  private final @Nullable BoundedLines lines;
  private final @Nullable JsonArrayReader elements;

  private LogLines(UnpackedLog unpacked, Layout layout) {
    this.unpacked = unpacked;
    this.lines = layout == Layout.LINES ? BoundedLines.of(unpacked, MAX_LINE) : null;
    InputStreamReader text = new InputStreamReader(unpacked, StandardCharsets.UTF_8);
    this.elements =
        switch (layout) {
          case LINES -> null;
          case ARRAY -> JsonArrayReader.ofArray(text);
          case ROWS -> JsonArrayReader.ofMember(text, "rows");
        };
  }

  /** Opens a file; the text of a packed one that is cut ends where the file does. */
  static LogLines open(Path path, Layout layout) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_OCTETS);
    boolean opened = false;
    try {
      raw.mark(2);
      boolean packed = raw.read() == 0x1f && raw.read() == 0x8b;
      raw.reset();
      LogLines text = new LogLines(UnpackedLog.of(raw, packed, BUFFER_OCTETS), layout);
      opened = true;
      return text;
    } finally {
      if (!opened) {
        raw.close();
      }
    }
  }

  /**
   * The next line; {@code null} after the last.
   *
   * @throws JsonSyntaxException when an array is cut off or is no JSON
   */
  @Nullable String next() throws IOException, JsonSyntaxException {
    if (lines != null) {
      return lines.next();
    }
    return elements == null
        ? null
        : elements.next().map(element -> Json.write(element.value())).orElse(null);
  }

  /** The reason why there is no more text; empty when the file was read to its end, or may be. */
  String problem() {
    return unpacked.problem();
  }

  @Override
  public void close() throws IOException {
    unpacked.close();
  }
}

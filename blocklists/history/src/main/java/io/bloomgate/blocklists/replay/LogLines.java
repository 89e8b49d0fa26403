package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.file.BoundedLines;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonArrayReader;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
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

  /**
   * The text of a log file. The text of a packed file that is cut or damaged ends there in place of
   * failing, so that readers with buffers lose nothing of what came before. One thread.
   */
  private static final class UnpackedLog extends FilterInputStream {

    private String problem = "";

    private UnpackedLog(InputStream text) {
      super(text);
    }

    /** The text of a file, of which nothing was read. */
    static UnpackedLog of(InputStream raw, boolean packed, int buffer) throws IOException {
      try {
        return new UnpackedLog(packed ? new GZIPInputStream(raw, buffer) : raw);
      } catch (EOFException e) {
        UnpackedLog empty = new UnpackedLog(raw);
        empty.ended();
        return empty;
      }
    }

    /** The reason why there is no more text; empty when the file was read to its end, or may be. */
    String problem() {
      return problem;
    }

    private int ended() {
      problem = "the file ends early: the end of the gzip data is missing";
      return -1;
    }

    @Override
    public int read(byte[] octets, int from, int length) throws IOException {
      if (!problem.isEmpty()) {
        return -1;
      }
      try {
        return super.read(octets, from, length);
      } catch (EOFException e) {
        return ended();
      } catch (ZipException e) {
        problem = "the gzip data behind is damaged";
        return -1;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }
  }
}

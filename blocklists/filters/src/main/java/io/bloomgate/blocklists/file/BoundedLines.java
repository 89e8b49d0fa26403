package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file one after the other, in constant memory: of a line that is too long only
 * a beginning is kept that is itself too long. Lines end with LF, CR or CRLF. Bytes that are not
 * UTF-8 become U+FFFD, which no subject holds: they spoil their line only. Reads the operator's
 * files and logs of mail servers. One thread.
 */
public final class BoundedLines implements AutoCloseable {

  private static final int BUFFER_CHARACTERS = 65_536;

  private final Reader reader;
  private final int maxCharacters;
  private final char[] buffer = new char[BUFFER_CHARACTERS];
  private final StringBuilder line = new StringBuilder();
  private int at;
  private int end;
  private boolean first = true;
  private boolean afterCr;

  private BoundedLines(InputStream octets, int maxCharacters) {
    this.maxCharacters = maxCharacters;
    this.reader =
        new InputStreamReader(
            octets,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE));
  }

  /**
   * The lines of these octets, which are closed with the result.
   *
   * @param maxCharacters of a line, in UTF-16 units; one more is kept of a longer line
   */
  public static BoundedLines of(InputStream octets, int maxCharacters) {
    return new BoundedLines(octets, maxCharacters);
  }

  /** The next line without its end; {@code null} after the last. */
  public @Nullable String next() throws IOException {
    line.setLength(0);
    boolean any = false;
    while (true) {
      if (at == end) {
        at = 0;
        end = Math.max(0, reader.read(buffer));
        if (end == 0) {
          return any ? text() : null;
        }
      }
      char c = buffer[at++];
      if (afterCr && c == '\n') {
        afterCr = false;
        continue;
      }
      afterCr = c == '\r';
      if (c == '\n' || c == '\r') {
        return text();
      }
      any = true;
      if (line.length() <= maxCharacters) {
        line.append(c);
      }
    }
  }

  private String text() {
    boolean marked = first && !line.isEmpty() && line.charAt(0) == '\ufeff';
    first = false;
    return marked ? line.substring(1) : line.toString();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

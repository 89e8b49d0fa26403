package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Parsed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys from a stream, one a line ending in LF or CR LF, in UTF-8. Memory is bounded whatever
 * the stream says. Used on one thread.
 */
final class KeyLines {

  /** Octets of a line; no key is as long. What is longer is one bad line. */
  static final int MAX_OCTETS = 4096;

  private static final int SHOWN_OCTETS = 80;

  private final InputStream in;
  private final byte[] line = new byte[MAX_OCTETS];
  private int length;

  KeyLines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next line, the reason why it is no text, or {@code null} at the end. */
  @Nullable Parsed<String> next() throws IOException {
    length = 0;
    int octets = 0;
    int octet = in.read();
    if (octet < 0) {
      return null;
    }
    for (; octet >= 0 && octet != '\n'; octet = in.read()) {
      octets++;
      if (length < MAX_OCTETS) {
        line[length++] = (byte) octet;
      }
    }
    if (octets > MAX_OCTETS) {
      return Parsed.bad("longer than " + MAX_OCTETS + " octets");
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return text();
  }

  private Parsed<String> text() {
    try {
      return Parsed.ok(UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length)).toString());
    } catch (CharacterCodingException e) {
      return Parsed.bad("not UTF-8");
    }
  }

  /** The beginning of the last line, whatever its octets are. */
  String beginning() {
    String shown = new String(line, 0, Math.min(length, SHOWN_OCTETS), ISO_8859_1);
    return length > SHOWN_OCTETS ? shown + "..." : shown;
  }
}

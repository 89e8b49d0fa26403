package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.smtp.OctetScan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of one DATA command, from behind 354 to its final dot. The only thing that ends
 * content is CRLF.CRLF (RFC 5321 section 4.1.1.4); a bare CR, a bare LF and NUL never do, they make
 * the content malformed (section 2.3.8), which prevents SMTP smuggling. Even when something is
 * wrong, everything up to the final dot is read, so that no content is ever taken for a command.
 *
 * <p>Works on the reader's buffer in place: what may pass goes to the sink in runs as long as
 * possible, stuffed dots (section 4.5.2) fall between two runs. Octets whose meaning depends on
 * later ones (a CR or a dot at the end of the buffer) stay in the buffer, so the only state of the
 * scanner is "at the start of a line". Used once, by one session's thread.
 */
public final class ContentReader {

  /** Takes content without stuffed dots; runs end anywhere. Must not throw. */
  public interface Sink {
    void accept(byte[] octets, int offset, int length);

    /** Something is wrong with the content: it is read to its end, and nothing more comes here. */
    default void doomed() {}
  }

  /** Something that keeps content from being a message. */
  public sealed interface Fault {
    /** Held octets that RFC 5321 forbids; {@code line} counts from 1. */
    record Malformed(String what, long line) implements Fault {}

    /** Larger than the limit. */
    record TooLarge() implements Fault {}
  }

  /** Octets above CR need no check: NUL, LF and CR are all below. */
  private static final int FIRST_PLAIN = '\r' + 1;

  private static final byte[] CRLF = {'\r', '\n'};

  private final WireReader wire;
  private final ContentPace pace;
  private final long maxOctets;
  private final boolean normalize;
  private final Sink sink;

  private boolean lineStart = true;
  private long lines = 1;
  private long octets;
  private boolean tooLarge;
  private @Nullable String malformation;
  private long malformedLine;

  /**
   * Makes a reader for one message.
   *
   * @param maxOctets {@code message_size}, counted without stuffed dots
   * @param normalize turns bare CR and LF into CRLF and drops NUL, instead of refusing them
   */
  public ContentReader(
      WireReader wire, ContentPace pace, long maxOctets, boolean normalize, Sink sink) {
    this.wire = wire;
    this.pace = pace;
    this.maxOctets = maxOctets;
    this.normalize = normalize;
    this.sink = sink;
  }

  /**
   * Reads to the final dot.
   *
   * @return {@code null} for content that is whole and well formed
   * @throws ClientTimeout when content comes too slowly
   * @throws ClientGone when it breaks off
   */
  public @Nullable Fault read() throws IOException {
    while (!scanBuffer()) {
      pace.fill(wire);
    }
    if (malformation != null) {
      return new Fault.Malformed(malformation, malformedLine);
    }
    return tooLarge ? new Fault.TooLarge() : null;
  }

  /** Octets that went to the sink. */
  public long octets() {
    return octets;
  }

  /**
   * Scans what the buffer holds; true when the final dot was found. Runs leave at one place,
   * because the compiler copies all that the sink does to each place, and would then take seconds
   * for it.
   */
  private boolean scanBuffer() {
    byte[] b = wire.buffer();
    int end = wire.limit();
    int from = wire.position();
    while (true) {
      int stop = endOfRun(b, from, end);
      emit(b, from, stop);
      if (stop == end || (b[stop] == '\r' && stop + 1 == end)) {
        wire.consumeTo(stop);
        return false;
      }
      if (lineStart) {
        int kind = dotKind(b, stop, end);
        if (kind != DOT_STUFFED) {
          wire.consumeTo(kind == DOT_FINAL ? stop + 3 : stop);
          return kind == DOT_FINAL;
        }
        lineStart = false;
      } else {
        fixOrNote(b[stop]);
      }
      from = stop + 1;
    }
  }

  /**
   * The end of a run that begins here: at a dot at the start of a line, at a forbidden octet, at a
   * CR after which nothing has come yet, or at the end.
   */
  private int endOfRun(byte[] b, int from, int end) {
    int i = from;
    while (i < end) {
      if (lineStart && b[i] == '.') {
        return i;
      }
      lineStart = false;
      i = OctetScan.firstBelow(b, i, end, FIRST_PLAIN);
      if (i == end || (b[i] == '\r' && i + 1 == end)) {
        return i;
      }
      if (b[i] == '\r' && b[i + 1] == '\n') {
        i += 2;
        lines++;
        lineStart = true;
      } else if (b[i] == '\r' || b[i] == '\n' || b[i] == 0) {
        return i;
      } else {
        i++;
      }
    }
    return end;
  }

  private static final int DOT_UNDECIDED = 0;
  private static final int DOT_FINAL = 1;
  private static final int DOT_STUFFED = 2;

  /** Decides by the next octets what a dot at the start of a line is. */
  private static int dotKind(byte[] b, int dot, int end) {
    if (dot + 1 == end) {
      return DOT_UNDECIDED;
    }
    if (b[dot + 1] != '\r') {
      return DOT_STUFFED;
    }
    if (dot + 2 == end) {
      return DOT_UNDECIDED;
    }
    return b[dot + 2] == '\n' ? DOT_FINAL : DOT_STUFFED;
  }

  /** Deals with a forbidden octet; what was before it is with the sink. */
  private void fixOrNote(byte octet) {
    if (normalize) {
      if (octet != 0) {
        emit(CRLF, 0, CRLF.length);
        lines++;
      }
    } else if (malformation == null) {
      malformation = octet == 0 ? "<NUL>" : octet == '\r' ? "<CR>" : "<LF>";
      malformedLine = lines;
      if (!tooLarge) {
        sink.doomed();
      }
    }
  }

  private void emit(byte[] b, int from, int to) {
    int length = to - from;
    if (length <= 0 || tooLarge || malformation != null) {
      return;
    }
    if (octets + length > maxOctets) {
      tooLarge = true;
      sink.doomed();
      return;
    }
    octets += length;
    sink.accept(b, from, length);
  }
}

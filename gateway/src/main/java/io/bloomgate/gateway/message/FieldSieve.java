package io.bloomgate.gateway.message;

import io.bloomgate.gateway.smtp.OctetScan;
import java.util.Arrays;

/**
 * Takes out of the content below a malformed header line what would pass for a field of ours. Some
 * readers begin the body at such a line, others pass over it and read fields on to the first empty
 * line, however far that is; and the laxest of them take a name apart from any blanks and control
 * characters around it. All else passes octet for octet.
 *
 * <p>Streams, so that a body without an empty line costs no memory: of a line that has not ended,
 * its first {@link #LINE_OCTETS} are held at most. Made by {@link MessageHead}; one thread.
 */
public final class FieldSieve {

  /** RFC 5322 section 2.1.1: no lawful line is longer, so what a longer one is shows by then. */
  private static final int LINE_OCTETS = 998;

  private final boolean tagged;
  private byte[] held;
  private int received;

  /** The line's first octets have been judged, and the rest shares their fate. */
  private boolean insideLine;

  /** The field in hand has to go, with all the lines that it is folded into. */
  private boolean cut;

  /** The field in hand shows nothing yet that could be a name. */
  private boolean blank;

  private boolean ended;

  /**
   * @param line the malformed one, or as much as there is of it
   * @param received fields of that name above it
   * @param tagged whether inbound spam marks have to go too
   */
  FieldSieve(byte[] line, int received, boolean tagged) {
    this.held = line;
    this.received = received;
    this.tagged = tagged;
  }

  /** Received fields so far, each a hop (RFC 5321 section 6.3). */
  public int receivedFields() {
    return received;
  }

  /** True when the empty line was found: all that follows is body for everybody. */
  public boolean ended() {
    return ended;
  }

  /** Takes content, and gives what of it and of what was held may go on. */
  public byte[] pass(byte[] octets, int offset, int length) {
    byte[] in = Arrays.copyOf(held, held.length + length);
    System.arraycopy(octets, offset, in, held.length, length);
    byte[] out = new byte[in.length];
    int kept = 0;
    int from = 0;
    while (from < in.length) {
      int lineFeed = ended ? in.length : OctetScan.indexOf(in, from, in.length, (byte) '\n');
      boolean whole = lineFeed < in.length;
      int to = whole ? lineFeed + 1 : in.length;
      if (!ended && !insideLine) {
        if (!whole && to - from <= LINE_OCTETS) {
          break;
        }
        judge(in, from, Math.min(to, from + LINE_OCTETS));
      }
      if (!cut) {
        System.arraycopy(in, from, out, kept, to - from);
        kept += to - from;
      }
      insideLine = !whole;
      from = to;
    }
    held = Arrays.copyOfRange(in, from, in.length);
    return Arrays.copyOf(out, kept);
  }

  /** The content has ended: what may go on of a last line that has no end. */
  public byte[] rest() {
    byte[] line = held;
    held = new byte[0];
    if (!insideLine && line.length > 0) {
      judge(line, 0, line.length);
    }
    return cut ? new byte[0] : line;
  }

  private void judge(byte[] line, int from, int to) {
    int name = skipBlanks(line, from, to);
    boolean folded = line[from] == ' ' || line[from] == '\t';
    if (line[from] == '\n' || (line[from] == '\r' && from + 2 == to && line[to - 1] == '\n')) {
      ended = true;
      cut = false;
    } else if (!folded || blank) {
      cut = passesForOurs(line, name, to);
      blank = name == to;
      count(line, from, to);
    }
  }

  private void count(byte[] line, int from, int to) {
    int length = FieldName.length(line, from, to);
    if (length > 0 && FieldName.isReceived(line, from, length)) {
      received++;
    }
  }

  /**
   * True when a reader may see a field of ours: blanks may stand between the name and its colon,
   * and where the line ends before that, the colon may follow on the next.
   */
  private boolean passesForOurs(byte[] line, int name, int to) {
    if (name == to) {
      return line[to - 1] != '\n';
    }
    int end = name;
    while (end < to && !isBlank(line[end]) && line[end] != ':') {
      end++;
    }
    int behind = skipBlanks(line, end, to);
    return (behind == to || line[behind] == ':')
        && FieldName.reasonToCut(line, name, end - name).applies(tagged);
  }

  private static int skipBlanks(byte[] line, int from, int to) {
    int i = from;
    while (i < to && isBlank(line[i])) {
      i++;
    }
    return i;
  }

  /** As {@link String#trim} has it. */
  private static boolean isBlank(byte octet) {
    return (octet & 0xff) <= ' ';
  }
}

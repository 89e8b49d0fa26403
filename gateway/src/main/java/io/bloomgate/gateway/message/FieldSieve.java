package io.bloomgate.gateway.message;

import io.bloomgate.gateway.smtp.OctetScan;
import java.util.Arrays;

/**
 * Takes out of the content below a malformed header line what can be a field of ours. Some readers
 * begin the body at such a line, others pass over it and read fields on to the first empty line,
 * however far that is; and the laxest of them take a name apart from any blanks and control
 * characters around it. All else passes octet for octet.
 *
 * <p>For most readers this is text, so little may go: a field in its strict form, and in a lax form
 * one whose value ours could have ({@link LaxField}).
 *
 * <p>Streams, so that a body without an empty line costs no memory: of a line that is not decided,
 * its first {@link LaxField#MAX_OCTETS} are held at most. Made by {@link MessageHead}; one thread.
 */
public final class FieldSieve {

  private enum Place {
    /** The start of a line. */
    LINE_START,
    /** Blanks at the start of a line, which have gone on. */
    BEHIND_BLANKS,
    /** A line that is decided. */
    DECIDED
  }

  private static final byte[] CRLF = {'\r', '\n'};

  private final boolean tagged;
  private byte[] held;
  private int received;
  private int removed;
  private Place place = Place.LINE_START;

  /** The current field is removed, with all the lines that it is folded into. */
  private boolean cut;

  /** A part of the current line was passed on, so its end must be too. */
  private boolean begun;

  /** The current field has no octet yet that could belong to a name. */
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

  /** Fields that were taken out so far. */
  public int removedFields() {
    return removed;
  }

  /** True when the empty line was found: all that follows is body for every reader. */
  public boolean ended() {
    return ended;
  }

  /** Takes content, and gives what of it and of what was held may go on. */
  public byte[] pass(byte[] octets, int offset, int length) {
    byte[] in = Arrays.copyOf(held, held.length + length);
    System.arraycopy(octets, offset, in, held.length, length);
    return sift(in, false);
  }

  /** The content has ended: what may go on of a last line that was not decided. */
  public byte[] rest() {
    return sift(held, true);
  }

  private byte[] sift(byte[] in, boolean last) {
    byte[] out = new byte[in.length + CRLF.length];
    int kept = 0;
    int from = 0;
    while (from < in.length) {
      int lineFeed = ended ? -1 : OctetScan.indexOf(in, from, in.length, (byte) '\n');
      boolean whole = lineFeed >= 0 && lineFeed < in.length;
      int to = whole ? lineFeed + 1 : in.length;
      if (!ended && place != Place.DECIDED) {
        boolean enough = whole || last || to - from > LaxField.MAX_OCTETS;
        int decided = enough ? decide(in, from, to, last) : UNDECIDED;
        if (decided == UNDECIDED) {
          break;
        }
        to = decided;
      }
      boolean lineEnds = whole && to == lineFeed + 1;
      kept = cut ? keepEnd(lineEnds, out, kept) : keep(in, from, to, out, kept);
      if (lineEnds) {
        place = Place.LINE_START;
        begun = false;
      }
      from = to;
    }
    held = Arrays.copyOfRange(in, from, in.length);
    return Arrays.copyOf(out, kept);
  }

  private static int keep(byte[] in, int from, int to, byte[] out, int kept) {
    System.arraycopy(in, from, out, kept, to - from);
    return kept + to - from;
  }

  /** Blanks that have gone on must not become part of the next line. */
  private int keepEnd(boolean lineEnds, byte[] out, int kept) {
    return lineEnds && begun ? keep(CRLF, 0, CRLF.length, out, kept) : kept;
  }

  private static final int UNDECIDED = -1;

  /**
   * Judges the line, or what follows blanks that have gone on.
   *
   * @param to behind the line's end, or behind all there is
   * @return how far the octets share one fate; {@link #UNDECIDED} when more must be seen
   */
  private int decide(byte[] in, int from, int to, boolean last) {
    boolean atStart = place == Place.LINE_START;
    if (atStart && isEmptyLine(in, from, to)) {
      ended = true;
      cut = false;
      return to;
    }
    if (atStart && LaxField.isFolding(in[from]) && !blank) {
      place = Place.DECIDED;
      return to;
    }
    int name = LaxField.skipBlanks(in, from, to);
    boolean whole = in[to - 1] == '\n';
    if (name == to || (name > from && !whole)) {
      // Blanks are no field, however many: they go on, and what is behind them is judged.
      blank = whole;
      cut = false;
      begun = true;
      place = whole ? Place.DECIDED : Place.BEHIND_BLANKS;
      return name;
    }
    LaxField.Finding finding = LaxField.at(in, name, last, tagged, atStart && name == from);
    if (finding == LaxField.Finding.UNDECIDED) {
      return UNDECIDED;
    }
    cut = finding == LaxField.Finding.OURS;
    removed += cut ? 1 : 0;
    blank = false;
    place = Place.DECIDED;
    if (atStart) {
      count(in, from, to);
    }
    return to;
  }

  private void count(byte[] line, int from, int to) {
    int length = FieldName.length(line, from, to);
    if (length > 0 && FieldName.isReceived(line, from, length)) {
      received++;
    }
  }

  private static boolean isEmptyLine(byte[] line, int from, int to) {
    return line[from] == '\n' || (line[from] == '\r' && from + 2 == to && line[to - 1] == '\n');
  }
}

package io.bloomgate.gateway.message;

import java.util.Arrays;

/**
 * Gathers a message's header block octet for octet as the content streams in, and notes the few
 * fields that a gateway cares for. Called by sessions on their own threads, one object a message;
 * on the hot path.
 *
 * <p>The block ends with the first empty line (RFC 5322 section 2.1). Mail without any header is
 * mail too: when the first line is no field, or one that would be folded into ours above it, all of
 * the content is body. A malformed line further down ends the block too, because the body may begin
 * there; a {@link FieldSieve} deals with what may still be read as fields below it.
 */
public final class HeadReader {

  private static final byte[] MBOX_FROM = FieldName.ascii("from ");
  private static final byte[] QUOTED_MBOX_FROM = FieldName.ascii(">from ");
  private static final int FIRST_OCTETS = 4 * 1024;

  /** How far the block is known. */
  public enum State {
    /** More content is needed. */
    READING,
    /** The block is known; octets that were not taken are body. */
    COMPLETE,
    /** It is larger than the limit. */
    TOO_LARGE
  }

  private final long maxOctets;
  private final FieldCuts cuts = new FieldCuts();
  private byte[] octets = new byte[FIRST_OCTETS];
  private int length;
  private int lineStart;
  private State state = State.READING;
  private int received;
  private boolean begun;
  private boolean malformed;
  private boolean headless;

  /**
   * @param maxOctets limit of the block in octets, {@code limits.header_size}
   */
  public HeadReader(long maxOctets) {
    this.maxOctets = Math.min(maxOctets, Integer.MAX_VALUE - 64L);
  }

  /**
   * Takes content, not dot-stuffed any more.
   *
   * @return how many of the octets were taken; when the state is {@link State#COMPLETE} the rest is
   *     body
   */
  public int take(byte[] block, int offset, int count) {
    int taken = 0;
    while (state == State.READING && taken < count) {
      int room = (int) Math.min(count - taken, maxOctets - length);
      if (room == 0) {
        headless = !begun && FieldName.length(octets, lineStart, length) < 0;
        state = headless ? State.COMPLETE : State.TOO_LARGE;
        break;
      }
      int from = offset + taken;
      int lineFeed = indexOfLineFeed(block, from, from + room);
      int part = lineFeed < 0 ? room : lineFeed + 1 - from;
      append(block, from, part);
      taken += part;
      if (lineFeed >= 0) {
        endLine();
      }
    }
    return taken;
  }

  /** How far it is. */
  public State state() {
    return state;
  }

  /** What was read: when it is {@link State#COMPLETE}, or when the content ended before that. */
  public MessageHead head() {
    if (state == State.READING && lineStart < length) {
      endLine();
    }
    return new MessageHead(
        octets, malformed ? lineStart : length, length, received, cuts, headless);
  }

  private void endLine() {
    int first = octets[lineStart];
    if (isEmptyLine()) {
      state = State.COMPLETE;
    } else if (begun && (first == ' ' || first == '\t')) {
      // RFC 5322 section 2.2.3: a folded line belongs to the field above it.
      cuts.extendTo(length);
    } else {
      int nameLength = FieldName.length(octets, lineStart, length);
      if (nameLength > 0) {
        endField(nameLength);
      } else {
        endMalformedLine();
      }
    }
    if (!malformed) {
      lineStart = length;
    }
  }

  private void endField(int nameLength) {
    begun = true;
    if (FieldName.isReceived(octets, lineStart, nameLength)) {
      received++;
    }
    cuts.field(lineStart, length, FieldName.reasonToCut(octets, lineStart, nameLength));
  }

  private void endMalformedLine() {
    if (begun) {
      malformed = true;
      state = State.COMPLETE;
    } else if (FieldName.stands(MBOX_FROM, octets, lineStart, length)
        || FieldName.stands(QUOTED_MBOX_FROM, octets, lineStart, length)) {
      // What mailbox files put above a message; others pass over it as well.
      begun = true;
    } else {
      headless = true;
      state = State.COMPLETE;
    }
  }

  private boolean isEmptyLine() {
    int lineLength = length - lineStart;
    return octets[lineStart] == '\n'
        || (lineLength == 2 && octets[lineStart] == '\r' && octets[lineStart + 1] == '\n');
  }

  private void append(byte[] block, int from, int count) {
    if (octets.length - length < count) {
      octets = Arrays.copyOf(octets, Math.max(length + count, octets.length * 2));
    }
    System.arraycopy(block, from, octets, length, count);
    length += count;
  }

  private static int indexOfLineFeed(byte[] block, int from, int end) {
    for (int i = from; i < end; i++) {
      if (block[i] == '\n') {
        return i;
      }
    }
    return -1;
  }
}

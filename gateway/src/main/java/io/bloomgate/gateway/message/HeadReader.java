package io.bloomgate.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Gathers a message's header block octet for octet as the content streams in, and notes the few
 * fields that a gateway cares for. Called by sessions on their own threads, one object a message;
 * on the hot path.
 *
 * <p>The block ends with the first empty line (RFC 5322 section 2.1). Mail without any header is
 * mail too: when the first line is no field, or one that would be folded into ours above it, all of
 * the content is body. Malformed lines further down are passed over and kept; behind one, the block
 * can no longer be too large, because it may have been the body since then.
 */
public final class HeadReader {

  private static final byte[] RECEIVED = ascii("received");
  private static final byte[] BLOOMGATE = ascii("x-bloomgate");
  private static final byte[] SPAM_FLAG = ascii("x-spam-flag");
  private static final byte[] SPAM_STATUS = ascii("x-spam-status");
  private static final byte[] MBOX_FROM = ascii("from ");
  private static final byte[] QUOTED_MBOX_FROM = ascii(">from ");
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
  private boolean anyMalformed;
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
        headless = !begun && fieldNameLength() < 0;
        state = headless || anyMalformed ? State.COMPLETE : State.TOO_LARGE;
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
    return new MessageHead(octets, length, received, cuts, headless);
  }

  private void endLine() {
    int first = octets[lineStart];
    if (isEmptyLine()) {
      state = State.COMPLETE;
    } else if (begun && (first == ' ' || first == '\t')) {
      // RFC 5322 section 2.2.3: a folded line belongs to the field above it.
      cuts.extendTo(length);
    } else {
      int nameLength = fieldNameLength();
      if (nameLength > 0) {
        endField(nameLength);
      } else {
        endMalformedLine();
      }
    }
    lineStart = length;
  }

  private void endField(int nameLength) {
    begun = true;
    FieldCuts.Reason reason = FieldCuts.Reason.NONE;
    if (isNamed(RECEIVED, nameLength)) {
      received++;
    } else if (isNamed(BLOOMGATE, nameLength)) {
      reason = FieldCuts.Reason.OURS;
    } else if (isNamed(SPAM_FLAG, nameLength) || isNamed(SPAM_STATUS, nameLength)) {
      reason = FieldCuts.Reason.SPAM_MARK;
    }
    cuts.field(lineStart, length, reason);
  }

  private void endMalformedLine() {
    cuts.field(lineStart, length, FieldCuts.Reason.NONE);
    if (begun) {
      anyMalformed = true;
    } else if (isAt(MBOX_FROM) || isAt(QUOTED_MBOX_FROM)) {
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

  /**
   * Length of the name at the start of the line in hand, RFC 5322 section 3.6.8, with the blanks
   * before the colon that section 4.5.8 has to be tolerated; -1 when the line is no field.
   */
  private int fieldNameLength() {
    int i = lineStart;
    while (i < length && octets[i] > ' ' && octets[i] < 0x7f && octets[i] != ':') {
      i++;
    }
    int nameLength = i - lineStart;
    while (i < length && (octets[i] == ' ' || octets[i] == '\t')) {
      i++;
    }
    return nameLength > 0 && i < length && octets[i] == ':' ? nameLength : -1;
  }

  private boolean isNamed(byte[] lowerCaseName, int nameLength) {
    return nameLength == lowerCaseName.length && isAt(lowerCaseName);
  }

  private boolean isAt(byte[] lowerCase) {
    if (length - lineStart < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      int octet = octets[lineStart + i];
      if (octet >= 'A' && octet <= 'Z') {
        octet += 'a' - 'A';
      }
      if (octet != lowerCase[i]) {
        return false;
      }
    }
    return true;
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

  private static byte[] ascii(String lowerCase) {
    return lowerCase.getBytes(StandardCharsets.US_ASCII);
  }
}

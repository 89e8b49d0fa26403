package io.bloomgate.gateway.message;

import io.bloomgate.gateway.smtp.OctetScan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A message's header block as it came: gathered octet for octet as the content streams in, with the
 * few fields noted that a gateway cares for, and handed on without those that claim to be ours.
 * Called by sessions on their own threads, one object a message; on the hot path.
 *
 * <p>The block ends with the first empty line (RFC 5322 section 2.1). Mail without any header is
 * mail too: when the first line is no field, or one that would be folded into ours above it, all of
 * the content is body. Below a malformed line further down, some readers see the body, others go on
 * to the first empty line: so does this one, as far as the limit, and takes out what is ours there.
 */
public final class MessageHead {

  private static final byte[] MESSAGE_ID = ascii("message-id");
  private static final byte[] RECEIVED = ascii("received");
  private static final byte[] BLOOMGATE = ascii("x-bloomgate");
  private static final byte[] INCIDENT = ascii("x-bloomgate-incident");
  private static final byte[] SPAM_FLAG = ascii("x-spam-flag");
  private static final byte[] SPAM_STATUS = ascii("x-spam-status");
  private static final byte[] MBOX_FROM = ascii("from ");
  private static final byte[] QUOTED_MBOX_FROM = ascii(">from ");
  private static final int FIRST_OCTETS = 4 * 1024;

  /** Octets of a Message-ID that are kept. */
  private static final int MAX_ID_OCTETS = 250;

  /** The state of the reading. */
  public enum State {
    /** More content is needed. */
    READING,
    /** The block is known; octets that were not taken are body. */
    COMPLETE,
    /** The block is larger than the limit. */
    TOO_LARGE
  }

  /** The reason why a field has to go. */
  private enum Reason {
    /** The field stays. */
    NONE,
    /** The field claims to be a verdict of ours, or to name a refusal that the message quotes. */
    OURS,
    /** Another program's spam mark, which would make ours ambiguous. */
    SPAM_MARK;

    boolean applies(boolean tagged) {
      return this == OURS || (this == SPAM_MARK && tagged);
    }
  }

  /** Octets from start until before end. */
  private record Cut(int start, int end, Reason reason) {}

  private final long maxOctets;

  /** The octets that may have to go, in order. No room yet: most messages have nothing to cut. */
  private final List<Cut> cuts = new ArrayList<>(0);

  private byte[] octets = new byte[FIRST_OCTETS];
  private int length;
  private int lineStart;
  private State state = State.READING;
  private int received;

  /** The value of the first Message-ID; 0 and 0 for none. */
  private int idStart;

  private int idEnd;

  /** Octets of the line that a mailbox file puts above a message; 0 for none. */
  private int mboxLine;

  private boolean begun;
  private boolean malformed;
  private boolean headless;

  /** The current field is the last of the cuts. */
  private boolean inCut;

  /**
   * @param maxOctets limit of the block in octets, {@code limits.header_size}
   */
  public MessageHead(long maxOctets) {
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
        headless = !begun && length(octets, lineStart, length) < 0;
        state = headless || malformed ? State.COMPLETE : State.TOO_LARGE;
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

  /** The state now. */
  public State state() {
    return state;
  }

  /** The content has ended, maybe inside the block: what was read is all there is. */
  public void end() {
    if (state == State.READING && lineStart < length) {
      endLine();
    }
  }

  private void endLine() {
    int first = octets[lineStart];
    if (isEmptyLine()) {
      state = State.COMPLETE;
    } else if (begun && (first == ' ' || first == '\t')) {
      // RFC 5322 section 2.2.3: a folded line belongs to the field above it.
      extendField();
    } else {
      int nameLength = length(octets, lineStart, length);
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
    if (isReceived(octets, lineStart, nameLength)) {
      received++;
    } else if (idEnd == 0 && isMessageId(octets, lineStart, nameLength)) {
      idStart = lineStart + nameLength;
      idEnd = length;
    }
    Reason reason = reasonToCut(octets, lineStart, nameLength);
    // Below a malformed line there may be text: what is not written as ours is stays.
    boolean strict = !malformed || octets[lineStart + nameLength] == ':';
    inCut = strict && reason != Reason.NONE;
    if (inCut) {
      cuts.add(new Cut(lineStart, length, reason));
    }
  }

  private void extendField() {
    if (idEnd == lineStart && idEnd > 0) {
      idEnd = length; // folded, where only the id is on the second line
    }
    if (inCut) {
      Cut last = cuts.removeLast();
      cuts.add(new Cut(last.start(), length, last.reason()));
    }
  }

  private void endMalformedLine() {
    inCut = false;
    if (begun) {
      malformed = true;
    } else if (stands(MBOX_FROM, octets, lineStart, length)
        || stands(QUOTED_MBOX_FROM, octets, lineStart, length)) {
      // What mailbox files put above a message; others pass over it as well, where it is the first.
      begun = true;
      mboxLine = length;
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
    int lineFeed = OctetScan.indexOf(block, from, end, (byte) '\n');
    return lineFeed == end ? -1 : lineFeed;
  }

  // ---- once it is known

  /** Received fields, each a hop (RFC 5321 section 6.3). */
  public int receivedFields() {
    return received;
  }

  /** The topmost Received fields, unfolded and without their names. */
  public List<String> topReceived(int most) {
    List<String> fields = new ArrayList<>();
    int start = mboxLine;
    while (start < length && fields.size() < most) {
      int end = lineEnd(start);
      int nameLength = length(octets, start, end);
      if (nameLength < 0) {
        break; // an empty or malformed line: below it there may be text
      }
      while (end < length && (octets[end] == ' ' || octets[end] == '\t')) {
        end = lineEnd(end);
      }
      if (isReceived(octets, start, nameLength)) {
        String field = new String(octets, start, end - start, StandardCharsets.ISO_8859_1);
        fields.add(field.substring(field.indexOf(':') + 1).replaceAll("[\\r\\n]", ""));
      }
      start = end;
    }
    return fields;
  }

  private int lineEnd(int from) {
    int lineFeed = indexOfLineFeed(octets, from, length);
    return lineFeed < 0 ? length : lineFeed + 1;
  }

  /** The Message-ID without angle brackets, as far as it is long; empty when there is none. */
  public String messageId() {
    StringBuilder id = new StringBuilder();
    boolean isValue = false;
    for (int i = idStart; i < Math.min(idEnd, idStart + MAX_ID_OCTETS); i++) {
      byte octet = octets[i];
      if (isValue && octet > ' ' && octet < 0x7f && octet != '<' && octet != '>') {
        id.append((char) octet);
      }
      isValue |= octet == ':';
    }
    return id.toString();
  }

  /** Fields that the mail server does not get. */
  public int removedFields(boolean tagged) {
    return cuts.isEmpty()
        ? 0
        : (int) cuts.stream().filter(cut -> cut.reason().applies(tagged)).count();
  }

  /**
   * The block as the mail server gets it: our fields, below the line of a mailbox file where there
   * is one, then what came, without every inbound {@code X-Bloomgate} and {@code
   * X-Bloomgate-Incident} and, with a tag of ours, every inbound {@code X-Spam-Flag} and {@code
   * X-Spam-Status}.
   *
   * <p>Where what came has no header, an empty line of ours ends our fields: otherwise a line that
   * begins with a blank would be part of the last of them, and what looks like fields below it
   * would pass for ours.
   *
   * @param ours whole fields with CRLF, from {@link TraceHeaders}
   */
  public byte[] forRelay(byte[] ours, boolean tagged) {
    byte[] above = headless ? withEmptyLine(ours) : ours;
    int total = above.length + length;
    for (Cut cut : cuts) {
      total -= cut.reason().applies(tagged) ? cut.end() - cut.start() : 0;
    }
    byte[] relayed = new byte[total];
    // Behind our fields that line would end the header for Postfix and others.
    System.arraycopy(octets, 0, relayed, 0, mboxLine);
    System.arraycopy(above, 0, relayed, mboxLine, above.length);
    int to = mboxLine + above.length;
    int from = mboxLine;
    for (Cut cut : cuts) {
      if (cut.reason().applies(tagged)) {
        int kept = cut.start() - from;
        System.arraycopy(octets, from, relayed, to, kept);
        to += kept;
        from = cut.end();
      }
    }
    System.arraycopy(octets, from, relayed, to, length - from);
    return relayed;
  }

  private static byte[] withEmptyLine(byte[] fields) {
    byte[] ended = Arrays.copyOf(fields, fields.length + 2);
    ended[fields.length] = '\r';
    ended[fields.length + 1] = '\n';
    return ended;
  }

  // ---- names of fields

  /**
   * Length of the name at the start of a line, RFC 5322 section 3.6.8, with the blanks before the
   * colon that section 4.5.8 has to be tolerated; -1 when the line is no field.
   *
   * @param from the line's first octet
   * @param to behind its last
   */
  static int length(byte[] octets, int from, int to) {
    int i = from;
    while (i < to && octets[i] > ' ' && octets[i] < 0x7f && octets[i] != ':') {
      i++;
    }
    int length = i - from;
    while (i < to && (octets[i] == ' ' || octets[i] == '\t')) {
      i++;
    }
    return length > 0 && i < to && octets[i] == ':' ? length : -1;
  }

  /** True for Received, which counts as a hop. */
  private static boolean isReceived(byte[] octets, int from, int length) {
    return is(RECEIVED, octets, from, length);
  }

  /** True for Message-ID. */
  private static boolean isMessageId(byte[] octets, int from, int length) {
    return is(MESSAGE_ID, octets, from, length);
  }

  /** The reason why a field of this name has to go. */
  private static Reason reasonToCut(byte[] octets, int from, int length) {
    if (is(BLOOMGATE, octets, from, length) || is(INCIDENT, octets, from, length)) {
      return Reason.OURS;
    }
    return is(SPAM_FLAG, octets, from, length) || is(SPAM_STATUS, octets, from, length)
        ? Reason.SPAM_MARK
        : Reason.NONE;
  }

  private static boolean is(byte[] lowerCaseName, byte[] octets, int from, int length) {
    return length == lowerCaseName.length && stands(lowerCaseName, octets, from, from + length);
  }

  /** True when this text, in any case, begins at the first index and ends by the second. */
  static boolean stands(byte[] lowerCase, byte[] octets, int from, int to) {
    if (to - from < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      int octet = octets[from + i];
      if (octet >= 'A' && octet <= 'Z') {
        octet += 'a' - 'A';
      }
      if (octet != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }

  static byte[] ascii(String lowerCase) {
    return lowerCase.getBytes(StandardCharsets.US_ASCII);
  }
}

package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;

/**
 * Adds the empty line that is missing behind the header of a mail, as Postfix does: the body begins
 * at the first line that is no field and goes none on. A line of a mailbox in front of the header
 * becomes a field, as there. mime4j fails at such a line in front of a multipart, and the mail
 * would not be read. Used by {@link MimeWalk} for each mail.
 */
final class HeaderEnd extends InputStream {

  /** Octets of the name of a field. */
  private static final int MAX_NAME = 1_000;

  private static final int READ_OCTETS = 4 * 1024;

  /** The name that Postfix gives to such a line. */
  private static final byte[] MAILBOX = "X-Mailbox-Line: ".getBytes(US_ASCII);

  private enum State {
    NAME,
    BLANKS,
    LINE,
    BODY
  }

  private final InputStream octets;
  private final Runnable broken;
  private final byte[] read = new byte[READ_OCTETS];
  private final byte[] out = new byte[READ_OCTETS + MAX_NAME + MAILBOX.length];
  private final byte[] name = new byte[MAX_NAME];
  private State state = State.NAME;
  private boolean isFirst = true;
  private int held;
  private int at;
  private int end;

  /**
   * Reads a mail.
   *
   * @param broken called when the line is missing
   */
  HeaderEnd(InputStream octets, Runnable broken) {
    this.octets = octets;
    this.broken = broken;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    while (at == end) {
      if (state == State.BODY) {
        return octets.read(into, offset, length);
      }
      int count = octets.read(read, 0, read.length);
      at = 0;
      end = 0;
      for (int i = 0; i < count; ) {
        i = state == State.LINE || state == State.BODY ? copy(i, count) : name(read[i], i + 1);
      }
      if (count < 0) {
        pass();
        state = State.BODY;
      }
    }
    int count = Math.min(length, end - at);
    System.arraycopy(out, at, into, offset, count);
    at += count;
    return count;
  }

  /** Copies what is left of the line, of the body all, at once; gives the octet behind it. */
  private int copy(int from, int count) {
    int to = from;
    boolean ends = state == State.BODY;
    while (!ends && to < count) {
      ends = read[to++] == '\n';
    }
    to = state == State.BODY ? count : to;
    state = state == State.LINE && ends ? State.NAME : state;
    System.arraycopy(read, from, out, end, to - from);
    end += to - from;
    isFirst = false;
    return to;
  }

  /** Takes an octet at the begin of a line. */
  private int name(byte octet, int next) {
    boolean isBlank = octet == ' ' || octet == '\t';
    boolean isLineEnd = octet == '\r' || octet == '\n';
    boolean isName = state == State.NAME && octet > ' ' && octet < 127 && held < MAX_NAME;
    if (held == 0 && (isBlank || isLineEnd)) {
      out[end++] = octet;
      // The line feed behind a carriage return is at the begin of the body, where nothing counts.
      state = isBlank ? State.LINE : State.BODY;
    } else if (isFirst && octet == ' ' && isMailbox()) {
      System.arraycopy(MAILBOX, 0, out, end, MAILBOX.length);
      end += MAILBOX.length;
      pass();
      out[end++] = octet;
      state = State.LINE;
    } else if (octet == ':' && held > 0) {
      pass();
      out[end++] = octet;
      state = State.LINE;
    } else if (isName || (isBlank && held < MAX_NAME)) {
      name[held++] = octet;
      state = isBlank ? State.BLANKS : state;
    } else {
      broken.run();
      out[end++] = '\r';
      out[end++] = '\n';
      pass();
      out[end++] = octet;
      state = State.BODY;
    }
    return next;
  }

  private boolean isMailbox() {
    return new String(name, 0, held, US_ASCII).replace(">", "").equals("From");
  }

  private void pass() {
    System.arraycopy(name, 0, out, end, held);
    end += held;
    held = 0;
  }
}

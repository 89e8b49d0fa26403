package io.bloomgate.blocklists.content;

import java.io.IOException;
import java.io.InputStream;

/**
 * Undoes quoted-printable as mail programs do (RFC 2045 section 6.7): an equals sign that begins no
 * escape stays. mime4j takes quadratic time for blanks that a carriage return follows. Used by
 * {@link MimeWalk} for one body.
 */
final class QuotedOctets extends InputStream {

  /** Blanks that are left out where a line ends; what is more of them stays. */
  private static final int MAX_BLANKS = 1_024;

  private static final int READ_OCTETS = 4 * 1024;

  private enum State {
    TEXT,
    EQUALS,
    DIGIT,
    SOFT
  }

  private final InputStream octets;
  private final Runnable broken;
  private final byte[] read = new byte[READ_OCTETS];
  private final byte[] plain = new byte[READ_OCTETS + MAX_BLANKS + 3];
  private final byte[] blanks = new byte[MAX_BLANKS];
  private State state = State.TEXT;
  private byte digit;
  private int blank;
  private int at;
  private int end;
  private boolean ended;

  /**
   * Reads encoded octets.
   *
   * @param broken called for what is against the rules
   */
  QuotedOctets(InputStream octets, Runnable broken) {
    this.octets = octets;
    this.broken = broken;
  }

  @Override
  public int read() throws IOException {
    return fill() ? plain[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(plain, at, into, offset, count);
    at += count;
    return count;
  }

  /** False at the end. */
  private boolean fill() throws IOException {
    while (at == end && !ended) {
      at = 0;
      end = 0;
      int count = octets.read(read, 0, read.length);
      for (int i = 0; i < count; i++) {
        take(read[i]);
      }
      if (count < 0) {
        ended = true;
        if (state == State.DIGIT) {
          keep((byte) '=', digit);
        }
      }
    }
    return at < end;
  }

  private void take(byte octet) {
    switch (state) {
      case TEXT -> text(octet);
      case EQUALS -> {
        if (Character.digit(octet, 16) >= 0) {
          digit = octet;
          state = State.DIGIT;
        } else {
          soft(octet);
        }
      }
      case DIGIT -> {
        state = State.TEXT;
        int low = Character.digit(octet, 16);
        if (low < 0) {
          keep((byte) '=', digit);
          text(octet);
        } else {
          plain[end++] = (byte) (Character.digit(digit, 16) << 4 | low);
        }
      }
      case SOFT -> soft(octet);
    }
  }

  /** Reads what follows an equals sign and blanks: a line's end removes all of them. */
  private void soft(byte octet) {
    if (octet == ' ' || octet == '\t' || octet == '\r') {
      state = State.SOFT;
      return;
    }
    state = State.TEXT;
    if (octet != '\n') {
      keep((byte) '=');
      text(octet);
    }
  }

  private void text(byte octet) {
    if ((octet == ' ' || octet == '\t') && blank < MAX_BLANKS) {
      blanks[blank++] = octet;
      return;
    }
    if (octet != '\r' && octet != '\n') {
      System.arraycopy(blanks, 0, plain, end, blank);
      end += blank;
    }
    blank = 0;
    if (octet == '=') {
      state = State.EQUALS;
    } else {
      plain[end++] = octet;
    }
  }

  private void keep(byte... kept) {
    broken.run();
    for (byte octet : kept) {
      plain[end++] = octet;
    }
  }
}

package io.bloomgate.blocklists.web;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body in chunks (RFC 9112 section 7.1); one without the last chunk is an error. One thread. */
final class ChunkedBody extends InputStream {

  /** Octets of a line that gives a size, extensions included, and of all trailers together. */
  private static final int LINE_OCTETS = 8192;

  private static final int MOST_SIZE_DIGITS = 15;

  private final InputStream in;
  private long left;
  private boolean begun;
  private boolean ended;

  ChunkedBody(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!ended && left == 0) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int read = in.read(target, from, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the last chunk is missing");
    }
    left -= read;
    return read;
  }

  private void nextChunk() throws IOException {
    if (begun && !line().isEmpty()) {
      throw damaged();
    }
    begun = true;
    left = size(line());
    if (left == 0) {
      int octets = 0;
      for (String trailer = line(); !trailer.isEmpty(); trailer = line()) {
        octets += trailer.length();
        if (octets > LINE_OCTETS) {
          throw damaged();
        }
      }
      ended = true;
    }
  }

  private static long size(String line) throws WebException {
    int semicolon = line.indexOf(';');
    String digits = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
    if (digits.length() > MOST_SIZE_DIGITS || !digits.matches("[0-9A-Fa-f]+")) {
      throw damaged();
    }
    return Long.parseLong(digits, 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw new EOFException("the last chunk is missing");
      }
      if (line.length() >= LINE_OCTETS) {
        throw damaged();
      }
      line.append((char) octet);
    }
    int end = line.length();
    return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
  }

  private static WebException damaged() {
    return new WebException("the server sends damaged chunks");
  }
}

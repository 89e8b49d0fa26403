package io.bloomgate.blocklists.web;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body of a known number of octets; fewer of them are an error. One thread. */
final class SizedBody extends InputStream {

  private final InputStream in;
  private long left;

  SizedBody(InputStream in, long octets) {
    this.in = in;
    this.left = octets;
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
    if (left == 0) {
      return -1;
    }
    int read = in.read(target, from, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException(left + " octets are missing");
    }
    left -= read;
    return read;
  }
}

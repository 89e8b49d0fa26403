package io.bloomgate.blocklists.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the lines of a text that is not read by lines. Used by {@link JsonParser}. */
final class CountingStream extends FilterInputStream {

  private long ends;
  private int last = '\n';

  CountingStream(InputStream text) {
    super(text);
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    if (octet >= 0) {
      count(octet);
    }
    return octet;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int read = super.read(target, from, length);
    for (int i = 0; i < read; i++) {
      count(target[from + i]);
    }
    return read;
  }

  private void count(int octet) {
    if (octet == '\r' || (octet == '\n' && last != '\r')) {
      ends++;
    }
    last = octet;
  }

  /** Lines seen, one without an end at the end included. */
  long lines() {
    return last == '\n' || last == '\r' ? ends : ends + 1;
  }
}

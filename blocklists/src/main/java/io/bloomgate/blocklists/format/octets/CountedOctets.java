package io.bloomgate.blocklists.format.octets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what was read from a stream. Used by {@link InflationBound}, on the reading thread. */
final class CountedOctets extends FilterInputStream {

  private long octets;

  CountedOctets(InputStream source) {
    super(source);
  }

  /** Octets read so far. */
  long octets() {
    return octets;
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    octets += octet >= 0 ? 1 : 0;
    return octet;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int read = super.read(target, from, length);
    octets += Math.max(read, 0);
    return read;
  }
}

package io.bloomgate.blocklists.format.octets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a text that grows beyond {@link FeedLimits#CONTENT_OCTETS}, or beyond {@link
 * FeedLimits#INFLATION} times the octets that it came from. Used by {@link FeedBytes}, on the
 * reading thread.
 */
final class InflationBound extends FilterInputStream {

  private final CountedOctets packed;
  private long octets;

  InflationBound(InputStream text, CountedOctets packed) {
    super(text);
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    if (octet >= 0) {
      count(1);
    }
    return octet;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int read = super.read(target, from, length);
    if (read > 0) {
      count(read);
    }
    return read;
  }

  private void count(int more) throws DamagedFeedException {
    octets += more;
    if (octets > FeedLimits.CONTENT_OCTETS) {
      throw new DamagedFeedException("more than 2 GiB after decompression");
    }
    if (octets > FeedLimits.INFLATION_FREE_OCTETS
        && octets / FeedLimits.INFLATION > packed.octets()) {
      throw new DamagedFeedException(
          "inflates to more than " + FeedLimits.INFLATION + " times its size");
    }
  }

  /** Counts what was read from a stream. Used by {@link InflationBound}, on the reading thread. */
  static final class CountedOctets extends FilterInputStream {

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
}

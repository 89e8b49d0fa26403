package io.bloomgate.blocklists.feed;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * From the octets of a fetch or file to the text: decompression by magic bytes, whatever the name
 * or the headers say, and the bound on what comes out. Used by {@link FeedFormat} and {@link
 * FormatDetector}.
 */
final class FeedBytes {

  /** A compressed file that a server compressed again on the wire. */
  private static final int COMPRESSION_LAYERS = 2;

  private static final int MAGIC_OCTETS = 6;

  private static final byte[] ZIP = {'P', 'K', 3, 4};
  private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  private static final byte[] BZIP2 = {'B', 'Z', 'h'};
  private static final byte[] ZSTD = {(byte) 0x28, (byte) 0xb5, (byte) 0x2f, (byte) 0xfd};

  private FeedBytes() {}

  /**
   * The text behind these octets. Damage shows as {@link DamagedFeedException} here or while
   * reading.
   */
  static InputStream open(InputStream raw) throws IOException {
    InputStream text = new BufferedInputStream(raw, 1 << 16);
    for (int layer = 0; layer <= COMPRESSION_LAYERS; layer++) {
      text.mark(MAGIC_OCTETS);
      byte[] magic = text.readNBytes(MAGIC_OCTETS);
      text.reset();
      if (GzipMembers.isGzip(magic)) {
        text = new BufferedInputStream(new GzipMembers(text), 1 << 16);
      } else {
        refuseOthers(magic);
        return new Bounded(text);
      }
    }
    throw new DamagedFeedException("gzip inside gzip inside gzip");
  }

  private static void refuseOthers(byte[] magic) throws DamagedFeedException {
    String kind =
        starts(magic, ZIP)
            ? "zip"
            : starts(magic, XZ)
                ? "xz"
                : starts(magic, BZIP2) ? "bzip2" : starts(magic, ZSTD) ? "zstd" : "";
    if (!kind.isEmpty()) {
      throw new DamagedFeedException(kind + " compression is not in this release");
    }
  }

  private static boolean starts(byte[] magic, byte[] expected) {
    return magic.length >= expected.length
        && Arrays.equals(magic, 0, expected.length, expected, 0, expected.length);
  }

  /** Ends a text that grows beyond {@link FeedLimits#CONTENT_OCTETS}. */
  private static final class Bounded extends FilterInputStream {
    private long left = FeedLimits.CONTENT_OCTETS;

    Bounded(InputStream text) {
      super(text);
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

    private void count(int octets) throws DamagedFeedException {
      left -= octets;
      if (left < 0) {
        throw new DamagedFeedException("more than 2 GiB after decompression");
      }
    }
  }
}

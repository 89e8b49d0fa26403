package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.io.CountingInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Turns the octets of a fetch or file into the text: decompression by magic bytes, whatever the
 * name or the headers say, the byte-order mark off, and the bound on what comes out. Used by {@link
 * FeedFormat} and {@link FormatDetector}.
 */
public final class FeedBytes {

  /** A compressed file that a server compressed again on the wire. */
  private static final int COMPRESSION_LAYERS = 2;

  private static final int BUFFER_OCTETS = 1 << 16;

  /** The byte-order mark of UTF-8, which is no part of the text. */
  private static final String MARK = "\u00ef\u00bb\u00bf";

  private FeedBytes() {}

  /**
   * The text inside these octets. Damage shows as {@link DamagedFeedException} here or while
   * reading.
   */
  public static InputStream open(InputStream raw) throws IOException {
    CountingInputStream packed = new CountingInputStream(raw);
    InputStream text = new BufferedInputStream(packed, BUFFER_OCTETS);
    for (int layer = 0; layer <= COMPRESSION_LAYERS; layer++) {
      text.mark(Compression.MAGIC_OCTETS);
      Compression found = Compression.of(text.readNBytes(Compression.MAGIC_OCTETS));
      text.reset();
      if (found == Compression.NONE) {
        text.mark(MARK.length());
        if (!new String(text.readNBytes(MARK.length()), ISO_8859_1).equals(MARK)) {
          text.reset();
        }
        return new InflationBound(text, packed);
      }
      // Each layer is bounded, so that nothing inflates without end inside the next.
      text = new BufferedInputStream(new InflationBound(found.open(text), packed), BUFFER_OCTETS);
    }
    throw new DamagedFeedException("compressed more than twice");
  }

  /**
   * Ends a text that grows beyond {@link FeedLimits#CONTENT_OCTETS}, or beyond {@link
   * FeedLimits#INFLATION} times the octets that it came from. Used by {@link FeedBytes}, on the
   * reading thread.
   */
  static final class InflationBound extends FilterInputStream {

    private final CountingInputStream packed;
    private long octets;

    InflationBound(InputStream text, CountingInputStream packed) {
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
          && octets / FeedLimits.INFLATION > packed.getCount()) {
        throw new DamagedFeedException(
            "inflates to more than " + FeedLimits.INFLATION + " times its size");
      }
    }
  }
}

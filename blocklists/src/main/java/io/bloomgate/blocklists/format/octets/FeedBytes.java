package io.bloomgate.blocklists.format.octets;

import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.octets.InflationBound.CountedOctets;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Turns the octets of a fetch or file into the text: decompression by magic bytes, whatever the
 * name or the headers say, and the bound on what comes out. Used by {@link FeedFormat} and {@link
 * FormatDetector}.
 */
public final class FeedBytes {

  /** A compressed file that a server compressed again on the wire. */
  private static final int COMPRESSION_LAYERS = 2;

  private static final int BUFFER_OCTETS = 1 << 16;

  private FeedBytes() {}

  /**
   * The text inside these octets. Damage shows as {@link DamagedFeedException} here or while
   * reading.
   */
  public static InputStream open(InputStream raw) throws IOException {
    CountedOctets packed = new CountedOctets(raw);
    InputStream text = new BufferedInputStream(packed, BUFFER_OCTETS);
    for (int layer = 0; layer <= COMPRESSION_LAYERS; layer++) {
      text.mark(Compression.MAGIC_OCTETS);
      Compression found = Compression.of(text.readNBytes(Compression.MAGIC_OCTETS));
      text.reset();
      if (found == Compression.NONE) {
        return new InflationBound(text, packed);
      }
      // Each layer is bounded, so that nothing inflates without end inside the next.
      text = new BufferedInputStream(new InflationBound(found.open(text), packed), BUFFER_OCTETS);
    }
    throw new DamagedFeedException("compressed more than twice");
  }
}

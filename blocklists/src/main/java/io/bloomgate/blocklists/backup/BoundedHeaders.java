package io.bloomgate.blocklists.backup;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The octets of a tar while its headers are read: a long name or an extended header is a member of
 * any size, which the library reads into memory. Between {@link #begin} and {@link #end} no more
 * than {@link #MOST_OCTETS} come. Used by {@link ArchiveReader}; one thread.
 */
final class BoundedHeaders extends FilterInputStream {

  /** Octets of all headers of one member, with the blocks that end an archive. */
  static final int MOST_OCTETS = 64 << 10;

  private boolean bounded;
  private int left;

  BoundedHeaders(InputStream octets) {
    super(octets);
  }

  /** From here on headers are read. */
  void begin() {
    bounded = true;
    left = MOST_OCTETS;
  }

  /** From here on content is read, of any size. */
  void end() {
    bounded = false;
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    count(octet < 0 ? 0 : 1);
    return octet;
  }

  @Override
  public int read(byte[] buffer, int from, int count) throws IOException {
    int octets = super.read(buffer, from, count);
    count(octets);
    return octets;
  }

  @Override
  public long skip(long count) throws IOException {
    long octets = super.skip(bounded ? Math.min(count, left + 1L) : count);
    count(octets);
    return octets;
  }

  private void count(long octets) throws ArchiveException {
    if (bounded && octets > 0) {
      if (octets > left) {
        throw new ArchiveException(
            "a member of the archive is refused: its name and header have more than "
                + MOST_OCTETS
                + " octets");
      }
      left -= (int) octets;
    }
  }
}

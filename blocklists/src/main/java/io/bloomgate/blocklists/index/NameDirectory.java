package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;

/**
 * Knows while a name index is written where the records of each value of the first hash bits begin.
 * The hash is seeded with a fresh secret for every build, so buckets stay short whatever names a
 * feed holds. One thread.
 */
final class NameDirectory {

  /** Offsets in records are numbers of 4 octets, so that u32 reaches 16 GiB. */
  static final int UNIT_OCTETS = 4;

  /**
   * A bound that gives one to two keys a bucket: every key before the wanted one may be a far read.
   */
  private static final int KEYS_PER_BUCKET_BITS = 1;

  private static final int MAX_BITS = 28;

  private final int bits;
  private final int[] starts;
  private int next;

  /** A directory for about that many keys. */
  NameDirectory(long keys) {
    this.bits = Math.clamp(Words.bitsFor(keys) - KEYS_PER_BUCKET_BITS, 0, MAX_BITS);
    this.starts = new int[1 << bits];
  }

  int bits() {
    return bits;
  }

  /** The bucket of a hash. */
  static long bucket(long hash, int bits) {
    return bits == 0 ? 0 : hash >>> (Long.SIZE - bits);
  }

  /**
   * Notes the record at {@code offset}; hashes come in ascending order.
   *
   * @return true when it is the first of its bucket
   * @throws IOException when the file has grown beyond what offsets can name
   */
  boolean note(long hash, long offset) throws IOException {
    long unit = offset / UNIT_OCTETS;
    if (unit > 0xffff_ffffL) {
      throw new IOException("the names of all feeds together exceed 16 GiB");
    }
    boolean first = next <= bucket(hash, bits);
    while (next <= bucket(hash, bits)) {
      starts[next++] = (int) unit;
    }
    return first;
  }

  /** Writes the directory; buckets behind the last record are empty. */
  void write(PagedFileWriter out, long end) throws IOException {
    for (int i = 0; i < starts.length; i++) {
      out.putInt(i < next ? starts[i] : (int) (end / UNIT_OCTETS));
    }
    out.putInt((int) (end / UNIT_OCTETS));
  }
}

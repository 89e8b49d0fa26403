package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Where the parts of a {@link NetworkColumn} stand in the body of its file. Written and read as an
 * entry of the file's table of columns. Immutable.
 *
 * @param length of the prefixes, in bits of their own family
 * @param directoryBits first bits of a network that number its directory slot
 * @param directory offset of the directory: u32 row numbers, one more than slots
 * @param keys offset of the networks: 4, 8 or 16 octets each, as their length needs
 * @param lines offset of the lines: u32 each, the highest bit marks an exception
 * @param feeds offset of the feeds: u16 each
 */
record ColumnLayout(
    boolean v4,
    int length,
    int directoryBits,
    long rows,
    long directory,
    long keys,
    long lines,
    long feeds) {

  /** Octets of an entry of the table. */
  static final int OCTETS = 8 * Long.BYTES;

  private static final int V4_FLAG = 1 << 8;

  /** How a column is coded; other codings may follow beside it. */
  private static final int SORTED_ROWS = 0;

  /** Octets of a network. */
  int keyOctets() {
    return length <= Integer.SIZE ? Integer.BYTES : length <= Long.SIZE ? Long.BYTES : 16;
  }

  void write(PagedFileWriter out) throws IOException {
    out.putLong(
        (long) SORTED_ROWS << 32 | (long) directoryBits << 16 | (v4 ? V4_FLAG : 0) | length);
    for (long value : new long[] {rows, directory, keys, lines, feeds, 0, 0}) {
      out.putLong(value);
    }
  }

  /** Reads an entry; its page is proven. */
  static ColumnLayout read(MemorySegment body, long at) throws IOException {
    long kind = body.get(Words.U64, at);
    if (kind >>> 32 != SORTED_ROWS) {
      throw new IOException("a column of networks is coded in a way this release cannot read");
    }
    return new ColumnLayout(
        (kind & V4_FLAG) != 0,
        (int) kind & 0xff,
        (int) (kind >>> 16) & 0xff,
        body.get(Words.U64, at + 8),
        body.get(Words.U64, at + 16),
        body.get(Words.U64, at + 24),
        body.get(Words.U64, at + 32),
        body.get(Words.U64, at + 40));
  }
}

package io.bloomgate.blocklists.fleet.published;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How one text becomes another, by lines: runs that are copied out of the old text, and lines that
 * are new. Lines are compared octet by octet, so the order of the text does not matter and nothing
 * is mistaken for something else.
 *
 * <p>A delta is a sequence of steps until the end of the stream; each is four numbers and octets:
 *
 * <pre>
 *   n   number of new octets, and these octets
 *   m   number of octets to copy out of the old text; when it is above 0, then
 *   d   where they begin, less the end of the last copy (zigzag)
 * </pre>
 *
 * Numbers are in LEB128. Used by {@link Publisher} and {@link PublishedFeedSource} on their
 * threads; blocking.
 */
final class LineDelta {

  private static final int BUFFER_OCTETS = 1 << 16;

  /** A shorter copy costs as much as the octets themselves. */
  private static final int LEAST_COPY = 8;

  private LineDelta() {}

  /**
   * Writes the delta.
   *
   * @param before of at most 2 GiB, as {@code after}
   * @param mostLines of the old text, of which each takes 8 octets of heap at most
   * @return false when the old text has more lines; then nothing of use was written
   */
  static boolean write(Path before, Path after, OutputStream delta, long mostLines)
      throws IOException {
    try (FileChannel oldFile = FileChannel.open(before, StandardOpenOption.READ);
        FileChannel newFile = FileChannel.open(after, StandardOpenOption.READ)) {
      MappedByteBuffer oldText = oldFile.map(FileChannel.MapMode.READ_ONLY, 0, oldFile.size());
      MappedByteBuffer newText = newFile.map(FileChannel.MapMode.READ_ONLY, 0, newFile.size());
      long lines = LineTable.lines(oldText);
      if (lines > mostLines) {
        return false;
      }
      new Writer(oldText, newText, new LineTable(oldText, lines), delta).run();
      return true;
    }
  }

  /** Walks the new text once. */
  private static final class Writer {
    private final MappedByteBuffer oldText;
    private final MappedByteBuffer newText;
    private final LineTable table;
    private final OutputStream out;
    private int literalFrom;
    private int copyFrom;
    private int copyOctets;
    private int lastEnd;

    Writer(
        MappedByteBuffer oldText, MappedByteBuffer newText, LineTable table, OutputStream delta) {
      this.oldText = oldText;
      this.newText = newText;
      this.table = table;
      this.out = delta;
    }

    void run() throws IOException {
      int at = 0;
      while (at < newText.limit()) {
        int end = LineTable.lineEnd(newText, at);
        int follows = copyFrom + copyOctets;
        if (copyOctets > 0 && LineTable.isLine(oldText, follows, newText, at, end)) {
          copyOctets += end - at;
        } else {
          endCopy(at);
          int found = table.find(newText, at, end);
          if (found >= 0) {
            copyFrom = found;
            copyOctets = end - at;
          }
        }
        at = end;
      }
      endCopy(at);
      if (literalFrom < at) {
        step(at, 0, 0);
      }
    }

    /** A copy ended before this octet of the new text; one that is too short becomes new octets. */
    private void endCopy(int at) throws IOException {
      if (copyOctets >= LEAST_COPY) {
        step(at - copyOctets, copyFrom, copyOctets);
        literalFrom = at;
      }
      copyOctets = 0;
    }

    private void step(int literalEnd, int from, int octets) throws IOException {
      number(literalEnd - literalFrom);
      byte[] buffer = new byte[Math.min(BUFFER_OCTETS, literalEnd - literalFrom)];
      for (int at = literalFrom; at < literalEnd; at += buffer.length) {
        int length = Math.min(buffer.length, literalEnd - at);
        newText.get(at, buffer, 0, length);
        out.write(buffer, 0, length);
      }
      number(octets);
      if (octets > 0) {
        long distance = (long) from - lastEnd;
        number((distance << 1) ^ (distance >> 63));
        lastEnd = from + octets;
      }
    }

    private void number(long value) throws IOException {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        out.write((int) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }
  }

  /**
   * Makes the new text.
   *
   * @param octets that it must have at most
   * @throws IOException also when the delta is not for this text
   */
  static void apply(Path before, InputStream delta, OutputStream after, long octets)
      throws IOException {
    try (FileChannel oldText = FileChannel.open(before, StandardOpenOption.READ)) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(delta, BUFFER_OCTETS));
      long size = oldText.size();
      long room = octets;
      long end = 0;
      for (int first = in.read(); first >= 0; first = in.read()) {
        long literal = number(first, in);
        room = rest(room, literal);
        copy(in, after, literal);
        long copied = number(in.readUnsignedByte(), in);
        if (copied == 0) {
          // Steps that give nothing cost time and have no end.
          require(literal > 0, "the delta has a step that gives nothing");
          continue;
        }
        room = rest(room, copied);
        long zigzag = number(in.readUnsignedByte(), in);
        long from = end + ((zigzag >>> 1) ^ -(zigzag & 1));
        require(from >= 0 && from <= size - copied, "the delta is not for this text");
        try (InputStream old = new OldText(oldText, from)) {
          copy(old, after, copied);
        }
        end = from + copied;
      }
    }
  }

  private static long rest(long room, long octets) throws IOException {
    require(octets >= 0 && octets <= room, "the delta gives more than its text has");
    return room - octets;
  }

  private static void require(boolean holds, String otherwise) throws IOException {
    if (!holds) {
      throw new IOException(otherwise);
    }
  }

  private static long number(int first, DataInputStream in) throws IOException {
    long value = first & 0x7f;
    int octet = first;
    for (int shift = 7; (octet & 0x80) != 0; shift += 7) {
      if (shift > 56) {
        throw new IOException("the delta has a number that is too large");
      }
      octet = in.readUnsignedByte();
      value |= (octet & 0x7fL) << shift;
    }
    return value;
  }

  private static void copy(InputStream in, OutputStream out, long octets) throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER_OCTETS, octets)];
    for (long left = octets; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException("the delta ends early");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }

  /** The old text from an octet on; closing it leaves the file open. */
  private static final class OldText extends InputStream {
    private final FileChannel file;
    private long at;

    OldText(FileChannel file, long at) {
      this.file = file;
      this.at = at;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] octets, int from, int length) throws IOException {
      int read = file.read(java.nio.ByteBuffer.wrap(octets, from, length), at);
      at += Math.max(0, read);
      return read;
    }
  }
}

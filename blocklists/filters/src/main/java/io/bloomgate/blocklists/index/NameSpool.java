package io.bloomgate.blocklists.index;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries on their way into a {@link NameIndex}: appended to one of 256 partitions by the first
 * bits of their hash and kept in one temporary file, so that a build of any size sorts one
 * partition at a time. An entry that is repeated soon is left out: a name that a list has a million
 * times would swell its partition. Within a partition the entries keep the order of their arrival.
 * One thread; the file is gone after {@link #close}.
 *
 * <p>An entry: u64 hash, u32 line, u16 feed, u8 mode, u8 zero, u16 kind and length as in {@link
 * NameRecord}, and the key.
 */
final class NameSpool implements Closeable {

  static final int PARTITION_BITS = 8;
  static final int PARTITIONS = 1 << PARTITION_BITS;

  static final int HASH = 0;
  static final int LINE = 8;
  static final int FEED = 12;
  static final int MODE = 14;
  static final int KIND_AND_LENGTH = 16;
  static final int KEY = 18;

  /** Memory of a partition, and what is written in one go: 8 MiB for all of them. */
  private static final int CHUNK_OCTETS = 32 * 1024;

  /** Entries whose repeats are known; by chance, of a list of more names none is met again soon. */
  private static final int RECENT = 1 << 12;

  private final FileChannel channel;
  private final @Nullable ByteBuffer[] open = new ByteBuffer[PARTITIONS];

  /** A chunk in the file, and the octets of it that are used. */
  private record Chunk(int partition, int octets) {}

  private final List<Chunk> chunks = new ArrayList<>();

  /** The position in its open chunk, plus one, of the last entry whose hash ends like this. */
  private final short[] recent = new short[RECENT];

  private NameSpool(FileChannel channel) {
    this.channel = channel;
  }

  /** Starts an empty spool at a path that does not exist yet, mode 0600. */
  static NameSpool create(Path path) throws IOException {
    return new NameSpool(
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
  }

  /** Adds an entry; false when it is known to be a repeat and was left out. */
  boolean add(long hash, int line, int feed, int mode, int kind, byte[] key) throws IOException {
    int partition = (int) (hash >>> (Long.SIZE - PARTITION_BITS));
    ByteBuffer chunk = open[partition];
    if (chunk == null) {
      chunk = ByteBuffer.allocate(CHUNK_OCTETS).order(ByteOrder.LITTLE_ENDIAN);
      open[partition] = chunk;
    } else if (isRepeat(chunk, hash, feed, mode, kind, key)) {
      return false;
    } else if (chunk.remaining() < KEY + key.length) {
      write(partition, chunk);
    }
    recent[(int) hash & (RECENT - 1)] = (short) (chunk.position() + 1);
    chunk.putLong(hash).putInt(line).putShort((short) feed).put((byte) mode).put((byte) 0);
    chunk.putShort((short) NameRecord.kindAndLength(kind, key.length)).put(key);
    return true;
  }

  private boolean isRepeat(ByteBuffer chunk, long hash, int feed, int mode, int kind, byte[] key) {
    int at = Short.toUnsignedInt(recent[(int) hash & (RECENT - 1)]) - 1;
    // The place may be another entry's, or the chunk another one by now: then something differs.
    return at >= 0
        && at + KEY + key.length <= chunk.position()
        && chunk.getLong(at + HASH) == hash
        && chunk.getShort(at + FEED) == (short) feed
        && chunk.get(at + MODE) == (byte) mode
        && chunk.getShort(at + KIND_AND_LENGTH)
            == (short) NameRecord.kindAndLength(kind, key.length)
        && chunk.slice(at + KEY, key.length).equals(ByteBuffer.wrap(key));
  }

  private void write(int partition, ByteBuffer chunk) throws IOException {
    chunks.add(new Chunk(partition, chunk.position()));
    chunk.rewind().limit(CHUNK_OCTETS);
    while (chunk.hasRemaining()) {
      channel.write(chunk);
    }
    chunk.clear();
  }

  /** All entries of a partition, one behind the other; its memory is given back. */
  byte[] take(int partition) throws IOException {
    ByteBuffer last = open[partition];
    if (last == null) {
      return new byte[0];
    }
    long octets = last.position();
    for (Chunk chunk : chunks) {
      octets += chunk.partition == partition ? chunk.octets : 0;
    }
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(octets));
    for (int i = 0; i < chunks.size(); i++) {
      if (chunks.get(i).partition == partition) {
        read(all.slice(all.position(), chunks.get(i).octets), (long) i * CHUNK_OCTETS);
        all.position(all.position() + chunks.get(i).octets);
      }
    }
    all.put(last.flip());
    open[partition] = null;
    return all.array();
  }

  private void read(ByteBuffer into, long from) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, from + into.position()) < 0) {
        throw new EOFException("the temporary file of a build was cut");
      }
    }
  }

  @Override
  public void close() throws IOException {
    Arrays.fill(open, null);
    channel.close();
  }
}

package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.HashSource;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a build, each once: in memory while they are few, else in one temporary file, so
 * that a set of any size costs little memory. Used by {@link FilterBuild} on its thread; the file
 * has no name and is gone after {@link #close}, or when the program ends in any way.
 *
 * <p>What the memory holds is written as a run: its hashes in ascending order, each once. In the
 * end the slices of all runs that begin alike ({@link HashCollector#PARTS}) are sorted together,
 * and written back to where they came from without repeats.
 */
final class HashSpool implements LongConsumer, Closeable {

  /** Hashes held in memory; they take 64 to 96 MiB. */
  static final int HELD = 8 << 20;

  private static final int BUFFER_OCTETS = 64 * 1024;

  private final Path folder;
  private final int room;
  private final long limit;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_OCTETS).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * The positions where the slices of each run begin in the file, counted in hashes, and where the
   * last ends.
   */
  private final List<long[]> runs = new ArrayList<>();

  private HashCollector held;
  private @Nullable FileChannel channel;
  private long written;

  /**
   * An empty spool.
   *
   * @param folder of the temporary file, which needs 8 octets for a hash
   * @param room hashes held in memory
   * @param limit hashes that are written, repeats included
   */
  HashSpool(Path folder, int room, long limit) {
    this.folder = folder;
    this.room = room;
    this.limit = limit;
    this.held = new HashCollector(room);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException when the file cannot be written
   */
  @Override
  public void accept(long hash) {
    held.accept(hash);
    if (held.overfull() && !overfull()) {
      // The full collector has not taken this one.
      writeRun(held.distinct());
      held = new HashCollector(room);
      held.accept(hash);
    }
  }

  /** True when there were more hashes than may be written; then some are missing. */
  boolean overfull() {
    return written >= limit;
  }

  /**
   * Each hash once, in ascending order of the upper bits; to be used before {@link #close}.
   *
   * @throws IOException when the file cannot be written
   */
  HashSource distinct() throws IOException {
    HashCollector.DistinctHashes rest = held.distinct();
    if (runs.isEmpty()) {
      return rest;
    }
    try {
      writeRun(rest);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    held = new HashCollector(0);
    long[] sizes = new long[HashCollector.PARTS];
    for (int part = 0; part < sizes.length; part++) {
      sizes[part] = sortPart(part);
    }
    return new Stored(sizes);
  }

  private void writeRun(HashCollector.DistinctHashes run) {
    long[] begins = new long[HashCollector.PARTS + 1];
    try {
      for (int part = 0; part < HashCollector.PARTS; part++) {
        begins[part] = written;
        write(run.part(part), 0, run.part(part).length, written);
        written += run.part(part).length;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    begins[HashCollector.PARTS] = written;
    runs.add(begins);
  }

  /** Drops the repeats of a part in the file; returns how many hashes are left. */
  private int sortPart(int part) throws IOException {
    long count = 0;
    for (long[] run : runs) {
      count += run[part + 1] - run[part];
    }
    long[] all = new long[Math.toIntExact(count)];
    int[] at = {0};
    for (long[] run : runs) {
      read(run[part], run[part + 1], hash -> all[at[0]++] = hash);
    }
    int kept = HashCollector.sortedDistinct(all, all.length);
    int done = 0;
    for (long[] run : runs) {
      int length = (int) Math.min(run[part + 1] - run[part], kept - done);
      write(all, done, length, run[part]);
      done += length;
    }
    return kept;
  }

  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      // Made with mode 0600, and its name is taken away at once.
      open =
          FileChannel.open(
              Files.createTempFile(folder, ".bloomgate-", ".hashes"),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      channel = open;
    }
    return open;
  }

  private void write(long[] hashes, int from, int length, long position) throws IOException {
    int done = 0;
    while (done < length) {
      int count = Math.min(length - done, BUFFER_OCTETS / Long.BYTES);
      buffer.clear();
      buffer.asLongBuffer().put(hashes, from + done, count);
      buffer.limit(count * Long.BYTES);
      long start = (position + done) * Long.BYTES;
      while (buffer.hasRemaining()) {
        channel().write(buffer, start + buffer.position());
      }
      done += count;
    }
  }

  /** Gives the hashes between two positions of the file. */
  private void read(long from, long to, LongConsumer hashes) throws IOException {
    long at = from;
    while (at < to) {
      buffer.clear().limit((int) Math.min(BUFFER_OCTETS, (to - at) * Long.BYTES));
      while (buffer.hasRemaining()) {
        if (channel().read(buffer, at * Long.BYTES + buffer.position()) < 0) {
          throw new EOFException("the temporary file of a build was cut");
        }
      }
      buffer.flip();
      at += buffer.remaining() / Long.BYTES;
      while (buffer.hasRemaining()) {
        hashes.accept(buffer.getLong());
      }
    }
  }

  /** The hashes in the file. */
  private final class Stored implements HashSource {
    private final long[] sizes;

    private Stored(long[] sizes) {
      this.sizes = sizes;
    }

    @Override
    public long count() {
      return Arrays.stream(sizes).sum();
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedIOException when the file cannot be read
     */
    @Override
    public void forEach(LongConsumer hashes) {
      try {
        for (int part = 0; part < sizes.length; part++) {
          long left = sizes[part];
          for (long[] run : runs) {
            long length = Math.min(run[part + 1] - run[part], left);
            read(run[part], run[part] + length, hashes);
            left -= length;
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    held = new HashCollector(0);
    if (channel != null) {
      channel.close();
    }
  }
}

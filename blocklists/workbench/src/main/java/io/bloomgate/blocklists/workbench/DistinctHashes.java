package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.HashSource;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of hashes, each once and in ascending order: in memory while they are few, else in one
 * mapped temporary file, so that a set of any size costs little memory. First filled by one thread,
 * then walked by several; the file has no name and is gone after {@link #close}, or when the
 * program ends in any way.
 *
 * <p>Hashes are held with their upper bit turned, so that signed numbers have the order of unsigned
 * ones. Once all are there they are sorted where they are: the file is split by one bit after the
 * other until a part fits the memory (radix exchange; hashes are random, so parts are halves), and
 * all cores sort each part.
 */
final class DistinctHashes implements HashSource, LongConsumer, Closeable {

  /** Hashes held in memory; they take 64 to 128 MiB. */
  static final int HELD = 8 << 20;

  /** Hashes for which threads share a walk. */
  private static final int SHARED = 1 << 16;

  private static final int BUFFER_OCTETS = 64 * 1024;

  private final Path folder;
  private final int room;
  private final Arena mapping = Arena.ofShared();
  private long[] held = new long[64];
  private int size;
  private @Nullable FileChannel channel;

  /** All hashes in order, once they are asked for; no more come then. */
  private @Nullable MemorySegment sorted;

  /**
   * An empty set.
   *
   * @param folder of the temporary file, which needs 8 octets for a hash
   * @param room hashes held in memory
   */
  DistinctHashes(Path folder, long room) {
    this.folder = folder;
    this.room = Math.clamp(room, 1, HELD);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException when the file cannot be written
   */
  @Override
  public void accept(long hash) {
    if (size == room) {
      try {
        write();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } else if (size == held.length) {
      held = Arrays.copyOf(held, Math.min(room, size + (size >> 1)));
    }
    held[size++] = hash ^ Long.MIN_VALUE;
  }

  /** Appends what is held to the file; a full disk shows here, and not where it is read. */
  private FileChannel write() throws IOException {
    if (channel == null) {
      // Made with mode 0600, and its name is taken away at once.
      channel =
          FileChannel.open(
              Files.createTempFile(folder, ".bloomgate-", ".hashes"),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    }
    ByteBuffer octets = ByteBuffer.allocateDirect(BUFFER_OCTETS).order(ByteOrder.nativeOrder());
    for (int i = 0; i < size; i += BUFFER_OCTETS / Long.BYTES) {
      int count = Math.min(BUFFER_OCTETS / Long.BYTES, size - i);
      octets.clear().limit(count * Long.BYTES).asLongBuffer().put(held, i, count);
      while (octets.hasRemaining()) {
        channel.write(octets);
      }
    }
    size = 0;
    return channel;
  }

  private MemorySegment sorted() {
    if (sorted == null) {
      try {
        MemorySegment all;
        if (channel == null) {
          Arrays.parallelSort(held, 0, size);
          all = MemorySegment.ofArray(held).asSlice(0, (long) size * Long.BYTES);
        } else {
          all = write().map(MapMode.READ_WRITE, 0, channel.position(), mapping);
          held = new long[0];
          sort(all, Long.SIZE - 1);
        }
        sorted = withoutRepeats(all);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sorted;
  }

  /** Sorts hashes that have the same bits above this one. */
  private void sort(MemorySegment all, int bit) {
    if (count(all) <= room) {
      long[] part = all.toArray(ValueLayout.JAVA_LONG);
      Arrays.parallelSort(part);
      MemorySegment.copy(part, 0, all, ValueLayout.JAVA_LONG, 0, part.length);
    }
    if (count(all) <= room || bit < 0) {
      return;
    }
    long low = 0;
    for (long high = count(all); low < high; ) {
      long hash = get(all, low);
      if (((hash ^ Long.MIN_VALUE) >>> bit & 1) == 0) {
        low++;
      } else {
        set(all, low, get(all, --high));
        set(all, high, hash);
      }
    }
    sort(all.asSlice(0, low * Long.BYTES), bit - 1);
    sort(all.asSlice(low * Long.BYTES), bit - 1);
  }

  private static MemorySegment withoutRepeats(MemorySegment all) {
    long kept = 0;
    for (long i = 0; i < count(all); i++) {
      long hash = get(all, i);
      if (kept == 0 || hash != get(all, kept - 1)) {
        set(all, kept++, hash);
      }
    }
    return all.asSlice(0, kept * Long.BYTES);
  }

  private static long count(MemorySegment hashes) {
    return hashes.byteSize() / Long.BYTES;
  }

  private static long get(MemorySegment hashes, long index) {
    return hashes.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  private static void set(MemorySegment hashes, long index, long hash) {
    hashes.setAtIndex(ValueLayout.JAVA_LONG, index, hash);
  }

  @Override
  public long count() {
    return count(sorted());
  }

  @Override
  public void forEach(LongConsumer hashes) {
    walk(0, count(), hashes);
  }

  private void walk(long from, long to, LongConsumer hashes) {
    MemorySegment all = sorted();
    for (long i = from; i < to; i++) {
      hashes.accept(get(all, i) ^ Long.MIN_VALUE);
    }
  }

  @Override
  public List<HashSource> parts() {
    long count = count();
    int parts = count < SHARED ? 1 : Runtime.getRuntime().availableProcessors();
    return IntStream.range(0, parts)
        .<HashSource>mapToObj(
            part -> hashes -> walk(count * part / parts, count * (part + 1) / parts, hashes))
        .toList();
  }

  /** The hashes of this set that another one lacks. */
  HashSource without(DistinctHashes others) {
    MemorySegment all = sorted();
    MemorySegment left = others.sorted();
    return hashes -> {
      long at = 0;
      for (long i = 0; i < count(all); i++) {
        long hash = get(all, i);
        while (at < count(left) && get(left, at) < hash) {
          at++;
        }
        if (at == count(left) || get(left, at) != hash) {
          hashes.accept(hash ^ Long.MIN_VALUE);
        }
      }
    };
  }

  @Override
  public void close() throws IOException {
    mapping.close();
    if (channel != null) {
      channel.close();
    }
  }
}

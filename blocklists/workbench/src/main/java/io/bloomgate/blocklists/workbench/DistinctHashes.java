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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of hashes, each once and in ascending order: in memory while they are few, else in one
 * temporary file, so that a set of any size costs little memory. Filled by one thread, then walked
 * by several; the file has no name and is gone after {@link #close}, or when the program ends in
 * any way.
 *
 * <p>What the memory holds is sorted on all cores, and written as a run when it is full; a walk
 * merges the runs. Hashes are held with their upper bit turned, so that signed numbers have the
 * order of unsigned ones.
 */
final class DistinctHashes implements HashSource, LongConsumer, Closeable {

  /** Hashes held in memory; they take 64 to 128 MiB. */
  static final int HELD = 8 << 20;

  /** Hashes for which threads share a walk. */
  private static final int SHARED = 1 << 16;

  /** The fill after dropping repeats beyond which the next time would come too soon. */
  private static final double FULL = 0.9;

  private static final int BUFFER_OCTETS = 64 * 1024;

  private final Path folder;
  private final int room;
  private final List<MemorySegment> runs = new ArrayList<>();
  private final Arena mappings = Arena.ofShared();
  private long[] held = new long[64];
  private int size;
  private long count = -1;
  private @Nullable FileChannel channel;

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
    if (size == held.length) {
      if (size >= room) {
        spill();
      } else {
        held = Arrays.copyOf(held, Math.min(room, size + (size >> 1)));
      }
    }
    held[size++] = hash ^ Long.MIN_VALUE;
    count = -1;
  }

  private void spill() {
    sort();
    if (size > FULL * held.length) {
      try {
        runs.add(written());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      size = 0;
    }
  }

  /** Writes what is held; a full disk shows here, and not where it is read. */
  private MemorySegment written() throws IOException {
    FileChannel file = channel();
    long from = file.position();
    ByteBuffer octets = ByteBuffer.allocateDirect(BUFFER_OCTETS).order(ByteOrder.nativeOrder());
    for (int i = 0; i < size; i += BUFFER_OCTETS / Long.BYTES) {
      int count = Math.min(BUFFER_OCTETS / Long.BYTES, size - i);
      octets.clear().limit(count * Long.BYTES).asLongBuffer().put(held, i, count);
      while (octets.hasRemaining()) {
        file.write(octets);
      }
    }
    return file.map(MapMode.READ_ONLY, from, file.position() - from, mappings);
  }

  /** Sorts what is held and drops repeats. */
  private void sort() {
    Arrays.parallelSort(held, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || held[i] != held[i - 1]) {
        held[kept++] = held[i];
      }
    }
    size = kept;
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

  @Override
  public long count() {
    if (count < 0) {
      sort();
      count = 0;
      walk(Long.MIN_VALUE, Long.MAX_VALUE, _ -> count++);
    }
    return count;
  }

  @Override
  public void forEach(LongConsumer hashes) {
    count();
    walk(Long.MIN_VALUE, Long.MAX_VALUE, hashes);
  }

  @Override
  public List<HashSource> parts() {
    int parts = count() < SHARED ? 1 : Runtime.getRuntime().availableProcessors();
    long share = Long.divideUnsigned(-1, parts);
    List<HashSource> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      long from = Long.MIN_VALUE + i * share;
      long to = i == parts - 1 ? Long.MAX_VALUE : from + share - 1;
      all.add(hashes -> walk(from, to, hashes));
    }
    return all;
  }

  /** Gives the hashes between two, both included. */
  private void walk(long from, long to, LongConsumer hashes) {
    Merge merge = new Merge(from);
    while (merge.next() && merge.value <= to) {
      hashes.accept(merge.value ^ Long.MIN_VALUE);
    }
  }

  /** The hashes of this set that another one lacks. */
  HashSource without(DistinctHashes others) {
    count();
    others.count();
    return hashes -> {
      Merge left = others.new Merge(Long.MIN_VALUE);
      boolean more = left.next();
      Merge all = new Merge(Long.MIN_VALUE);
      while (all.next()) {
        while (more && left.value < all.value) {
          more = left.next();
        }
        if (!more || left.value != all.value) {
          hashes.accept(all.value ^ Long.MIN_VALUE);
        }
      }
    };
  }

  /** The ascending walk over all runs and what is held. Used by one thread. */
  private final class Merge {
    private final PriorityQueue<Cursor> cursors =
        new PriorityQueue<>(Comparator.comparingLong((Cursor c) -> c.value));
    private long value;
    private boolean begun;

    Merge(long from) {
      List<MemorySegment> all = new ArrayList<>(runs);
      all.add(MemorySegment.ofArray(held).asSlice(0, (long) size * Long.BYTES));
      for (MemorySegment run : all) {
        Cursor cursor = new Cursor(run, lowerBound(run, from));
        if (cursor.next()) {
          cursors.add(cursor);
        }
      }
    }

    boolean next() {
      while (!cursors.isEmpty()) {
        Cursor first = cursors.poll();
        boolean repeated = begun && first.value == value;
        value = first.value;
        begun = true;
        if (first.next()) {
          cursors.add(first);
        }
        if (!repeated) {
          return true;
        }
      }
      return false;
    }
  }

  /** The number of the first hash of a run that is not less. */
  private static long lowerBound(MemorySegment run, long wanted) {
    long low = 0;
    long high = run.byteSize() / Long.BYTES;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (run.getAtIndex(ValueLayout.JAVA_LONG, middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A place in a run of sorted hashes. */
  private static final class Cursor {
    private final MemorySegment run;
    private long next;
    private long value;

    Cursor(MemorySegment run, long next) {
      this.run = run;
      this.next = next;
    }

    boolean next() {
      if (next == run.byteSize() / Long.BYTES) {
        return false;
      }
      value = run.getAtIndex(ValueLayout.JAVA_LONG, next++);
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    held = new long[0];
    size = 0;
    mappings.close();
    if (channel != null) {
      channel.close();
    }
  }
}

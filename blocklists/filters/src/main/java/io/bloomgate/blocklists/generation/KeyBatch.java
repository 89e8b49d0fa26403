package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one message, asked of a {@link ListSnapshot} together, so that the memory reads of
 * all filters are under way before the first is tested. Belongs to one thread, which uses it again
 * and again: asking makes no object. Under two kilobytes.
 */
public final class KeyBatch {

  /** Keys of a batch; an answer is one bit a key. */
  public static final int MAX_KEYS = Long.SIZE;

  /** The keys that a message usually has; more keys make the array grow. */
  private static final int USUAL_KEYS = 8;

  private ListKey[] keys = new ListKey[USUAL_KEYS];
  private @Nullable Check[] checks = new @Nullable Check[USUAL_KEYS];
  private int size;

  /** The one of each partition, by its number. */
  private final ProbeQueue[] queues = new ProbeQueue[Partition.COUNT];

  /** A batch without keys. */
  public KeyBatch() {
    Arrays.setAll(queues, _ -> new ProbeQueue());
  }

  /** Forgets all keys, and what an ask that failed left waiting. */
  public void clear() {
    size = 0;
    for (ProbeQueue queue : queues) {
      queue.count = 0;
      queue.hits = 0;
    }
  }

  /**
   * Appends a key.
   *
   * @throws IllegalStateException when the batch is full
   */
  public void add(Check check, ListKey key) {
    add(key);
    checks[size - 1] = check;
  }

  /** Appends a key for a caller that knows what it asks for. */
  public void add(ListKey key) {
    if (size == MAX_KEYS) {
      throw new IllegalStateException("a batch holds at most " + MAX_KEYS + " keys");
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      checks = Arrays.copyOf(checks, 2 * size);
    }
    keys[size++] = key;
  }

  /** The number of keys that were added. */
  public int size() {
    return size;
  }

  /** A key, in the order in which they were added. */
  public ListKey key(int index) {
    return keys[index];
  }

  /** The check for which a key is compared. */
  public Check check(int index) {
    return Objects.requireNonNull(checks[index], "the key has no check");
  }

  /** One bit for every key, set: the answer of lists that have no filters. */
  long everyKey() {
    return size == 0 ? 0 : -1L >>> (Long.SIZE - size);
  }

  /**
   * Asks the filters for every key.
   *
   * @param filters by the number of their partition
   * @return a bit for each key that may be in its filter
   */
  long ask(FilterHashes hashes, MembershipFilter[] filters) {
    long hits = 0;
    for (int i = 0; i < size; i++) {
      int partition = Partition.of(keys[i]).number();
      ProbeQueue queue = queues[partition];
      queue.filter = filters[partition];
      queue.key = i;
      hashes.asked(keys[i], queue);
    }
    for (ProbeQueue queue : queues) {
      hits |= queue.hits();
    }
    return hits;
  }

  /**
   * Hashes that wait to be looked for in one filter, and the key of the batch that each belongs to.
   * Part of a {@link KeyBatch}.
   */
  private static final class ProbeQueue implements LongConsumer {

    /**
     * Reads that a core keeps under way at once are fewer than this; a name with more parents is
     * asked in several rounds.
     */
    private static final int CAPACITY = 16;

    private final long[] hashes = new long[CAPACITY];
    private final byte[] keys = new byte[CAPACITY];
    private int count;
    private long hits;

    /** The filter that is asked; {@code null} until a key is. */
    private @Nullable MembershipFilter filter;

    /** The number in the batch of the key whose hashes come. */
    private int key;

    /** Appends a hash; when there is no room, what waits is asked first. */
    @Override
    public void accept(long hash) {
      if (count == CAPACITY) {
        run();
      }
      hashes[count] = hash;
      keys[count++] = (byte) key;
    }

    /**
     * Asks for everything that waits, and forgets it. All hashes are known before the first read,
     * so that no read waits for another.
     */
    private void run() {
      long found = count == 0 || filter == null ? 0 : filter.probeAll(hashes, count);
      for (int i = 0; i < count; i++) {
        hits |= (found >>> i & 1) << keys[i];
      }
      count = 0;
    }

    /** A bit for each key that one of its hashes was found of; the next call begins with none. */
    long hits() {
      run();
      long all = hits;
      hits = 0;
      filter = null;
      return all;
    }
  }
}

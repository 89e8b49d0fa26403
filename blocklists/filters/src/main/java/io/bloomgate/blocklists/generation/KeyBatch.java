package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import java.util.Arrays;
import java.util.Objects;
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

  private final ProbeQueue ips = new ProbeQueue();
  private final ProbeQueue domains = new ProbeQueue();
  private final ProbeQueue addresses = new ProbeQueue();
  private final ProbeQueue urls = new ProbeQueue();
  private final ProbeQueue fingerprints = new ProbeQueue();

  /** Forgets all keys, and what an ask that failed left waiting. */
  public void clear() {
    size = 0;
    ips.clear();
    domains.clear();
    addresses.clear();
    urls.clear();
    fingerprints.clear();
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

  ProbeQueue ips() {
    return ips;
  }

  ProbeQueue domains() {
    return domains;
  }

  ProbeQueue addresses() {
    return addresses;
  }

  ProbeQueue urls() {
    return urls;
  }

  ProbeQueue fingerprints() {
    return fingerprints;
  }

  /**
   * Hashes that wait to be looked for in one filter, and the key of the batch that each belongs to.
   * Part of a {@link KeyBatch}.
   */
  static final class ProbeQueue {

    /**
     * Reads that a core keeps under way at once are fewer than this; a name with more parents is
     * asked in several rounds.
     */
    private static final int CAPACITY = 16;

    private final long[] hashes = new long[CAPACITY];
    private final byte[] keys = new byte[CAPACITY];
    private int count;

    /** Forgets what waits. */
    void clear() {
      count = 0;
    }

    /**
     * Appends a hash; when there is no room, what waits is asked first.
     *
     * @param key number of the key in its batch
     * @return bits of keys that were found on the way
     */
    long add(MembershipFilter filter, long hash, int key) {
      long hits = count == CAPACITY ? run(filter) : 0;
      hashes[count] = hash;
      keys[count++] = (byte) key;
      return hits;
    }

    /**
     * Asks for everything that waits, and forgets it. All hashes are known before the first read,
     * so that no read waits for another.
     *
     * @return a bit for each key that one of its hashes was found of
     */
    long run(MembershipFilter filter) {
      long found = filter.probeAll(hashes, count);
      long hits = 0;
      for (int i = 0; i < count; i++) {
        hits |= (found >>> i & 1) << keys[i];
      }
      count = 0;
      return hits;
    }
  }
}

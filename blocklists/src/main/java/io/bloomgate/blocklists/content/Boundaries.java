package io.bloomgate.blocklists.content;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The boundaries of the multiparts that are open, outermost first. A line is compared with all of
 * them at once: its hash is looked up at each length that a boundary has, so that a line costs its
 * own octets however deep the mail is. Used by {@link MimeSplitter} on the thread of the mail.
 *
 * <p>A line belongs to a boundary when it begins with it (RFC 2046 section 5.1.1). Of several the
 * longest counts, so that a boundary which begins like the one around it is found; a boundary that
 * an outer multipart has as well belongs to the outer one, as in mail clients.
 */
final class Boundaries {

  /** Octets of a boundary that is looked for; RFC 2046 allows 70, readers take any. */
  static final int MOST_OCTETS = 8 * 1024;

  /** Octets of a line behind the longest boundary, its two hyphens and white space, that count. */
  private static final int TAIL = 66;

  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  /** One open multipart. */
  static final class Level {
    private byte[] boundary = Octets.NONE;
    private long hash;

    /** False when an outer multipart has the same boundary. */
    private boolean found;

    /** Another boundary of the multipart in front of it. */
    private boolean other;

    private boolean closed;
    private int depth;
    private int nested;
    private boolean digest;

    /** Multiparts and messages around it. */
    int depth() {
      return depth;
    }

    /** Messages around it. */
    int nested() {
      return nested;
    }

    /** True when its parts are messages unless they say otherwise. */
    boolean isDigest() {
      return digest;
    }
  }

  private static final Level[] NO_LEVELS = {};
  private static final int[] NO_NUMBERS = {};

  private final long seed;
  private final IntConsumer kept;
  private Level[] levels = NO_LEVELS;
  private int size;

  /** Open addressing: one more than the index of a level. Levels leave in the reverse order. */
  private int[] table = NO_NUMBERS;

  /** How many levels have a boundary of that many octets. */
  private int[] lengths = NO_NUMBERS;

  private int longest = -1;
  private boolean closing;
  private boolean exact;

  /**
   * No open multipart.
   *
   * @param seed of the hashes, so that no sender can choose boundaries whose hashes collide
   * @param kept takes the octets of memory of each multipart, negative at its end
   */
  Boundaries(long seed, IntConsumer kept) {
    this.seed = seed | 1;
    this.kept = kept;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Multiparts that are open. */
  int size() {
    return size;
  }

  /** The multipart that was opened last, -1 for none. */
  int innermost() {
    return multipart(size - 1);
  }

  /** Where the multipart is that this is a boundary of. */
  private int multipart(int index) {
    int i = index;
    while (i > 0 && levels[i].other) {
      i--;
    }
    return i;
  }

  Level level(int index) {
    return levels[index];
  }

  /** Octets of a line that {@link #match} has to see, line end included. */
  int octetsThatCount() {
    return longest + 4 + TAIL;
  }

  /** Opens a multipart inside the others. */
  void push(byte[] boundary, int depth, int nested, boolean digest) {
    if (size == levels.length) {
      grow();
    }
    Level level = levels[size];
    level.boundary = boundary;
    level.hash = hash(boundary);
    level.depth = depth;
    level.nested = nested;
    level.digest = digest;
    level.closed = false;
    level.other = false;
    level.found = slot(level.hash, boundary, 0, boundary.length) < 0;
    if (level.found) {
      place(size);
      if (boundary.length >= lengths.length) {
        lengths = Arrays.copyOf(lengths, boundary.length + 1);
      }
      lengths[boundary.length]++;
      longest = Math.max(longest, boundary.length);
    }
    kept.accept(boundary.length);
    size++;
  }

  /** The multipart that was opened last has this boundary as well, for some readers. */
  void pushOther(byte[] boundary) {
    push(boundary, 0, 0, false);
    levels[size - 1].other = true;
  }

  /** Leaves every multipart inside the one with that index. */
  void popAbove(int index) {
    int last = index;
    while (last + 1 < size && levels[last + 1].other) {
      last++;
    }
    while (size > last + 1) {
      size--;
      Level level = levels[size];
      kept.accept(-level.boundary.length);
      if (level.found) {
        table[slot(level.hash, level.boundary, 0, level.boundary.length)] = 0;
        lengths[level.boundary.length]--;
        while (longest >= 0 && lengths[longest] == 0) {
          longest--;
        }
      }
    }
  }

  /** What follows is the epilogue of that multipart. */
  void close(int index) {
    levels[index].closed = true;
  }

  /**
   * A boundary came again behind the end of its multipart: where a multipart inside has the same
   * boundary, some readers take the end for the inner one's.
   *
   * @return false when it was open
   */
  boolean reopen(int index) {
    boolean before = levels[index].closed;
    levels[index].closed = false;
    return before;
  }

  /**
   * The multipart that a line belongs to, -1 for none. The line begins with two hyphens and may end
   * with its line end.
   */
  int match(byte[] line, int length) {
    int end = length;
    while (end > 2 && isBlank(line[end - 1])) {
      end--;
    }
    boolean hyphens = end >= 4 && line[end - 1] == '-' && line[end - 2] == '-';
    int best = -1;
    int bestLength = -1;
    int closed = -1;
    long hash = seed;
    for (int n = 0; n <= Math.min(longest, end - 2); n++) {
      if (n > 0) {
        hash = step(hash, line[n + 1]);
      }
      if (lengths[n] > 0) {
        int slot = slot(hash, line, 2, n);
        if (slot >= 0) {
          best = table[slot] - 1;
          bestLength = n;
          closed = hyphens && n == end - 4 ? best : closed;
        }
      }
    }
    exact = bestLength == end - 2;
    closing = false;
    if (best >= 0 && !exact) {
      if (closed >= 0) {
        best = closed;
        exact = true;
        closing = true;
      } else if (bestLength == 0) {
        return -1; // an empty boundary would be the beginning of every such line
      } else {
        closing =
            end >= bestLength + 4 && line[bestLength + 2] == '-' && line[bestLength + 3] == '-';
      }
    }
    return multipart(best);
  }

  /** True when the line that matched last ends its multipart. */
  boolean isClosing() {
    return closing;
  }

  /** True when the line that matched last has nothing but white space behind the boundary. */
  boolean isExact() {
    return exact;
  }

  static boolean isBlank(byte octet) {
    return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n';
  }

  /**
   * True for a field of a header whose name begins like a boundary; as far as the line is known.
   */
  static boolean isField(byte[] line, int length) {
    int i = 0;
    while (i < length && line[i] > ' ' && line[i] != ':') {
      i++;
    }
    while (i < length && (line[i] == ' ' || line[i] == '\t')) {
      i++;
    }
    return i == length || line[i] == ':';
  }

  /**
   * Where a line feed is that two hyphens follow, -1 for nowhere. Looks at every second octet of
   * eight that have a hyphen.
   */
  static int lineEndBeforeHyphens(byte[] octets, int from, int to) {
    for (int i = from + 1; i < to; ) {
      i = Octets.behindEights((byte) '-', octets, i, to);
      for (int end = Math.min(to, i + Long.BYTES); i < end; i += 2) {
        if (octets[i] == '-') {
          if (octets[i - 1] == '\n') {
            if (i + 1 < to && octets[i + 1] == '-') {
              return i - 1;
            }
          } else if (octets[i - 1] == '-' && i - 2 >= from && octets[i - 2] == '\n') {
            return i - 2;
          }
        }
      }
    }
    return -1;
  }

  private void grow() {
    int more = Math.max(1, size * 2);
    levels = Arrays.copyOf(levels, more);
    for (int i = size; i < more; i++) {
      levels[i] = new Level();
    }
    table = new int[more * 4];
    for (int i = 0; i < size; i++) {
      if (levels[i].found) {
        place(i);
      }
    }
  }

  private void place(int index) {
    int slot = home(levels[index].hash);
    while (table[slot] != 0) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = index + 1;
  }

  private int home(long hash) {
    return (int) (hash >>> 33) & (table.length - 1);
  }

  /** Where the boundary with these octets is in the table, -1 for nowhere. */
  private int slot(long hash, byte[] octets, int from, int length) {
    if (table.length == 0) {
      return -1;
    }
    for (int slot = home(hash); table[slot] != 0; slot = (slot + 1) & (table.length - 1)) {
      Level level = levels[table[slot] - 1];
      if (level.hash == hash
          && Arrays.equals(level.boundary, 0, level.boundary.length, octets, from, from + length)) {
        return slot;
      }
    }
    return -1;
  }

  private long hash(byte[] octets) {
    long hash = seed;
    for (byte octet : octets) {
      hash = step(hash, octet);
    }
    return hash;
  }

  private static long step(long hash, byte octet) {
    long mixed = (hash ^ (octet & 0xff)) * MULTIPLIER;
    return mixed ^ (mixed >>> 29);
  }
}

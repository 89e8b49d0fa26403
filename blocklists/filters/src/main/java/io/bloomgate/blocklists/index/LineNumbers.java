package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One number of 31 bits for a feed and a line of it: the lines of all feeds are counted as if the
 * feeds were one text, one behind the other. Filled by {@link NetworkIndexBuilder} on one thread;
 * read from a file by {@link NetworkIndex}, then immutable and for any thread.
 */
final class LineNumbers {

  /** The number of line 0 of each feed. */
  private int[] firsts;

  private long next;

  LineNumbers() {
    this.firsts = new int[0];
  }

  /** Reads what {@link #write} wrote. */
  LineNumbers(MemorySegment body, long at, int feeds) {
    this.firsts = body.asSlice(at, (long) feeds * Integer.BYTES).toArray(Words.U32);
  }

  /**
   * The number of a line.
   *
   * @param feed never lower than that of an earlier line
   */
  int number(int feed, int line) throws IOException {
    if (feed < firsts.length - 1 || feed >= Words.MAX_FEEDS) {
      throw new IllegalArgumentException("feed number " + feed + " out of order");
    }
    if (feed >= firsts.length) {
      int known = firsts.length;
      firsts = Arrays.copyOf(firsts, feed + 1);
      Arrays.fill(firsts, known, feed + 1, (int) next);
    }
    long number = (long) firsts[feed] + line;
    if (number >= Integer.MAX_VALUE) {
      throw new IOException("all feeds together have more than 2^31 lines");
    }
    next = Math.max(next, number + 1);
    return (int) number;
  }

  /** The feed of a number: the last whose lines begin at or before it. */
  int feed(int number) {
    int low = 0;
    int high = firsts.length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (firsts[middle] <= number) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The line of a number of that feed. */
  int line(int feed, int number) {
    return number - firsts[feed];
  }

  int feeds() {
    return firsts.length;
  }

  void write(PagedFileWriter out) throws IOException {
    for (int first : firsts) {
      out.putInt(first);
    }
  }
}

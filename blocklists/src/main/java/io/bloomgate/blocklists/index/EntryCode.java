package io.bloomgate.blocklists.index;

/**
 * The code for the entries of a network, in as few bits as the largest line and feed need.
 * Immutable.
 *
 * <p>Each network has one value. Nearly all have one listing and no exception: theirs is feed and
 * line. For the others it is the place of a run of postings; a posting is feed and line, a bit for
 * an exception and a bit for the last of its run.
 */
record EntryCode(int lineBits, int feedBits, int valueOctets, int postingOctets) {

  private static final long RUN = 1;
  private static final long LAST = 1;
  private static final long EXCEPTION = 2;

  /** Narrowest code for lines up to {@code maxLine} and these numbers of feeds and postings. */
  static EntryCode of(int maxLine, int feeds, long postings) {
    int lineBits = Words.bitsFor(maxLine + 1L);
    int feedBits = Words.bitsFor(feeds);
    int valueBits = 1 + Math.max(lineBits + feedBits, Words.bitsFor(postings));
    return new EntryCode(
        lineBits,
        feedBits,
        Math.ceilDiv(valueBits, Byte.SIZE),
        Math.ceilDiv(2 + lineBits + feedBits, Byte.SIZE));
  }

  private long pair(int feed, int line) {
    return (long) feed << lineBits | line;
  }

  /** Value of a network with one listing. */
  long single(int feed, int line) {
    return pair(feed, line) << 1;
  }

  /** Value of a network whose postings begin there. */
  long run(long posting) {
    return posting << 1 | RUN;
  }

  static boolean isRun(long value) {
    return (value & RUN) != 0;
  }

  /** The position where the run of a value begins. */
  static long posting(long value) {
    return value >>> 1;
  }

  long posting(int feed, int line, boolean exception, boolean last) {
    return pair(feed, line) << 2 | (exception ? EXCEPTION : 0) | (last ? LAST : 0);
  }

  static boolean isException(long posting) {
    return (posting & EXCEPTION) != 0;
  }

  static boolean isLast(long posting) {
    return (posting & LAST) != 0;
  }

  /** The posting that a value without a run stands for. */
  static long asPosting(long value) {
    return value << 1 | LAST;
  }

  int feed(long posting) {
    return (int) (posting >>> 2 >>> lineBits);
  }

  int line(long posting) {
    return (int) (posting >>> 2 & ~(-1L << lineBits));
  }
}

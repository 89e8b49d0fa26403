package io.bloomgate.blocklists.filter.kinds;

/**
 * An array of small unsigned numbers of equal width, packed without gaps into words. Used by
 * filters that keep fingerprints; the thread is that of the filter.
 *
 * <p>There is one word more than the fields need, so that a field is always read from two words
 * without a branch.
 */
final class PackedFields {

  /** The widest field. */
  static final int MAX_WIDTH = 32;

  private final long[] words;
  private final int width;
  private final long mask;

  /** Takes the words over; their number is that of {@link #words(long, int)}. */
  PackedFields(long[] words, int width) {
    this.words = words;
    this.width = width;
    this.mask = (1L << width) - 1;
  }

  /** Words for a number of fields. */
  static long words(long fields, int width) {
    return (fields * width + Long.SIZE - 1) / Long.SIZE + 1;
  }

  long get(long index) {
    long bit = index * width;
    int word = (int) (bit >>> 6);
    // A shift by 64 would be one by 0: the upper part goes in two steps.
    return ((words[word] >>> bit) | (words[word + 1] << 1 << ~bit)) & mask;
  }

  void set(long index, long value) {
    long bit = index * width;
    int word = (int) (bit >>> 6);
    words[word] = (words[word] & ~(mask << bit)) | (value << bit);
    long spilled = words[word + 1] & ~(mask >>> 1 >>> ~bit);
    words[word + 1] = spilled | (value >>> 1 >>> ~bit);
  }

  long[] words() {
    return words;
  }
}

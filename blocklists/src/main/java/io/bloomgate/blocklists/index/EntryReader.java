package io.bloomgate.blocklists.index;

import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * Reads what {@link EntryWriter} wrote: the entries behind the value of a network. Read by sessions
 * on any thread; immutable.
 */
final class EntryReader {

  /** Takes an entry. */
  @FunctionalInterface
  interface Sink {
    void accept(int feed, int line, boolean exception);
  }

  private final MemorySegment body;
  private final EntryCode code;
  private final long postings;
  private final long count;

  /**
   * Reads a run of postings in a file.
   *
   * @param postings where they begin
   * @param count how many there are
   */
  EntryReader(MemorySegment body, EntryCode code, long postings, long count) {
    this.body = body;
    this.code = code;
    this.postings = postings;
    this.count = count;
  }

  /** A value of the section that begins at {@code values}. */
  long value(long values, long index) {
    return number(values, index, code.valueOctets());
  }

  /** Sections end with eight octets that nothing else needs, so a whole word can be read. */
  private long number(long section, long index, int octets) {
    return body.get(Words.U64, section + index * octets)
        & (-1L >>> (Long.SIZE - Byte.SIZE * octets));
  }

  /** Tells the entries of a network in feed order: at most two of a feed. */
  void forEach(long value, Sink sink) {
    long at = EntryCode.posting(value);
    long posting = first(value);
    tell(posting, sink);
    while (!EntryCode.isLast(posting) && ++at < count) {
      posting = number(postings, at, code.postingOctets());
      tell(posting, sink);
    }
  }

  private void tell(long posting, Sink sink) {
    sink.accept(code.feed(posting), code.line(posting), EntryCode.isException(posting));
  }

  private long first(long value) {
    return EntryCode.isRun(value)
        ? number(postings, EntryCode.posting(value), code.postingOctets())
        : EntryCode.asPosting(value);
  }

  /** True when at least one entry of the network is a listing. */
  boolean lists(long value) {
    long at = EntryCode.posting(value);
    long posting = first(value);
    while (EntryCode.isException(posting) && !EntryCode.isLast(posting) && ++at < count) {
      posting = number(postings, at, code.postingOctets());
    }
    return !EntryCode.isException(posting);
  }

  /** The line of a feed's entry with that sign. */
  OptionalInt line(long value, int feed, boolean exception) {
    long at = EntryCode.posting(value);
    long posting = first(value);
    while (!EntryCode.isLast(posting)
        && (code.feed(posting) != feed || EntryCode.isException(posting) != exception)
        && ++at < count) {
      posting = number(postings, at, code.postingOctets());
    }
    return code.feed(posting) == feed && EntryCode.isException(posting) == exception
        ? OptionalInt.of(code.line(posting))
        : OptionalInt.empty();
  }
}

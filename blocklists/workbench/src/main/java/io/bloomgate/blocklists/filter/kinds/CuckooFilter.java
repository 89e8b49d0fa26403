package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.util.List;

/**
 * Cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher, 2014): a fingerprint of each hash in one
 * of two buckets of four slots. Takes less memory than counters and can be full: then {@link #add}
 * answers false, and everything that was inside still is. Used by one thread, or under its owner's
 * lock, while it changes.
 *
 * <p>It counts: a hash that was added twice must be removed twice. Eight copies of one hash fill
 * its buckets. To remove a hash that was never added and hits by chance takes the fingerprint of
 * another one, which is then missed.
 *
 * <p>In a file: its packed slots, and as measures the buckets, the width of a fingerprint and the
 * pairs that it covers.
 */
public final class CuckooFilter implements RemovableFilter {

  private static final int MEASURE_BUCKETS = 0;
  private static final int MEASURE_WIDTH = 1;
  private static final int MEASURE_COVERED = 2;
  private static final int MEASURES = 3;

  private static final int BUCKETS_OF_A_HASH = 2;

  private final CuckooTable table;
  private final long capacity;
  private final double askedRate;
  private long entries;

  /**
   * Pairs of bucket and fingerprint that answer yes, of all that a hash can ask for. This is the
   * rate, exactly: a move leaves it, and a second copy of a fingerprint adds nothing.
   */
  private long covered;

  /** An empty filter for this many hashes. */
  CuckooFilter(long capacity, double askedRate) throws FilterBuildException {
    this(CuckooTable.sized(capacity, askedRate).empty(), capacity, askedRate, 0, 0);
  }

  /** Takes the table over; called by {@link #read}. */
  CuckooFilter(CuckooTable table, long capacity, double askedRate, long entries, long covered) {
    this.table = table;
    this.capacity = capacity;
    this.askedRate = askedRate;
    this.entries = entries;
    this.covered = covered;
  }

  @Override
  public int probe(long hash) {
    long fingerprint = table.fingerprint(hash);
    int near = table.bucket(hash);
    return table.holds(near, fingerprint)
        | table.holds(table.other(near, fingerprint), fingerprint);
  }

  /**
   * Puts a hash in.
   *
   * @return false when no slot can be freed for it or the rate would pass the asked one; then
   *     nothing has changed. Up to the capacity the rate never refuses
   */
  @Override
  public boolean add(long hash) {
    long fingerprint = table.fingerprint(hash);
    int near = table.bucket(hash);
    int far = table.other(near, fingerprint);
    long covers = probe(hash) != 0 ? 0 : covers(near, far);
    if ((covered + covers) / pairs() > askedRate || !table.place(fingerprint, near, far)) {
      return false;
    }
    covered += covers;
    entries++;
    return true;
  }

  /**
   * Undoes one addition of a hash. One that was never added must not be removed: when it hits by
   * chance, another hash with its fingerprint is missed from then on.
   */
  @Override
  public Removal remove(long hash) {
    long fingerprint = table.fingerprint(hash);
    int near = table.bucket(hash);
    int far = table.other(near, fingerprint);
    if (!table.take(near, fingerprint) && !table.take(far, fingerprint)) {
      return Removal.ABSENT;
    }
    covered -= probe(hash) != 0 ? 0 : covers(near, far);
    entries--;
    return Removal.REMOVED;
  }

  private static long covers(int near, int far) {
    return near == far ? 1 : 2;
  }

  private double pairs() {
    return (double) table.buckets() * CuckooTable.fingerprints(table.width());
  }

  @Override
  public double expectedRate() {
    return covered / pairs();
  }

  @Override
  public FilterShape shape() {
    return new FilterShape(
        FilterKind.CUCKOO,
        entries,
        capacity,
        table.slots() * table.width(),
        BUCKETS_OF_A_HASH,
        askedRate,
        expectedRate(),
        entries / (double) table.slots());
  }

  CuckooTable table() {
    return table;
  }

  long covered() {
    return covered;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, table.words());
    return List.of((long) table.buckets(), (long) table.width(), covered);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static CuckooFilter read(PagedFile file, boolean mapped) throws IOException {
    FileHeader header = file.header();
    long buckets = header.measure(MEASURE_BUCKETS);
    long width = header.measure(MEASURE_WIDTH);
    long covered = header.measure(MEASURE_COVERED);
    FilterFile.check(
        file,
        header.measures().size() == MEASURES
            && buckets > 0
            && buckets <= Integer.MAX_VALUE
            && buckets % 2 == 1
            && width >= CuckooTable.MIN_WIDTH
            && width <= CuckooTable.MAX_WIDTH
            && CuckooTable.words(buckets, (int) width) <= CuckooTable.MAX_WORDS
            && file.body().byteSize() == CuckooTable.words(buckets, (int) width) * Long.BYTES
            && header.capacity() <= buckets * CuckooTable.SLOTS
            && header.askedRate() > 0
            && header.askedRate() < 1
            // A fingerprint covers one pair or two, and its pairs have room for four copies each.
            && covered <= 2 * header.entries()
            && covered >= header.entries() / CuckooTable.SLOTS);
    CuckooTable table = new CuckooTable((int) buckets, (int) width, WordBody.body(file, mapped));
    FilterFile.check(file, table.countTaken() == header.entries());
    return new CuckooFilter(
        table, header.capacity(), header.askedRate(), header.entries(), covered);
  }
}

package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.name.Subject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Collects names, mail addresses, web addresses and fingerprints and writes a {@link NameIndex}.
 * Filled by the snapshot builder, feed after feed, on one thread. Memory does not grow with the
 * entries, but for 1 octet a name of the directory; the entries wait in a temporary file. What
 * grows is what comes of them: the filters, 2 to 4 octets a name, of the new generation and of the
 * live one.
 */
public final class NameIndexBuilder implements Closeable {

  private static final int NAME_OCTETS = 8;

  private final EntryTally tally;
  private final long maxEntries;
  private final Keying keying;
  private final KeyHash hash;
  private final NameSpool spool;
  private long entries;

  private NameIndexBuilder(EntryTally tally, long maxEntries, Keying keying, NameSpool spool) {
    this.tally = tally;
    this.maxEntries = maxEntries;
    this.keying = keying;
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.spool = spool;
  }

  /**
   * An empty builder that counts into {@code tally}.
   *
   * @param maxOctets heap that the entries may take
   * @param temporary path of the temporary file, which must not exist
   */
  public static NameIndexBuilder create(
      EntryTally tally, long maxOctets, Keying keying, Path temporary) throws IOException {
    return new NameIndexBuilder(
        tally, maxOctets / NAME_OCTETS, keying, NameSpool.create(temporary));
  }

  /**
   * Adds an entry that is no network.
   *
   * @param feed number of the feed, never lower than that of an earlier entry
   * @throws IOException when the temporary file cannot be written, or as {@link
   *     TooManyEntriesException} when there is no room for it
   */
  public void add(int feed, ListEntry entry) throws IOException {
    Subject subject = entry.subject();
    byte[] key = NameRecord.key(subject);
    int kind = NameRecord.kind(subject);
    int mode =
        (entry instanceof ListEntry.Domain domain
                ? NameRecord.mode(domain.match())
                : NameRecord.WHOLE)
            | (entry.exception() ? NameRecord.EXCEPTION : 0);
    if (feed >= Words.MAX_FEEDS || key.length > NameRecord.MAX_KEY_OCTETS) {
      throw new IllegalArgumentException("feed number or key out of bounds");
    }
    if (!spool.add(hash.subject(subject), entry.line(), feed, mode, kind, key)) {
      tally.add(feed, EntryTally.Kind.DUPLICATE);
      return;
    }
    if (entries == maxEntries) {
      throw new TooManyEntriesException(entries);
    }
    entries++;
  }

  /**
   * Writes the index.
   *
   * @return digest of the file
   * @throws IOException when it cannot be written
   */
  public String write(Path target) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      Directory directory = new Directory(entries);
      NameRecord.Writer records = new NameRecord.Writer(out, directory, tally);
      for (int i = 0; i < NameSpool.PARTITIONS; i++) {
        records.writePartition(spool.take(i));
      }
      long at = out.position();
      directory.write(out, at);
      return out.commit(
          new FileHeader(
              FileKind.NAME_INDEX,
              keying,
              records.keys(),
              records.keys(),
              0,
              0,
              List.of(
                  at,
                  (long) directory.bits(),
                  records.listed(NameRecord.KIND_DOMAIN),
                  records.longestBucket(),
                  records.listed(NameRecord.KIND_ADDRESS),
                  records.listed(NameRecord.KIND_URL),
                  records.listed(NameRecord.KIND_FINGERPRINT))));
    }
  }

  /** Removes the temporary file. */
  @Override
  public void close() throws IOException {
    spool.close();
  }

  /**
   * Knows while a name index is written where the records of each value of the first hash bits
   * begin. The hash is seeded with a fresh secret for every build, so buckets stay short whatever
   * names a feed holds. One thread.
   */
  static final class Directory {

    /** Offsets in records are numbers of 4 octets, so that u32 reaches 16 GiB. */
    static final int UNIT_OCTETS = 4;

    /**
     * A bound that gives one to two keys a bucket: every key before the wanted one may be a far
     * read.
     */
    private static final int KEYS_PER_BUCKET_BITS = 1;

    private static final int MAX_BITS = 28;

    private final int bits;
    private final int[] starts;
    private int next;

    /** A directory for about that many keys. */
    Directory(long keys) {
      this.bits = Math.clamp(Words.bitsFor(keys) - KEYS_PER_BUCKET_BITS, 0, MAX_BITS);
      this.starts = new int[1 << bits];
    }

    int bits() {
      return bits;
    }

    /** The bucket of a hash. */
    static long bucket(long hash, int bits) {
      return bits == 0 ? 0 : hash >>> (Long.SIZE - bits);
    }

    /**
     * Notes the record at {@code offset}; hashes come in ascending order.
     *
     * @return true when it is the first of its bucket
     * @throws IOException when the file has grown beyond what offsets can name
     */
    boolean note(long hash, long offset) throws IOException {
      long unit = offset / UNIT_OCTETS;
      if (unit > 0xffff_ffffL) {
        throw new IOException("the names of all feeds together exceed 16 GiB");
      }
      boolean first = next <= bucket(hash, bits);
      while (next <= bucket(hash, bits)) {
        starts[next++] = (int) unit;
      }
      return first;
    }

    /** Writes the directory; buckets behind the last record are empty. */
    void write(PagedFileWriter out, long end) throws IOException {
      for (int i = 0; i < starts.length; i++) {
        out.putInt(i < next ? starts[i] : (int) (end / UNIT_OCTETS));
      }
      out.putInt((int) (end / UNIT_OCTETS));
    }
  }
}

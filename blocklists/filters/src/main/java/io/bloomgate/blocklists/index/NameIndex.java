package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongConsumer;

/**
 * Every listed name, mail address, web address and fingerprint, in a mapped file: records sorted by
 * a seeded 64-bit hash, and a directory over the first bits of the hash, one or two keys a slot. A
 * lookup reads one slot and walks its few records; there are no chains, and who does not know the
 * seed cannot make two names meet. Read by sessions on any thread, after a filter hit; immutable.
 */
public final class NameIndex {

  private static final long NOT_FOUND = -1;

  private final PagedFile file;
  private final MemorySegment body;
  private final List<String> feeds;
  private final KeyHash hash;
  private final long directory;
  private final int directoryBits;

  private NameIndex(PagedFile file, List<String> feeds) {
    Keying keying = file.header().keying();
    this.file = file;
    this.body = file.body();
    this.feeds = List.copyOf(feeds);
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.directory = file.header().measure(0);
    this.directoryBits = (int) file.header().measure(1);
  }

  /**
   * Opens an index. The header is proven; the rest by {@link #verify}.
   *
   * @param feeds names by number
   * @throws DamagedFileException when it is not what was written
   */
  public static NameIndex open(Path path, List<String> feeds) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.NAME_INDEX);
    if (file.header().keying().hashVersion() != KeyHash.VERSION) {
      throw new DamagedFileException(path, "was made with a key hash this release does not have");
    }
    return new NameIndex(file, feeds);
  }

  /** The file, for its digest and keying. */
  public PagedFile file() {
    return file;
  }

  /**
   * Proves the whole file.
   *
   * @throws DamagedFileException when a page is not what was written
   */
  public void verify() throws DamagedFileException {
    file.verify();
  }

  /** A kind of keys: its number in records, and the measure of the file that counts them. */
  public enum Keys {
    DOMAIN(NameRecord.KIND_DOMAIN, 2),
    ADDRESS(NameRecord.KIND_ADDRESS, 4),
    URL(NameRecord.KIND_URL, 5),
    FINGERPRINT(NameRecord.KIND_FINGERPRINT, 6);

    private final int kind;
    private final int measure;

    Keys(int kind, int measure) {
      this.kind = kind;
      this.measure = measure;
    }
  }

  /** Distinct keys of a kind that are listed by more than an exception. */
  public long listed(Keys kind) {
    return file.header().measure(kind.measure);
  }

  /** All entries that cover a name: its own, then its parents', down to two labels. */
  public Coverage covering(DomainName name) {
    int parents = name.labels() - 1;
    long[] hashes = new long[parents];
    long[] starts = new long[parents];
    long[] firsts = new long[parents];
    int[] froms = new int[parents];
    for (int label = 0, from = 0; label < parents; label++, from = name.nextLabel(from)) {
      froms[label] = from;
      hashes[label] = hash.suffix(name, from);
      // Read for all before the first is walked, so that the reads do not wait for one another.
      starts[label] = bucketStart(hashes[label], 0);
    }
    for (int label = 0; label < parents; label++) {
      firsts[label] = NameRecord.hash(body, starts[label]);
    }
    Coverage.Collector found = new Coverage.Collector(feeds);
    for (int label = 0; label < parents; label++) {
      // Records are sorted: behind a higher hash, also that of the next bucket, there is none.
      if (Long.compareUnsigned(firsts[label], hashes[label]) > 0) {
        continue;
      }
      long at = find(hashes[label], starts[label], name, froms[label]);
      if (at == NOT_FOUND) {
        continue;
      }
      DomainName listed = name.from(label);
      for (int i = 0; i < NameRecord.postings(body, at); i++) {
        long posting = NameRecord.posting(body, at, i);
        NameMatch match = NameRecord.match(body, posting);
        ListEntry entry =
            new ListEntry.Domain(
                listed, match, NameRecord.exception(body, posting), NameRecord.line(body, posting));
        if (match.covers(label == 0)) {
          found.found(NameRecord.feed(body, posting), entry);
        } else {
          found.foundBeside(NameRecord.feed(body, posting), entry);
        }
      }
    }
    return found.done();
  }

  /** All entries that are an expression of a web address, the longest first. */
  public Coverage covering(WebUrl url) {
    Coverage.Collector found = new Coverage.Collector(feeds);
    url.forEachExpression((from, to) -> {
      long keyHash = hash.url(url.octets(), from, to);
      byte[] key = Arrays.copyOfRange(url.octets(), from, to);
      collect(find(keyHash, NameRecord.KIND_URL, key), found);
    });
    return found.done();
  }

  /** All entries of a mail address. */
  public Coverage covering(MailAddress address) {
    return whole(address);
  }

  /** All entries of a fingerprint. */
  public Coverage covering(Fingerprint print) {
    return whole(print);
  }

  /** All entries of an AS number. */
  public Coverage covering(AsNumber number) {
    return whole(number);
  }

  private Coverage whole(Subject whole) {
    Coverage.Collector found = new Coverage.Collector(feeds);
    collect(find(whole), found);
    return found.done();
  }

  private void collect(long at, Coverage.Collector found) {
    for (int i = 0; at != NOT_FOUND && i < NameRecord.postings(body, at); i++) {
      long posting = NameRecord.posting(body, at, i);
      found.found(NameRecord.feed(body, posting), NameRecord.entry(body, at, posting));
    }
  }

  /** The line of an entry of a feed, if the feed has that very entry with the same sign. */
  public OptionalInt line(int feed, ListEntry entry) {
    boolean exception = entry.exception();
    return switch (entry) {
      case ListEntry.Network _, ListEntry.AsnRow _ -> OptionalInt.empty();
      case ListEntry.Domain domain -> {
        long keyHash = hash.domain(domain.name(), 0);
        long at = find(keyHash, bucketStart(keyHash, 0), domain.name(), 0);
        yield line(at, feed, NameRecord.mode(domain.match()), exception);
      }
      case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _, ListEntry.As _ ->
          line(find(entry.subject()), feed, NameRecord.WHOLE, exception);
    };
  }

  /**
   * A first look for many entries: false when the bucket of one of them is empty. No read waits for
   * another, and a later look-up finds the buckets in the cache. Networks are skipped.
   */
  public boolean mayHold(List<? extends ListEntry> entries) {
    long[] hashes = new long[entries.size()];
    long[] starts = new long[entries.size()];
    int names = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.get(i).subject() instanceof IpPrefix)) {
        hashes[names++] = hash.subject(entries.get(i).subject());
      }
    }
    for (int i = 0; i < names; i++) {
      starts[i] = bucketStart(hashes[i], 0);
    }
    boolean all = true;
    for (int i = 0; i < names; i++) {
      all &=
          starts[i] < directory
              && NameIndexBuilder.Directory.bucket(NameRecord.hash(body, starts[i]), directoryBits)
                  == NameIndexBuilder.Directory.bucket(hashes[i], directoryBits);
    }
    return all;
  }

  private OptionalInt line(long at, int feed, int mode, boolean exception) {
    for (int i = 0; at != NOT_FOUND && i < NameRecord.postings(body, at); i++) {
      long posting = NameRecord.posting(body, at, i);
      if (NameRecord.feed(body, posting) == feed
          && NameRecord.mode(body, posting) == mode
          && NameRecord.exception(body, posting) == exception) {
        return OptionalInt.of(NameRecord.line(body, posting));
      }
    }
    return OptionalInt.empty();
  }

  /** The record of a name's parent that begins at an octet. */
  private long find(long keyHash, long start, DomainName name, int from) {
    long end = bucketStart(keyHash, 1);
    for (long at = start; at < end; at = NameRecord.next(body, at)) {
      if (NameRecord.hash(body, at) == keyHash && NameRecord.isName(body, at, name, from)) {
        return at;
      }
    }
    return NOT_FOUND;
  }

  private long find(Subject subject) {
    return find(hash.subject(subject), NameRecord.kind(subject), NameRecord.key(subject));
  }

  /** The record of a key that is no name. */
  private long find(long keyHash, int kind, byte[] key) {
    long end = bucketStart(keyHash, 1);
    for (long at = bucketStart(keyHash, 0); at < end; at = NameRecord.next(body, at)) {
      if (NameRecord.hash(body, at) == keyHash && NameRecord.isWhole(body, at, kind, key)) {
        return at;
      }
    }
    return NOT_FOUND;
  }

  /** Offset of the first record of the bucket that lies {@code further} behind the hash's own. */
  private long bucketStart(long keyHash, int further) {
    long slot = NameIndexBuilder.Directory.bucket(keyHash, directoryBits) + further;
    int unit = body.get(Words.U32, directory + slot * Integer.BYTES);
    return Integer.toUnsignedLong(unit) * NameIndexBuilder.Directory.UNIT_OCTETS;
  }

  /** Hands over every entry of every feed; takes time by how many there are. */
  public void forEachEntry(EntryVisitor visitor) {
    for (long at = 0; at < directory; at = NameRecord.next(body, at)) {
      for (int i = 0; i < NameRecord.postings(body, at); i++) {
        long posting = NameRecord.posting(body, at, i);
        int feed = NameRecord.feed(body, posting);
        if (visitor.wants(feed, NameRecord.exception(body, posting))) {
          visitor.entry(feed, NameRecord.entry(body, at, posting));
        }
      }
    }
  }

  /** Tells the hash of every listed key of a kind, each once: what the filter must hold. */
  public void forEachListed(Keys kind, LongConsumer hashes) {
    forEachListed(kind.kind, hashes);
  }

  private void forEachListed(int kind, LongConsumer hashes) {
    for (long at = 0; at < directory; at = NameRecord.next(body, at)) {
      boolean listed = false;
      if (NameRecord.kind(body, at) == kind) {
        for (int i = 0; i < NameRecord.postings(body, at) && !listed; i++) {
          listed = !NameRecord.exception(body, NameRecord.posting(body, at, i));
        }
      }
      if (listed) {
        hashes.accept(NameRecord.hash(body, at));
      }
    }
  }
}

package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.KeyHash;
import io.bloomgate.blocklists.key.ListEntry;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A set of entries as {@link EntryNumbers} in order, eight octets each, as {@link FeedDigest}
 * counts them: in memory, or mapped from the file that {@link #write} made. Made by {@link
 * FeedDigest#newSince} when a version is judged; asked by the breaker on any thread. Immutable.
 *
 * @param ipv4 networks as spans, see {@link SpanSet}
 * @param ipv6 hashes of networks
 * @param domains hashes of names with their match mode
 * @param addresses hashes of mailboxes
 */
public record EntryKeys(
    LongBuffer ipv4, LongBuffer ipv6, LongBuffer domains, LongBuffer addresses) {

  /** No entries. */
  public static final EntryKeys NONE = of(new long[0], new long[0], new long[0], new long[0]);

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0, EntryNumbers.VERSION);

  static EntryKeys of(long[] ipv4, long[] ipv6, long[] domains, long[] addresses) {
    return new EntryKeys(
        LongBuffer.wrap(ipv4),
        LongBuffer.wrap(ipv6),
        LongBuffer.wrap(domains),
        LongBuffer.wrap(addresses));
  }

  /** Number of entries. */
  public long size() {
    return parts().stream().mapToLong(LongBuffer::limit).sum();
  }

  /**
   * True when the entry is in the set; its sign does not count.
   *
   * @throws InternalError when a mapped page cannot be read
   */
  public boolean contains(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          find(prefix.isV4() ? ipv4 : ipv6, EntryNumbers.of(prefix.network(), prefix.last()));
      case ListEntry.Domain domain -> find(domains, EntryNumbers.of(domain.name(), domain.match()));
      case ListEntry.Address address -> find(addresses, EntryNumbers.of(address.address()));
    };
  }

  private static boolean find(LongBuffer sorted, long key) {
    int low = 0;
    int high = sorted.limit() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = sorted.get(middle);
      if (found == key) {
        return true;
      }
      if (found < key) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /** True when the two have an entry in common. */
  public boolean intersects(EntryKeys other) {
    List<LongBuffer> theirs = other.parts();
    int i = 0;
    for (LongBuffer mine : parts()) {
      if (intersect(mine, theirs.get(i++))) {
        return true;
      }
    }
    return false;
  }

  private static boolean intersect(LongBuffer a, LongBuffer b) {
    int i = 0;
    int j = 0;
    while (i < a.limit() && j < b.limit()) {
      int order = Long.compare(a.get(i), b.get(j));
      if (order == 0) {
        return true;
      }
      i += order < 0 ? 1 : 0;
      j += order > 0 ? 1 : 0;
    }
    return false;
  }

  private List<LongBuffer> parts() {
    return List.of(ipv4, ipv6, domains, addresses);
  }

  /**
   * Writes the set to a file of its own.
   *
   * @throws IOException when it cannot be written; nothing is left then
   */
  public void write(Path file) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      List<Long> sizes = new ArrayList<>();
      for (LongBuffer part : parts()) {
        for (int i = 0; i < part.limit(); i++) {
          out.putLong(part.get(i));
        }
        sizes.add((long) part.limit());
      }
      out.commit(new FileHeader(FileKind.NEW_ENTRIES, KEYING, size(), size(), 0, 0, sizes));
    }
  }

  /**
   * Maps a file that {@link #write} made.
   *
   * @throws DamagedFileException when it is not what was written, or by a release whose numbers
   *     mean something else
   */
  public static EntryKeys open(Path path) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.NEW_ENTRIES);
    file.verify();
    if (!file.header().keying().equals(KEYING)) {
      throw new DamagedFileException(path, "was made by another release");
    }
    LongBuffer all = file.body().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    List<LongBuffer> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < 4; i++) {
      int size = Math.clamp(file.header().measure(i), 0, all.limit() - from);
      parts.add(all.slice(from, size));
      from += size;
    }
    return new EntryKeys(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
  }
}

package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A set of entries as {@link EntryNumbers} in order, eight octets each, as {@link FeedDigest}
 * counts them: in memory, or mapped from the file that {@link #write} made. Made when a version is
 * judged, for its new entries, and for those of them that are held back because they list good
 * senders. Immutable.
 */
public final class EntryKeys {

  /** The number of sorted parts of a set. */
  private static final int PARTS = 6;

  /** No entries. */
  public static final EntryKeys NONE = ofNetworks(List.of());

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0, EntryNumbers.VERSION);

  /**
   * Networks of IPv4 as spans (see {@link SpanSet}), then hashes: of networks of IPv6, of names
   * with their match mode, of mailboxes, of web addresses, of SHA-256 values.
   */
  private final List<LongBuffer> parts;

  private EntryKeys(List<LongBuffer> parts) {
    this.parts = List.copyOf(parts);
  }

  /** The six parts in their order. */
  static EntryKeys of(long[]... parts) {
    return new EntryKeys(Arrays.stream(parts).map(LongBuffer::wrap).toList());
  }

  /** The parts of these sizes that follow each other in {@code all}. */
  private static EntryKeys of(LongBuffer all, List<Integer> sizes) {
    List<LongBuffer> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < PARTS; i++) {
      int size = Math.clamp(sizes.get(i), 0, all.limit() - from);
      parts.add(all.slice(from, size));
      from += size;
    }
    return new EntryKeys(parts);
  }

  /** Makes a set of these networks alone. */
  public static EntryKeys ofNetworks(Collection<IpPrefix> networks) {
    long[] none = {};
    return of(numbers(networks, true), numbers(networks, false), none, none, none, none);
  }

  private static long[] numbers(Collection<IpPrefix> networks, boolean isV4) {
    return networks.stream()
        .filter(network -> network.isV4() == isV4)
        .mapToLong(network -> EntryNumbers.of(network.network(), network.last()))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Number of entries. */
  public long size() {
    return parts.stream().mapToLong(LongBuffer::limit).sum();
  }

  /** True when the other set has the same entries. */
  public boolean hasSame(EntryKeys other) {
    return parts.equals(other.parts);
  }

  /**
   * True when the entry is in the set; its sign does not count.
   *
   * @throws InternalError when a mapped page cannot be read
   */
  public boolean contains(ListEntry entry) {
    int part =
        switch (entry) {
          case ListEntry.Network network -> network.prefix().isV4() ? 0 : 1;
          case ListEntry.Domain _ -> 2;
          case ListEntry.Address _ -> 3;
          case ListEntry.Url _ -> 4;
          case ListEntry.Hash _ -> 5;
        };
    return find(parts.get(part), EntryNumbers.of(entry));
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

  /**
   * Writes the set to a file.
   *
   * @throws IOException when it cannot be written; nothing is left then
   */
  public void write(Path file) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      List<Long> sizes = new ArrayList<>();
      for (LongBuffer part : parts) {
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
   * @throws DamagedFileException when it is not what was written, or when another release made it,
   *     whose numbers have another meaning
   */
  public static EntryKeys open(Path path) throws IOException {
    PagedFile file = PagedFile.open(path, FileKind.NEW_ENTRIES);
    file.verify();
    if (!file.header().keying().equals(KEYING)) {
      throw new DamagedFileException(path, "was made by another release");
    }
    LongBuffer all = file.body().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      sizes.add(Math.clamp(file.header().measure(i), 0, all.limit()));
    }
    return of(all, sizes);
  }
}

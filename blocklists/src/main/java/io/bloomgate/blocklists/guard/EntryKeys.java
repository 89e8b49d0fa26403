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

  /** How many sorted parts a set has. */
  static final int PARTS = 6;

  /** No entries. */
  public static final EntryKeys NONE = ofNetworks(List.of());

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0, EntryNumbers.VERSION);

  /**
   * Networks of IPv4 as spans (see {@link SpanSet}), then hashes: of networks of IPv6, of names
   * with their match mode, of mailboxes, of web addresses, of SHA-256 values.
   */
  private final List<LongBuffer> parts;

  /** How many keys are in the parts before each, and last in all. */
  private final int[] offsets = new int[PARTS + 1];

  private EntryKeys(List<LongBuffer> parts) {
    this.parts = List.copyOf(parts);
    for (int i = 0; i < PARTS; i++) {
      offsets[i + 1] = offsets[i] + parts.get(i).limit();
    }
  }

  /** The six parts in their order. */
  static EntryKeys of(long[]... parts) {
    return new EntryKeys(Arrays.stream(parts).map(LongBuffer::wrap).toList());
  }

  /** The parts of these sizes that follow each other in {@code all}. */
  static EntryKeys of(LongBuffer all, List<Integer> sizes) {
    List<LongBuffer> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < PARTS; i++) {
      int size = Math.clamp(sizes.get(i), 0, all.limit() - from);
      parts.add(all.slice(from, size));
      from += size;
    }
    return new EntryKeys(parts);
  }

  /** These networks alone. */
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
    return offsets[PARTS];
  }

  /**
   * True when the entry is in the set; its sign does not count.
   *
   * @throws InternalError when a mapped page cannot be read
   */
  public boolean contains(ListEntry entry) {
    return position(entry) >= 0;
  }

  /**
   * The position of an entry among all keys, part after part; negative when it is not in the set.
   *
   * @throws InternalError when a mapped page cannot be read
   */
  int position(ListEntry entry) {
    int part =
        switch (entry) {
          case ListEntry.Network network -> network.prefix().isV4() ? 0 : 1;
          case ListEntry.Domain _ -> 2;
          case ListEntry.Address _ -> 3;
          case ListEntry.Url _ -> 4;
          case ListEntry.Hash _ -> 5;
        };
    int at = find(part(part), EntryNumbers.of(entry));
    return at < 0 ? at : offset(part) + at;
  }

  /** A part by its number, from 0 on. */
  LongBuffer part(int number) {
    return parts.get(number);
  }

  /** How many keys are in the parts before. */
  int offset(int part) {
    return offsets[part];
  }

  private static int find(LongBuffer sorted, long key) {
    int low = 0;
    int high = sorted.limit() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = sorted.get(middle);
      if (found == key) {
        return middle;
      }
      if (found < key) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
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

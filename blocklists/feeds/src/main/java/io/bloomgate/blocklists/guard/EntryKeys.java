package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A set of entries as {@link EntryNumbers} in order: those of a version that are held back because
 * they list good senders. Immutable.
 */
public final class EntryKeys {

  /** No entries. */
  public static final EntryKeys NONE = of(List.of());

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0, EntryNumbers.VERSION);

  private final long[] numbers;

  private EntryKeys(long[] numbers) {
    this.numbers = numbers;
  }

  /** Makes a set of these entries. */
  public static EntryKeys of(Collection<? extends ListEntry> entries) {
    return new EntryKeys(
        entries.stream().mapToLong(EntryNumbers::of).sorted().distinct().toArray());
  }

  /** Number of entries. */
  public long size() {
    return numbers.length;
  }

  /** True when the other set has the same entries. */
  public boolean hasSame(EntryKeys other) {
    return Arrays.equals(numbers, other.numbers);
  }

  /** True when the entry is in the set; its sign does not count. */
  public boolean contains(ListEntry entry) {
    return Arrays.binarySearch(numbers, EntryNumbers.of(entry)) >= 0;
  }

  /**
   * Writes the set to a file.
   *
   * @throws IOException when it cannot be written; nothing is left then
   */
  public void write(Path file) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      for (long number : numbers) {
        out.putLong(number);
      }
      out.commit(
          new FileHeader(FileKind.NEW_ENTRIES, KEYING, size(), size(), 0, 0, List.of(size())));
    }
  }

  /**
   * Reads a file that {@link #write} made.
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
    long[] numbers = new long[Math.clamp(file.header().measure(0), 0, all.limit())];
    all.get(numbers);
    return new EntryKeys(numbers);
  }
}

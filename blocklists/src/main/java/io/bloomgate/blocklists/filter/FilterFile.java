package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/**
 * A filter on disk: a paged file whose body is the filter's words, little-endian. Written by builds
 * and commands; read whole, with every page proven, into the heap, since a mapping costs a lookup
 * twice its time. The kind comes from the header. Immutable.
 *
 * @param filter ready to be asked
 * @param keying how keys become hashes
 * @param digest of the file
 */
public record FilterFile(MembershipFilter filter, Keying keying, String digest) {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Position of the number of set bits among the header's measures. */
  private static final int MEASURE_SET_BITS = 0;

  private static final int MEASURE_HASHES = 1;

  /**
   * Writes a filter, mode 0600, whole or not at all.
   *
   * @return the digest of the file
   */
  public static String write(Path target, MembershipFilter filter, Keying keying)
      throws IOException {
    return switch (filter) {
      case SplitBlockFilter splitBlock -> write(target, splitBlock, keying);
    };
  }

  private static String write(Path target, SplitBlockFilter filter, Keying keying)
      throws IOException {
    FilterShape shape = filter.shape();
    long setBits = 0;
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      for (int i = 0; i < filter.words(); i++) {
        setBits += Long.bitCount(filter.word(i));
        out.putLong(filter.word(i));
      }
      return out.commit(
          new FileHeader(
              shape.kind().file(),
              keying,
              shape.entries(),
              shape.capacity(),
              shape.askedRate(),
              shape.expectedRate(),
              List.of(setBits, (long) shape.hashes())));
    }
  }

  /**
   * Reads a filter and proves every octet of it.
   *
   * @throws DamagedFileException when it is not what was written, or no filter
   * @throws IOException when it cannot be read
   */
  public static FilterFile read(Path path) throws IOException {
    PagedFile file = PagedFile.open(path);
    FilterKind kind =
        FilterKind.ofFile(file.header().kind())
            .orElseThrow(() ->
                new DamagedFileException(
                    path, "is a " + file.header().kind().title() + ", not a filter"));
    MembershipFilter filter =
        switch (kind) {
          case SPLIT_BLOCK -> readSplitBlock(file);
        };
    return new FilterFile(filter, file.header().keying(), file.digest());
  }

  private static SplitBlockFilter readSplitBlock(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    if (octets == 0
        || octets % SplitBlockFilter.LINE_OCTETS != 0
        || octets / SplitBlockFilter.LINE_OCTETS > SplitBlockFilter.MAX_LINES
        || header.measure(MEASURE_HASHES) != SplitBlockFilter.LANES) {
      throw new DamagedFileException(file.path(), "has a shape that no split-block filter has");
    }
    long[] words = new long[(int) (octets / Long.BYTES)];
    int at = 0;
    for (int i = 0; i < file.pages(); i++) {
      MemorySegment page = file.verifiedPage(i);
      int count = (int) (page.byteSize() / Long.BYTES);
      MemorySegment.copy(page, WORD, 0, words, at, count);
      at += count;
    }
    double fill = header.measure(MEASURE_SET_BITS) / (octets * 8.0);
    return new SplitBlockFilter(
        words,
        new FilterShape(
            FilterKind.SPLIT_BLOCK,
            header.entries(),
            header.capacity(),
            octets * 8,
            SplitBlockFilter.LANES,
            header.askedRate(),
            header.expectedRate(),
            fill));
  }
}

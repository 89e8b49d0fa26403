package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A split-block filter that stays in its file: a question reads and proves one page. For filters
 * that are asked rarely; mail is asked of {@link SplitBlockFilter}s in memory. Any thread.
 */
public final class MappedSplitBlock {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final PagedFile file;
  private final long span;

  private MappedSplitBlock(PagedFile file, long span) {
    this.file = file;
    this.span = span;
  }

  /**
   * The filter of a file whose header is proven.
   *
   * @throws DamagedFileException when the file holds no such filter
   */
  public static MappedSplitBlock of(PagedFile file) throws DamagedFileException {
    if (FilterKind.ofFile(file.header().kind()).orElse(null) != FilterKind.SPLIT_BLOCK) {
      throw new DamagedFileException(file.path(), "is no split-block filter");
    }
    return new MappedSplitBlock(file, SplitBlockFilter.span(file));
  }

  /**
   * False when the hash was certainly not put in.
   *
   * @throws DamagedFileException when the page of its line is damaged
   */
  public boolean mightContain(long hash) throws DamagedFileException {
    long at = (long) SplitBlockFilter.firstWord(hash, span) * Long.BYTES;
    MemorySegment page = file.verifiedPage((int) (at / FileHeader.PAGE_OCTETS));
    long[] line = new long[SplitBlockFilter.LANES];
    SplitBlockFilterBuilder.set(line, 0, hash);
    boolean found = true;
    for (int lane = 0; lane < line.length; lane++) {
      long word = page.get(WORD, at % FileHeader.PAGE_OCTETS + (long) lane * Long.BYTES);
      found &= (word & line[lane]) != 0;
    }
    return found;
  }
}

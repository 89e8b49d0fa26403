package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Words of 64 bits as bodies of files, little-endian. Used by the kinds of filter. */
public final class WordBody {

  /** A word in the heap or in a mapped file. */
  public static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private WordBody() {}

  /** Appends words, wherever they are. */
  public static void write(PagedFileWriter out, MemorySegment words) throws IOException {
    for (long at = 0; at < words.byteSize(); at += Long.BYTES) {
      out.putLong(words.get(WORD, at));
    }
  }

  /** The number of bits that are set. */
  public static long setBits(MemorySegment words) {
    long set = 0;
    for (long at = 0; at < words.byteSize(); at += Long.BYTES) {
      set += Long.bitCount(words.get(WORD, at));
    }
    return set;
  }

  /**
   * The whole body, every page proven: where it is mapped, or copied into the heap.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException at the first damaged page
   */
  public static MemorySegment body(PagedFile file, boolean mapped) throws IOException {
    if (mapped) {
      file.verify();
      return file.body();
    }
    return MemorySegment.ofArray(words(file));
  }

  /**
   * The whole body as words, every page proven.
   *
   * @throws io.bloomgate.blocklists.file.DamagedFileException at the first damaged page
   */
  public static long[] words(PagedFile file) throws IOException {
    return words(file, 0);
  }

  /** The same, after a number of words that stay empty. */
  public static long[] words(PagedFile file, int front) throws IOException {
    FilterFile.check(file, file.body().byteSize() % Long.BYTES == 0);
    long[] words = new long[front + Math.toIntExact(file.body().byteSize() / Long.BYTES)];
    int at = front;
    for (int i = 0; i < file.pages(); i++) {
      MemorySegment page = file.verifiedPage(i);
      int count = (int) (page.byteSize() / Long.BYTES);
      MemorySegment.copy(page, WORD, 0, words, at, count);
      at += count;
    }
    return words;
  }
}

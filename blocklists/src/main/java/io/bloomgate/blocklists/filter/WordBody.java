package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Arrays of words as bodies of files, little-endian. Used by the codecs. */
public final class WordBody {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private WordBody() {}

  /** Appends words. */
  public static void write(PagedFileWriter out, long[] words) throws IOException {
    for (long word : words) {
      out.putLong(word);
    }
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

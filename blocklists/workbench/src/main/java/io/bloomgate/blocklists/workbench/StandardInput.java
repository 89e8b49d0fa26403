package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The list that comes by standard input: kept in a temporary file, because its format is found
 * before it is read. Used by {@link FilterBuild} on its thread; the file is gone after {@link
 * #close}.
 *
 * @param path where it is kept
 */
record StandardInput(Path path) implements Closeable {

  /** The name in messages and reports. */
  static final String NAME = "standard input";

  /** The most that a list may have. */
  private static final long MOST_OCTETS = Integer.MAX_VALUE;

  private static final int BUFFER_OCTETS = 1 << 16;

  /** True for the word that stands for standard input. */
  static boolean isMeant(Path file) {
    return file.equals(Path.of("-"));
  }

  /**
   * Reads to the end.
   *
   * @param target beside which the temporary file is
   * @throws OfflineException when there is too much
   * @throws IOException when the temporary file cannot be written
   */
  static StandardInput read(InputStream in, Path target) throws OfflineException, IOException {
    StandardInput kept = new StandardInput(FilterTarget.beside(target));
    try (OutputStream out = Files.newOutputStream(kept.path)) {
      long left = MOST_OCTETS;
      byte[] octets = next(in);
      for (; octets.length > 0 && octets.length <= left; octets = next(in)) {
        out.write(octets);
        left -= octets.length;
      }
      if (octets.length == 0) {
        return kept;
      }
    } catch (OfflineException | IOException e) {
      kept.close();
      throw e;
    }
    kept.close();
    throw new OfflineException(
        Kind.USAGE, NAME + " has more than 2 GiB", "give it in parts, as files");
  }

  private static byte[] next(InputStream in) throws OfflineException {
    try {
      return in.readNBytes(BUFFER_OCTETS);
    } catch (IOException e) {
      throw new OfflineException(Kind.FAILED, NAME + " cannot be read to its end", "", e);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}

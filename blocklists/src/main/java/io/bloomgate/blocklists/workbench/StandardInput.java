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
 */
final class StandardInput implements Closeable {

  /** The name in messages and reports. */
  static final String NAME = "standard input";

  /** The most that a list may have. */
  private static final long MOST_OCTETS = Integer.MAX_VALUE;

  private static final Path WORD = Path.of("-");
  private static final String MODE = "rw-------";
  private static final int BUFFER_OCTETS = 1 << 16;

  private final FileBeside file;

  private StandardInput(FileBeside file) {
    this.file = file;
  }

  /** True for the word that stands for standard input. */
  static boolean isMeant(Path file) {
    return file.equals(WORD);
  }

  /**
   * Reads to the end.
   *
   * @param target beside which the temporary file is
   * @throws OfflineException when there is too much
   * @throws IOException when the temporary file cannot be written
   */
  static StandardInput read(InputStream in, Path target) throws OfflineException, IOException {
    FileBeside file = FileBeside.of(target, MODE);
    try (OutputStream out = Files.newOutputStream(file.path())) {
      byte[] buffer = new byte[BUFFER_OCTETS];
      long sum = 0;
      for (int count = next(in, buffer); count >= 0; count = next(in, buffer)) {
        sum += count;
        if (sum > MOST_OCTETS) {
          throw new OfflineException(
              Kind.USAGE, NAME + " has more than 2 GiB", "give it in parts, as files");
        }
        out.write(buffer, 0, count);
      }
      return new StandardInput(file);
    } catch (OfflineException | IOException e) {
      file.close();
      throw e;
    }
  }

  private static int next(InputStream in, byte[] buffer) throws OfflineException {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      throw new OfflineException(Kind.FAILED, NAME + " cannot be read to its end", "", e);
    }
  }

  /** The path where it is kept. */
  Path path() {
    return file.path();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

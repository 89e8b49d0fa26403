package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/**
 * A file is not what was written: cut, changed, of another kind or of a version that cannot be
 * read. The message says which file and what is wrong, fit for the operator.
 */
public final class DamagedFileException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Damage of a file.
   *
   * @param predicate the rest of a sentence that begins with the path
   */
  public DamagedFileException(Path path, String predicate) {
    super(path + " " + predicate);
  }
}

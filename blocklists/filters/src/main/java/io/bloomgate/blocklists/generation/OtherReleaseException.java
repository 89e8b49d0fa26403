package io.bloomgate.blocklists.generation;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A generation was built by a release with other files. It is whole and stays where it is, for that
 * release; this one builds its own from the stored feeds.
 */
public final class OtherReleaseException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * A generation of another release.
   *
   * @param what the rest of a sentence that begins with its path
   */
  OtherReleaseException(Path path, String what) {
    super(
        path
            + " "
            + what
            + "; a gateway of this release builds the lists again from the stored feeds when it"
            + " starts");
  }
}

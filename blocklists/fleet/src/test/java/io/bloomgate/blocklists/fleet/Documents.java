package io.bloomgate.blocklists.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Documents that say how others use Redis, found from the folder in which tests run. */
final class Documents {

  private Documents() {}

  /** Reads a document by its path below the top of the sources. */
  static String read(String document) throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(document))) {
      folder = Objects.requireNonNull(folder.getParent(), document);
    }
    return Files.readString(folder.resolve(document));
  }
}

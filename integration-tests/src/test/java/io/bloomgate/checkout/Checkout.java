package io.bloomgate.checkout;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the sources lie; for tests of what is not on a class path. */
public final class Checkout {
  private Checkout() {}

  /** Top folder of the sources, found from the folder in which the tests of a module run. */
  public static Path root() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve("gateway/bin/bloomgate"))) {
        return folder;
      }
    }
    throw new IllegalStateException("gateway/bin/bloomgate is in no folder above this one");
  }
}

package io.bloomgate.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary folders; in the place that {@code java.io.tmpdir} names. */
final class Scratch {

  private Scratch() {}

  /** A new folder. */
  static Path folder() throws IOException {
    return Files.createTempDirectory("bloomgate-bench");
  }

  /** Removes a folder with all that is in it. */
  static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }
}

package io.bloomgate.blocklists.generation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The files of the live generation, for a backup beside a running gateway. Files of a generation
 * are never changed; they go when it is pruned. Immutable.
 *
 * @param generation its number
 * @param files all of it, in name order
 */
public record GenerationFiles(long generation, List<Path> files) {

  public GenerationFiles {
    files = List.copyOf(files);
  }

  /**
   * The files of the live generation; empty when there is no generation.
   *
   * @param snapshots {@code STATE_DIR/snapshots}
   * @throws java.nio.file.NoSuchFileException when it was pruned meanwhile: ask again
   */
  public static Optional<GenerationFiles> current(Path snapshots) throws IOException {
    GenerationDirectory directory = new GenerationDirectory(snapshots);
    OptionalLong current = directory.current();
    if (current.isEmpty()) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(directory.path(current.getAsLong()))) {
      return Optional.of(
          new GenerationFiles(
              current.getAsLong(), files.filter(Files::isRegularFile).sorted().toList()));
    }
  }

  /** The content of the file {@code CURRENT} that names it. */
  public String pointer() {
    return GenerationDirectory.digits(generation) + "\n";
  }
}

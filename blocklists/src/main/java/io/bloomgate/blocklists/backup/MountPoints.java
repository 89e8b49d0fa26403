package io.bloomgate.blocklists.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The mount points of this system, as proc(5) has them. Used by {@link Restore}. */
final class MountPoints {

  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  /** Which word of a line names the mount point. */
  private static final int PLACE = 4;

  private MountPoints() {}

  /** True when something is mounted there; false where the system has no such table. */
  static boolean has(Path folder) throws IOException {
    if (Files.notExists(TABLE) || Files.notExists(folder)) {
      return false;
    }
    // Blanks, tabs and backslashes are written as octal numbers.
    String place =
        folder
            .toRealPath()
            .toString()
            .replace("\\", "\\134")
            .replace(" ", "\\040")
            .replace("\t", "\\011");
    try (Stream<String> lines = Files.lines(TABLE, StandardCharsets.UTF_8)) {
      return lines
          .map(line -> line.split(" ", -1))
          .anyMatch(words -> words.length > PLACE && words[PLACE].equals(place));
    }
  }
}

package io.bloomgate.blocklists.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Answers whether the system runs code from a folder: hardened systems mount the one for temporary
 * files with {@code noexec}. As proc(5) has it; asked by {@link SqliteLibrary}.
 */
final class MountOptions {

  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  /** The position of the mount point among the words of a line. */
  private static final int PLACE = 4;

  private static final int OPTIONS = 5;

  private MountOptions() {}

  /** False when the system would refuse to; true where that is not known. */
  static boolean runsCode(Path folder) {
    try {
      return runsCode(folder.toRealPath(), Files.readAllLines(TABLE, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return true; // another system, or no such folder
    }
  }

  /**
   * The same by the lines of a table.
   *
   * @param folder without links in its path
   */
  static boolean runsCode(Path folder, List<String> table) {
    Path nearest = null;
    boolean runs = true;
    for (String line : table) {
      String[] words = line.split(" ", -1);
      if (words.length <= OPTIONS) {
        continue;
      }
      Path place = Path.of(unescaped(words[PLACE]));
      // Of two on the same place the later one is in front.
      boolean nearer = nearest == null || place.startsWith(nearest);
      if (folder.startsWith(place) && nearer) {
        nearest = place;
        runs = !List.of(words[OPTIONS].split(",", -1)).contains("noexec");
      }
    }
    return runs;
  }

  /** Blanks, tabs and backslashes are written as octal numbers. */
  private static String unescaped(String place) {
    return place.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }
}

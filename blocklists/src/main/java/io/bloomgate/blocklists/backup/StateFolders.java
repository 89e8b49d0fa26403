package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Work with the folders of a state directory; used by {@link Restore} on its thread, blocking. */
final class StateFolders {

  private StateFolders() {}

  /** What is directly in a folder. */
  static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Makes a folder and those around it that are missing, for this user alone. */
  static void makeFolders(@Nullable Path folder) throws IOException {
    if (folder != null && !Files.isDirectory(folder)) {
      makeFolders(folder.getParent());
      DurableFiles.createPrivateDirectory(folder);
    }
  }

  /** Writes the names in a folder, and in all folders below it, to the disk. */
  static void syncFolders(Path root) throws IOException {
    List<Path> folders;
    try (Stream<Path> all = Files.walk(root)) {
      folders = all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
    for (Path folder : folders) {
      DurableFiles.sync(folder);
    }
  }

  /** The name, or one with a number when it is taken. */
  static Path free(Path wanted) {
    Path name = wanted;
    for (int n = 2; Files.exists(name, LinkOption.NOFOLLOW_LINKS); n++) {
      name = wanted.resolveSibling(wanted.getFileName() + "-" + n);
    }
    return name;
  }
}

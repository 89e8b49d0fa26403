package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.sessions.SessionDays;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a state directory a backup takes, beside the databases and the live generation: files
 * that are replaced as a whole or only grow, so that each can be read while a gateway writes. Left
 * out is what a gateway makes again: older generations, the filters of the operator's lists, what a
 * refresh has begun. Used by {@link Backup}.
 */
final class StateFiles {

  private static final String FEEDS = "feeds";
  private static final String HISTORY = "history";

  private StateFiles() {}

  /** The small files that are there. */
  static List<Path> single(Path stateDir) {
    return StateNames.SINGLE.stream().map(stateDir::resolve).filter(StateFiles::isFile).toList();
  }

  /** The folders of feed versions, oldest first of each feed. */
  static List<Path> feedVersions(Path stateDir) throws IOException {
    List<Path> versions = new ArrayList<>();
    for (Path feed : folders(stateDir.resolve(FEEDS), "*")) {
      versions.addAll(folders(feed.resolve("versions"), "[1-9]*"));
    }
    return versions;
  }

  /** Entries of feed versions that are held back. */
  static List<Path> heldEntries(Path stateDir) throws IOException {
    List<Path> held = new ArrayList<>();
    for (Path feed : folders(stateDir.resolve(FEEDS), "*")) {
      held.addAll(files(feed.resolve("good"), "*.entries"));
    }
    return held;
  }

  /** What changed in the lists, for questions about the past. */
  static List<Path> history(Path stateDir) throws IOException {
    return files(stateDir.resolve(HISTORY), "*.deltas");
  }

  /** Kept sessions: a database a day. */
  static List<Path> sessionDays(Path stateDir) throws IOException {
    return new SessionDays(stateDir)
        .newestFirst().reversed().stream()
            .map(SessionDays.Day::file)
            .filter(StateFiles::isFile)
            .toList();
  }

  /** Filters of the days that are over. */
  static List<Path> sessionFilters(Path stateDir) throws IOException {
    return files(stateDir.resolve(SessionDays.DIRECTORY), "*.bloom");
  }

  /** Plain files in a folder, in name order; none where there is no folder. */
  static List<Path> files(Path folder, String glob) throws IOException {
    return list(folder, glob).stream().filter(StateFiles::isFile).toList();
  }

  private static List<Path> folders(Path folder, String glob) throws IOException {
    return list(folder, glob).stream()
        .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  private static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
        all.forEach(found::add);
      }
    }
    found.sort(null);
    return found;
  }
}

package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.SessionDays;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists what a backup takes of a state directory, beside the live generation: files that are
 * replaced as a whole or only grow, so that each can be read while a gateway writes, and databases.
 * Left out is what a gateway makes again: older generations, what a refresh has begun. Used by
 * {@link Backup}.
 */
final class StateFiles {

  /**
   * The names in the state directory that are no part of the state, or are copied in another way.
   */
  private static final Pattern NOT_PLAIN =
      Pattern.compile(
          Pattern.quote(StateLock.FILE_NAME)
              + "|"
              + NamedFiles.SELF_SIGNED
              + "|.*\\.(?:db(?:-.*)?|tmp|new|sock)|\\..*");

  private StateFiles() {}

  /** The databases; that of the operator's entries comes first. */
  static List<Path> databases(Path stateDir, boolean sessions) throws IOException {
    List<Path> days =
        sessions ? matching(stateDir.resolve(SessionDays.DIRECTORY), "*.db") : List.of();
    return Stream.concat(
            Stream.of(OperatorLists.FILE_NAME, FeedStates.FILE_NAME, Greylist.FILE_NAME)
                .map(stateDir::resolve),
            days.stream())
        .filter(StateFiles::isFile)
        .toList();
  }

  /** The folders of stored versions of feeds. */
  static List<Path> versions(Path stateDir) throws IOException {
    List<Path> versions = new ArrayList<>();
    for (Path feed : matching(stateDir.resolve("feeds"), "*")) {
      versions.addAll(matching(feed.resolve("versions"), "[1-9]*"));
    }
    return versions;
  }

  /** All other files. */
  static List<Path> plain(Path stateDir) throws IOException {
    List<Path> files = new ArrayList<>(matching(stateDir, "*"));
    files.removeIf(file -> NOT_PLAIN.matcher(name(file)).matches());
    for (Path feed : matching(stateDir.resolve("feeds"), "*")) {
      files.addAll(matching(feed.resolve("good"), "*.entries"));
    }
    return files.stream().filter(StateFiles::isFile).toList();
  }

  /** The files in a folder, in name order; none where there is no folder. */
  static List<Path> matching(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
        all.forEach(found::add);
      }
    }
    found.sort(null);
    return found;
  }

  static String name(Path file) {
    return Optional.ofNullable(file.getFileName()).map(Path::toString).orElse("");
  }

  private static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }
}

package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists what a backup takes beside the live generation: of the state directory files that are
 * replaced as a whole or only grow, so that each can be read while a gateway writes, and databases;
 * and files elsewhere that the settings name. Left out is what a gateway makes again: older
 * generations, what a refresh has begun. Used by {@link Backup}.
 */
final class StateFiles {

  /** The file with the certificate that the gateway made for itself. */
  static final String SELF_SIGNED = "self-signed.pem";

  /**
   * The names in the state directory that are no part of the state, or are copied in another way.
   */
  private static final Pattern NOT_PLAIN =
      Pattern.compile(
          StateLock.FILE_NAME + "|" + SELF_SIGNED + "|.*\\.(?:db(?:-.*)?|tmp|new|sock)|\\..*");

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

  /** The files of all stored versions of feeds. */
  static List<Path> versions(Path stateDir) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path feed : matching(stateDir.resolve("feeds"), "*")) {
      for (Path version : matching(feed.resolve("versions"), "[1-9]*")) {
        matching(version, "*").stream()
            .filter(file -> !name(file).endsWith(".tmp"))
            .forEach(files::add);
      }
    }
    return files;
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

  /**
   * List files elsewhere that {@code allow}, {@code block}, {@code feeds.protect} and {@code
   * domains} name; patterns are followed.
   */
  static Set<Path> lists(Settings settings) throws IOException {
    Set<Path> files = new TreeSet<>();
    for (List<Path> named :
        List.of(
            settings.allow().files(),
            settings.allow().knownGood(),
            settings.block().files(),
            settings.feeds().protect(),
            settings.domainSources().files().stream().map(DomainFile::path).toList())) {
      for (Path path : named) {
        Path file = path.toAbsolutePath().normalize();
        Path folder = file.getParent();
        Stream.concat(
                Stream.of(file),
                folder == null ? Stream.of() : matching(folder, name(file)).stream())
            .filter(Files::isRegularFile)
            .forEach(files::add);
      }
    }
    return files;
  }

  /** Files with keys, the one that the gateway made for itself among them; these that are there. */
  static List<SecretFiles.Named> secrets(Settings settings) {
    List<SecretFiles.Named> all = new ArrayList<>(SecretFiles.of(settings));
    all.add(
        new SecretFiles.Named(
            "the gateway's own certificate", settings.stateDir().resolve(SELF_SIGNED)));
    all.removeIf(named -> !Files.exists(named.file()));
    return all;
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

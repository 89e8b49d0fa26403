package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
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
   * Names of files that are taken: of {@code feeds} whole versions, and what is held back of them.
   */
  private static final Pattern TAKEN =
      Pattern.compile(
          "[^/]+|sessions/[^/]+\\.db|feeds/[^/]+/(?:versions/[1-9][^/]*/[^/]+|good/[^/]+\\.entries)");

  private static final Pattern LEFT =
      Pattern.compile(
          "(?:.*/)?(?:\\..*|.*\\.(?:db-.*|tmp|new|sock))|"
              + StateLock.FILE_NAME
              + "|"
              + SELF_SIGNED);

  private StateFiles() {}

  /**
   * The files of the state directory in their order: those of feeds, databases (that of the
   * operator's entries first), all other.
   *
   * @param sessions kept sessions too
   */
  static List<Path> state(Path stateDir, boolean sessions) throws IOException {
    List<Path> files = matching(stateDir, "*");
    for (String folder : List.of("feeds", SessionDays.DIRECTORY)) {
      Path root = stateDir.resolve(folder);
      if (Files.isDirectory(root) && (sessions || !folder.equals(SessionDays.DIRECTORY))) {
        try (Stream<Path> all = Files.walk(root)) {
          all.forEach(files::add);
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }
    }
    files.removeIf(file -> {
      String name = stateDir.relativize(file).toString();
      return !TAKEN.matcher(name).matches()
          || LEFT.matcher(name).matches()
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    });
    files.sort(
        Comparator.comparing((Path file) -> !stateDir.relativize(file).startsWith("feeds"))
            .thenComparing(file -> !isDatabase(file))
            .thenComparing(file -> !name(file).equals(OperatorLists.FILE_NAME))
            .thenComparing(file -> file));
    return files;
  }

  /** True for a file that {@code VACUUM INTO} copies. */
  static boolean isDatabase(Path file) {
    return name(file).endsWith(".db");
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
}

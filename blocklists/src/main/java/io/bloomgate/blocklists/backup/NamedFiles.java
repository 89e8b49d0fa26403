package io.bloomgate.blocklists.backup;

import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Files outside of the state directory that settings name. Used by {@link Backup}. */
final class NamedFiles {

  static final String SELF_SIGNED = "self-signed.pem";

  private NamedFiles() {}

  /**
   * List files of {@code allow}, {@code block} and {@code feeds.protect}; patterns are followed.
   */
  static Set<Path> lists(Settings settings) throws IOException {
    Set<Path> files = new TreeSet<>();
    List<Path> named =
        Stream.of(
                settings.allow().files(),
                settings.allow().knownGood(),
                settings.block().files(),
                settings.feeds().protect())
            .flatMap(List::stream)
            .toList();
    for (Path path : named) {
      Path absolute = path.toAbsolutePath().normalize();
      Path folder = absolute.getParent();
      if (Files.isRegularFile(absolute)) {
        files.add(absolute);
      } else if (folder != null) {
        StateFiles.matching(folder, StateFiles.name(absolute)).stream()
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
}

package io.bloomgate.checkout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code src/build/archives.sh} writes before the tests, so that a Java starts in less time.
 * Asked by tests that start programs; outside Maven's build nothing is there, and they do without.
 */
public enum ClassArchive {
  GATEWAY,
  COMMAND;

  /** Options of Java with the class path: jars and the archive of their classes. */
  public List<String> classPath() {
    return file(".options")
        .map(options -> List.of("@" + options))
        .orElseGet(() -> List.of("-cp", System.getProperty("java.class.path")));
  }

  /** Words for the launcher, which names the class path itself and takes no word with a space. */
  public String launcherWords() {
    return file(".jsa")
        .filter(archive -> archive.toString().indexOf(' ') < 0)
        .map(archive -> " -Xlog:cds*=off -Xlog:aot*=off -XX:SharedArchiveFile=" + archive)
        .orElse("");
  }

  private Optional<Path> file(String end) {
    return Optional.ofNullable(System.getProperty("class.archives"))
        .map(folder -> Path.of(folder, (this == GATEWAY ? "gateway" : "command") + end))
        .filter(Files::exists);
  }
}

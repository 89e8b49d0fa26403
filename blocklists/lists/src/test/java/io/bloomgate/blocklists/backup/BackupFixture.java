package io.bloomgate.blocklists.backup;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** A state directory with invented files, its settings, and archives with anything in them. */
final class BackupFixture {

  static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private final Path folder;

  BackupFixture(Path folder) {
    this.folder = folder;
  }

  Path stateDir() {
    return folder.resolve("state");
  }

  Path settingsFile() {
    return folder.resolve("bloomgate.yaml");
  }

  Path archive() {
    return folder.resolve("backup.tar.gz");
  }

  Settings settings(String more) throws IOException {
    String yaml =
        "domains: [example.com]\ndownstream: {host: 192.0.2.25}\nstate_dir: "
            + stateDir()
            + "\n"
            + more;
    Files.writeString(settingsFile(), yaml);
    SettingsResult read = SettingsFile.load(settingsFile(), Map.of());
    return assertInstanceOf(SettingsResult.Loaded.class, read, read.toString()).settings();
  }

  void state(String name, String content) throws IOException {
    Path file = stateDir().resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  Backup.Done backup(Settings settings, boolean sessions, boolean secrets) throws IOException {
    return Backup.write(
        archive(),
        new Backup.Wanted(settingsFile(), settings, true, sessions, secrets, "1.2.3", NOW));
  }

  /** Restores, and returns where the old state went; empty when there was none. */
  Optional<Path> restore() throws IOException {
    Optional<Path> before = Restore.before(stateDir(), NOW);
    Restore.run(archive(), Archive.check(archive()).manifest(), stateDir(), NOW);
    return before;
  }

  /** All files below a folder with their contents, without the lock and an older state. */
  static Map<String, String> files(Path root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    if (Files.isDirectory(root)) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          files.put(
              root.relativize(file).toString(),
              Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    files.keySet().removeIf(name -> name.equals("lock") || name.startsWith("before-restore-"));
    return files;
  }

  /** Writes the members of an archive. */
  interface Members {
    void write(TarArchiveOutputStream tar) throws IOException;
  }

  static void hostile(Path archive, Members members) throws IOException {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    GZIPOutputStream packed = new GZIPOutputStream(octets);
    TarArchiveOutputStream tar = new TarArchiveOutputStream(packed, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    members.write(tar);
    tar.close();
    Files.write(archive, octets.toByteArray());
  }

  static void member(TarArchiveOutputStream tar, String name, byte[] content) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  static byte[] manifest(int format) {
    return """
    {"format":%d,"product":"bloomgate","version":"9.9.9","created":"2026-11-24T12:00:00Z",
     "settings_file":"/etc/bloomgate.yaml","state_dir":"/var/lib/bloomgate","owner":""}
    """
        .formatted(format)
        .getBytes(StandardCharsets.UTF_8);
  }
}

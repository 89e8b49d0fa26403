package io.bloomgate.config.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says what is wrong with files of keys that the settings name. Asked by {@link SettingsBinder} on
 * the thread that reads the settings.
 *
 * @param looks false for a text that may be for another machine: no file that it names is looked at
 */
record KeyFiles(boolean looks) {

  /** About a file with one key. */
  Optional<String> key(Path file) {
    return problem(file, () -> SecretFile.read(file));
  }

  /** About a file with names and tokens. */
  Optional<String> tokens(Path file) {
    return problem(file, () -> TokenFile.read(file));
  }

  /** About a file with keys, which is read in this way. */
  Optional<String> problem(Path file, SecretFile.Reading reading) {
    return looks ? SecretFile.problem(file, reading) : Optional.empty();
  }

  /** True for a file that the user who checks the settings may not read. */
  boolean isClosed(Path file) {
    return looks && Files.isRegularFile(file) && !Files.isReadable(file);
  }
}

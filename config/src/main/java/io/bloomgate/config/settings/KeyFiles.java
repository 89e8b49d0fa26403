package io.bloomgate.config.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says what is wrong with files of keys that the settings name. Asked by {@link SettingsBinder} on
 * the thread that reads the settings.
 */
interface KeyFiles {

  /** Reads the files. */
  KeyFiles LOOKED_AT =
      new KeyFiles() {
        @Override
        public Optional<String> key(Path file) {
          return SecretFile.problem(file);
        }

        @Override
        public Optional<String> tokens(Path file) {
          return TokenFile.problem(file);
        }

        @Override
        public Optional<String> fleet(Path file, SecretFile.Reading reading) {
          return SecretFile.problem(file, reading);
        }

        @Override
        public boolean isClosed(Path file) {
          return Files.isRegularFile(file) && !Files.isReadable(file);
        }
      };

  /** A text may be for another machine, so files that it names are not looked at. */
  KeyFiles NOT_LOOKED_AT =
      new KeyFiles() {
        @Override
        public Optional<String> key(Path file) {
          return Optional.empty();
        }

        @Override
        public Optional<String> tokens(Path file) {
          return Optional.empty();
        }

        @Override
        public Optional<String> fleet(Path file, SecretFile.Reading reading) {
          return Optional.empty();
        }

        @Override
        public boolean isClosed(Path file) {
          return false;
        }
      };

  /** About a file with one key. */
  Optional<String> key(Path file);

  /** About a file with names and tokens. */
  Optional<String> tokens(Path file);

  /** About a file with a key of a fleet, which is read in this way. */
  Optional<String> fleet(Path file, SecretFile.Reading reading);

  /** True for a file that the user who checks the settings may not read. */
  boolean isClosed(Path file);
}

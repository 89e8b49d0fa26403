package io.bloomgate.config.settings;

import io.bloomgate.config.settings.SecretFile.UnusableException;
import io.bloomgate.config.settings.yaml.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with files of keys that the settings name. Asked by {@link SettingsBinder} on
 * the thread that reads the settings. No file is looked at that a text names which may be for
 * another machine.
 */
final class KeyFiles {

  private KeyFiles() {}

  /** Reads a file with keys. */
  @FunctionalInterface
  interface Reading {
    Object of(Path file) throws UnusableException;
  }

  /** Reports the file of a setting, which may be none, when it cannot be read in this way. */
  static void check(Section s, String key, @Nullable Path file, Reading reading, String hint) {
    if (file != null) {
      problem(s, file, reading).ifPresent(problem -> s.problem(key, problem, hint));
    }
  }

  /**
   * The problem of a file that is read in this way; empty for nothing, and for a file that this
   * user may not look at: the gateway's user may.
   */
  static Optional<String> problem(Section s, Path file, Reading reading) {
    return s.around().looks() ? problem(file, reading) : Optional.empty();
  }

  static Optional<String> problem(Path file, Reading reading) {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
      if (isClosed(file)) {
        SecretFile.checkMode(file);
      } else {
        Object _ = reading.of(file);
      }
      return Optional.empty();
    } catch (UnusableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (NoSuchFileException e) {
      return Optional.of(
          String.valueOf(new UnusableException(file, "there is no such file").getMessage()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** True for a file that the user who checks the settings may not read. */
  static boolean isClosed(Path file) {
    return Files.isRegularFile(file) && !Files.isReadable(file);
  }
}

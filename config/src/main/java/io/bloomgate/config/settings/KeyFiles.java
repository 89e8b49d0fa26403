package io.bloomgate.config.settings;

import io.bloomgate.config.settings.SecretFile.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with files of keys that the settings name. Asked by {@link SettingsBinder} on
 * the thread that reads the settings.
 *
 * @param looks false for a text that may be for another machine: no file that it names is looked at
 */
record KeyFiles(boolean looks) {

  /** Reads a file with keys. */
  @FunctionalInterface
  interface Reading {
    Object of(Path file) throws UnusableException;
  }

  /** Reports the file of a setting, which may be none, when it cannot be read in this way. */
  void check(Section s, String key, @Nullable Path file, Reading reading, String hint) {
    if (file != null) {
      problem(file, reading).ifPresent(problem -> s.problem(key, problem, hint));
    }
  }

  /**
   * The problem of a file that is read in this way; empty for nothing, and for a file that this
   * user may not look at: the gateway's user may.
   */
  Optional<String> problem(Path file, Reading reading) {
    if (!looks) {
      return Optional.empty();
    }
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
  boolean isClosed(Path file) {
    return looks && Files.isRegularFile(file) && !Files.isReadable(file);
  }
}

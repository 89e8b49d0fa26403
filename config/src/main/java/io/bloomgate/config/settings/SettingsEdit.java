package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Changes the text of a settings file. A file that would not be valid is not written, and a file
 * with mistakes is not touched. Called by the command line for its user, and by the gateway for the
 * page; any thread.
 */
public final class SettingsEdit {

  private SettingsEdit() {}

  /** A change of the text of a settings file, as {@link SourcesText} makes them. */
  @FunctionalInterface
  public interface Edit {
    /** The new text. */
    String of(String text) throws BadValueException;
  }

  /** Makes such changes of one file. */
  @FunctionalInterface
  public interface Editing {
    /** Edits the file, see {@link #write}. */
    void edit(Edit edit) throws BadValueException, IOException;
  }

  /**
   * Edits the file.
   *
   * @param environment the process environment, which overrides the file
   * @throws BadValueException when the change is not possible, or the file has mistakes
   * @throws IOException when the file cannot be read or written; nothing was changed
   */
  public static void write(Path file, Map<String, String> environment, Edit edit)
      throws BadValueException, IOException {
    Path target = file.toRealPath();
    String before = Files.readString(target);
    requireValid(target, environment, before, "the file has mistakes, so it is left as it is");
    String after = edit.of(before);
    requireValid(target, environment, after, "with this the file would not be valid");
    replace(target, after);
  }

  private static void requireValid(
      Path file, Map<String, String> environment, String text, String problem)
      throws BadValueException {
    SettingsResult read =
        SettingsFile.parse(file.toString(), text, environment, () -> "mx.example.com");
    if (read instanceof SettingsResult.Invalid invalid) {
      Problem first = // warnings are among them
          invalid.problems().stream()
              .filter(found -> found.severity() == Severity.ERROR)
              .findFirst()
              .orElseGet(invalid.problems()::getFirst);
      throw new BadValueException(problem + ": " + first.message(), first.hint());
    }
  }

  /** Replaces the file whole or not at all, with the owner, the group and the mode that it had. */
  private static void replace(Path target, String text) throws IOException {
    PosixFileAttributes old = Files.readAttributes(target, PosixFileAttributes.class);
    Path fresh = target.resolveSibling("." + target.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, PosixFilePermissions.asFileAttribute(old.permissions()));
      PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
      view.setPermissions(old.permissions());
      view.setOwner(old.owner());
      view.setGroup(old.group());
      Files.writeString(fresh, text);
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}

package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A change of the feeds in the settings file. A file that would not be valid is not written, and a
 * file with mistakes is not touched.
 */
final class FeedsEdit {

  private FeedsEdit() {}

  static final String RELOAD = "`bloomgate config reload` puts it into force";

  /** A change of the text of a settings file. */
  @FunctionalInterface
  interface Edit {
    String of(String text) throws BadValueException;
  }

  private record Done(String feed, String file, String done, @Rare String key) {}

  /** Edits the file; the result is the exit code. */
  static int edit(Invocation in, String name, String done, String key, Edit edit)
      throws CliException {
    write(in, name, done, key, edit);
    in.output().note(RELOAD);
    return ExitCode.OK;
  }

  /** Edits the file and says nothing about the gateway. */
  static void write(Invocation in, String name, String done, String key, Edit edit)
      throws CliException {
    Path file = in.options().configFile();
    Invocation.requireReadableSettings(file);
    try {
      Path target = file.toRealPath();
      String before = Files.readString(target);
      requireValid(in, target, before, "the file has mistakes, so it is left as it is");
      String after = edit.of(before);
      requireValid(in, target, after, "with this the file would not be valid");
      replace(target, after);
    } catch (BadValueException e) {
      throw new CliException(ExitCode.NO, e.problem(), e.hint(), e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION, "you may not write " + file, "become root, or name another file", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO, file + " cannot be changed: " + Faults.reason(e), "nothing was changed", e);
    }
    in.output()
        .item(
            JsonRecords.of(new Done(name, file.toString(), done, key)),
            (item, out) -> {
              out.line("{feed} is {done}", item);
              item.text("key").ifPresent(out::note);
            });
  }

  private static void requireValid(Invocation in, Path file, String text, String problem)
      throws CliException {
    SettingsResult read =
        SettingsFile.parse(
            file.toString(), text, in.around().environment(), () -> "mx.example.com");
    if (read instanceof SettingsResult.Invalid invalid) {
      Problem first = // warnings are among them
          invalid.problems().stream()
              .filter(found -> found.severity() == Problem.Severity.ERROR)
              .findFirst()
              .orElseGet(invalid.problems()::getFirst);
      throw new CliException(ExitCode.NO, problem + ": " + first.message(), first.hint());
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

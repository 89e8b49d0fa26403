package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.SettingsEdit;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;

/** A change of the feeds in the settings file, and what the command prints about it. */
final class FeedsEdit {

  private FeedsEdit() {}

  static final String RELOAD = "`bloomgate config reload` puts it into force";

  private record Done(String feed, String file, String done, @Rare String key) {}

  /** Edits the file; the result is the exit code. */
  static int edit(Invocation in, String name, String done, String key, SettingsEdit.Edit edit)
      throws CliException {
    write(in, name, done, key, edit);
    in.output().note(RELOAD);
    return ExitCode.OK;
  }

  /** Edits the file and says nothing about the gateway. */
  static void write(Invocation in, String name, String done, String key, SettingsEdit.Edit edit)
      throws CliException {
    Path file = in.options().configFile();
    Invocation.requireReadableSettings(file);
    try {
      SettingsEdit.write(file, in.around().environment(), edit);
    } catch (BadValueException e) {
      throw CliException.no(e.problem(), e.hint(), e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION, "you may not write " + file, "become root, or name another file", e);
    } catch (IOException e) {
      throw CliException.no(
          file + " cannot be changed: " + Faults.reason(e), "nothing was changed", e);
    }
    in.output()
        .item(
            JsonRecords.of(new Done(name, file.toString(), done, key)),
            (item, out) -> {
              out.line("{feed} is {done}", item);
              item.text("key").ifPresent(out::note);
            });
  }
}

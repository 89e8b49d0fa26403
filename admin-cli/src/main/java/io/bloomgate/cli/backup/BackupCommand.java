package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.ArchiveException;
import io.bloomgate.blocklists.backup.Backup;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate backup}: reads settings and state as the caller, beside a running gateway. */
@Command(
    description = {
      "Save settings, allow and block entries and the lists in one file.",
      "The gateway may run meanwhile. Files with keys are left out and named. Exit code 4: a part"
          + " could not be read."
    })
@Example("/var/backups/bloomgate.tar.gz --sessions")
public final class BackupCommand extends CliCommand {

  @Parameters(paramLabel = "FILE", description = "the file to write, a tar.gz with mode 0600")
  private Path file = Path.of("");

  @Option(names = "--force", description = "replace FILE when it is there")
  private boolean force;

  @Option(
      names = "--sessions",
      description = "also the kept sessions, which `explain ID` and `sessions` need")
  private boolean sessions;

  @Option(
      names = "--secrets",
      description = "also the files with keys that the settings name: keep FILE as safe as these")
  private boolean secrets;

  @Override
  public Integer call() throws CliException {
    Settings settings = in.settings();
    Path stateDir = settings.stateDir();
    if (Files.notExists(stateDir)) {
      throw CliException.no(
          "there is no state directory " + stateDir, "name the gateway's settings with -c FILE");
    }
    Invocation.requireReadableState(stateDir);
    Path config = in.options().configFile();
    Instant now = in.around().clock().instant();
    try {
      Backup.Done done =
          Backup.write(
              file,
              new Backup.Wanted(
                  config, settings, force, sessions, secrets, Invocation.version(), now));
      Output out = in.output();
      out.item(JsonRecords.of(done), BackupCommand::show);
      done.problems().forEach(problem -> out.warn("warning: " + problem));
      return done.problems().isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Says why an archive was not written; none is left then. */
  public static CliException failure(Path file, IOException e) {
    return switch (e) {
      case FileAlreadyExistsException _ ->
          new CliException(ExitCode.USAGE, file + " is there already", "--force replaces it", e);
      case AccessDeniedException denied ->
          new CliException(
              ExitCode.PERMISSION,
              "no permission: " + denied.getFile(),
              "become root or the gateway's user, and write where that user may",
              e);
      case ArchiveException refused -> CliException.no(refused.sentence(), "", e);
      default ->
          CliException.no(
              file + " was not written: " + Faults.words(e),
              "if the disk is full, free some space, or name a file on another disk",
              e);
    };
  }

  private static void show(JsonObject done, Output out) {
    String size = HumanText.size(done, "octets");
    out.line(
        "saved in {file}: " + size + ", {members} files, lists of generation {generation}", done);
    List<JsonValue> left = done.elements("left_out");
    left.forEach(file -> out.line("left out: " + HumanText.value(file)));
    if (!left.isEmpty()) {
      out.note("these hold keys; save them apart, or take them with --secrets");
    }
    if (!done.isTrue("sessions")) {
      out.note("kept sessions are not in it; --sessions takes them");
    }
  }
}

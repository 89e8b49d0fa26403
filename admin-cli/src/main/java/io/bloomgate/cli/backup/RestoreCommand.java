package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.Archive;
import io.bloomgate.blocklists.backup.ArchiveException;
import io.bloomgate.blocklists.backup.Restore;
import io.bloomgate.cli.backup.PlacedFile.How;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate restore}: checks all of an archive, says what it does, and does it as the
 * caller. The state first, which is replaced in one step; then files beside the settings.
 */
@Command(
    description = {
      "Put back what `bloomgate backup` saved; the gateway must be stopped, but for --dry-run.",
      "All of FILE is checked before anything is written. The old state stays in"
          + " STATE_DIR/before-restore-TIME."
    })
@Example("/var/backups/bloomgate.tar.gz --dry-run")
public final class RestoreCommand extends CliCommand {

  private static final String SERVICE_GROUP = "bloomgate";

  @Parameters(paramLabel = "FILE", description = "an archive that `bloomgate backup` wrote")
  private Path file = Path.of("");

  @Option(names = "--dry-run", description = "check FILE and say what would be done")
  private boolean dryRun;

  @Option(
      names = "--force",
      description =
          "replace settings and list files that differ; else they are put beside as"
              + " NAME.restored")
  private boolean force;

  @Override
  public Integer call() throws CliException {
    Invocation.requireReadable(file);
    Instant now = in.around().clock().instant();
    try {
      Archive.Contents contents = Archive.check(file);
      Path stateDir = settings(contents).stateDir().toAbsolutePath().normalize();
      Restore.requireReplaceable(stateDir);
      Optional<Path> before = Restore.before(stateDir, now);
      List<PlacedFile> files = PlacedFile.all(contents.members(), in.options().configFile(), force);
      if (!dryRun) {
        Restore.run(file, contents.manifest(), stateDir, now);
        place(files);
      }
      in.output().item(state(contents, stateDir, before), this::show);
      files.forEach(placed ->
          in.output().item(placed.json(!dryRun), (item, out) -> out.line("{to}: {how}", item)));
      if (!contents.manifest().sessions()) {
        before.ifPresent(this::noteSessions);
      }
      if (!dryRun) {
        sayNext(contents.manifest(), files);
        return ExitCode.OK;
      }
      in.output().note("nothing was changed; without --dry-run it is done");
      if (Restore.isInUse(stateDir)) {
        in.output()
            .note(
                "a gateway runs on " + stateDir + ": stop it before (`systemctl stop bloomgate`)");
      }
      return ExitCode.OK;
    } catch (ArchiveException e) {
      throw CliException.no(e.sentence(), "nothing was changed", e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION,
          "no permission: " + e.getFile(),
          "become root or the gateway's user",
          e);
    } catch (IOException e) {
      throw CliException.no(
          "the restore failed: " + Faults.words(e),
          "run it again when that is fixed; what was moved away is in"
              + " STATE_DIR/before-restore-TIME",
          e);
    }
  }

  /**
   * The settings that count afterwards: those of this machine where it has some, else those of the
   * archive.
   */
  private Settings settings(Archive.Contents contents) throws CliException {
    Path here = in.options().configFile();
    if (Files.exists(here) && !force) {
      return in.settings();
    }
    return in.valid(
            SettingsFile.parse(
                here.toString(), contents.settings(), in.around().environment(), () -> "localhost"),
            CliException.no(
                "the settings in the archive cannot be used by this release",
                "write a settings file that can, name it with -c, and restore again"))
        .settings();
  }

  /** Writes the files outside of the state, for the group of the settings file. */
  private void place(List<PlacedFile> files) throws CliException, IOException {
    String owner = Restore.owner(files.getFirst().target());
    String group = owner.isEmpty() ? SERVICE_GROUP : owner.substring(owner.indexOf(':') + 1);
    Archive.<CliException>read(
        file,
        (name, content) -> {
          for (PlacedFile placed : files) {
            if (placed.isWritten() && placed.member().name().equals(name)) {
              NewFile.write(placed.place(), content::transferTo, group, true);
            }
          }
        });
  }

  // ---- answer

  /** The first step, for scripts. */
  private JsonObject state(Archive.Contents contents, Path stateDir, Optional<Path> before) {
    Archive.Manifest manifest = contents.manifest();
    return JsonValue.object()
        .put("step", "state")
        .put("to", stateDir.toString())
        .put("how", before.isPresent() ? "replaced" : "made")
        .put("old", before.map(Path::toString).orElse(""))
        .put("created", manifest.created().toString())
        .put("version", manifest.version())
        .put("generation", manifest.generation())
        .put("files", contents.members().size())
        .put("octets", contents.octets())
        .put("sessions", manifest.sessions())
        .put("done", !dryRun)
        .build();
  }

  private void show(JsonObject item, Output out) {
    String gets = dryRun ? "would get the state" : "the state";
    String size = HumanText.size(item, "octets");
    out.line(
        "{to}: " + gets + " of {created}, generation {generation}, {files} files, " + size, item);
    if (!item.text("old").orElse("").isEmpty()) {
      out.line("  the old state " + (dryRun ? "would be in {old}" : "is in {old}"), item);
    }
  }

  private void noteSessions(Path before) {
    in.output()
        .note(
            "the backup has no kept sessions (`backup --sessions`): those of before are in "
                + before.resolve("sessions")
                + (dryRun ? " then" : "")
                + "; while the gateway is stopped, that folder can be moved back");
  }

  private void sayNext(Archive.Manifest manifest, List<PlacedFile> files) {
    Output out = in.output();
    String left =
        files.stream()
            .filter(placed -> placed.how() == How.LEFT)
            .map(placed -> " " + Path.of(placed.member().name()).getName(0))
            .distinct()
            .collect(Collectors.joining());
    if (!left.isEmpty()) {
      out.note(
          "files outside of the settings' folder were not written; `tar -xzf "
              + TerminalText.word(file)
              + left
              + "` unpacks them here, so that you can copy those that you want");
    }
    if (!manifest.leftOut().isEmpty()) {
      out.note(
          "the backup was made without these files with keys: "
              + String.join(", ", manifest.leftOut()));
    }
    out.note("next: `bloomgate config validate`, start the gateway, `bloomgate doctor`");
  }
}

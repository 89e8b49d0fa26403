package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.ArchiveException;
import io.bloomgate.blocklists.backup.Restore;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.cli.backup.PlacedFile.How;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
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
      "All of FILE is checked before anything is written. The old state stays beside as"
          + " STATE_DIR.before-restore-TIME."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} /var/backups/bloomgate.tar.gz --dry-run"})
public final class RestoreCommand implements Callable<Integer> {

  private static final String SERVICE_GROUP = "bloomgate";

  private final Invocation in;

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

  public RestoreCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Restore.Contents contents = checked();
    Path stateDir = settings(contents).stateDir().toAbsolutePath().normalize();
    Instant now = in.around().clock().instant();
    try {
      if (!isNamedHere(stateDir)) {
        Restore.requireOurs(stateDir);
      }
      boolean running = Restore.isInUse(stateDir);
      if (running && !dryRun) {
        throw mustStop(stateDir);
      }
      Restore.requireReplaceable(stateDir);
      Optional<Path> before =
          Restore.hasState(stateDir)
              ? Optional.of(Restore.before(stateDir, now))
              : Optional.empty();
      RestorePlan plan =
          RestorePlan.of(contents, stateDir, before, in.options().configFile(), force);
      if (dryRun) {
        print(plan, false);
        in.output().note("nothing was changed; without --dry-run it is done");
        if (running) {
          in.output()
              .note(
                  "a gateway runs on "
                      + stateDir
                      + ": stop it before (`systemctl stop bloomgate`)");
        }
        return ExitCode.OK;
      }
      Restore.Done done = Restore.run(file, contents, stateDir, now);
      Optional<Path> kept = place(plan, contents, done.elsewhere());
      print(
          new RestorePlan(contents, stateDir, done.before(), plan.settings(), plan.elsewhere()),
          true);
      sayNext(plan, kept);
      return ExitCode.OK;
    } catch (ArchiveException e) {
      throw new CliException(ExitCode.NO, e.sentence(), "nothing was changed", e);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION,
          "no permission: " + e.getFile(),
          "become root: the state directory is replaced in its parent, with its owner as before",
          e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          "the restore failed: " + Faults.words(e),
          "the state directory is as it was, unless `ls -d " + stateDir + "*` shows otherwise",
          e);
    }
  }

  private Restore.Contents checked() throws CliException {
    try {
      return Restore.check(file);
    } catch (ArchiveException e) {
      throw new CliException(ExitCode.NO, e.sentence(), "nothing was changed", e);
    } catch (NoSuchFileException e) {
      throw new CliException(ExitCode.USAGE, "there is no file " + file, "", e);
    } catch (AccessDeniedException e) {
      throw new CliException(ExitCode.PERMISSION, "you may not read " + file, "become root", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO, file + " cannot be read: " + Faults.words(e), "nothing was changed", e);
    }
  }

  /**
   * The settings that count afterwards: those of this machine where it has some, else those of the
   * archive.
   */
  private Settings settings(Restore.Contents contents) throws CliException {
    Path here = in.options().configFile();
    if (Files.exists(here) && !force) {
      return in.settings();
    }
    return switch (SettingsFile.parse(
        here.toString(), contents.settings(), in.around().environment(), () -> "localhost")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid invalid -> {
        for (Problem problem : invalid.problems()) {
          in.output().error(problem.toString());
        }
        throw new CliException(
            ExitCode.NO,
            "the settings in the archive cannot be used by this release",
            "write a settings file that can, name it with -c, and restore again");
      }
    };
  }

  /** True when the settings of this machine name it too: then the archive did not choose it. */
  private boolean isNamedHere(Path stateDir) {
    return SettingsFile.load(in.options().configFile(), in.around().environment())
            instanceof SettingsResult.Loaded loaded
        && loaded.settings().stateDir().toAbsolutePath().normalize().equals(stateDir);
  }

  private static CliException mustStop(Path stateDir) {
    return new CliException(
        ExitCode.NO,
        "a gateway runs on " + stateDir,
        "stop it first (`systemctl stop bloomgate`); nothing was changed");
  }

  // ---- files outside of the state

  /**
   * Writes the files; returns the folder of those that were not written, empty when there are none.
   */
  private Optional<Path> place(
      RestorePlan plan, Restore.Contents contents, Optional<Path> elsewhere)
      throws CliException, IOException {
    PlacedFile settings = plan.settings();
    if (settings.how() == How.WRITTEN || settings.how() == How.BESIDE) {
      NewFile.write(settings.place(), contents.settings(), group(settings.target()), true);
    }
    if (elsewhere.isEmpty()) {
      return Optional.empty();
    }
    for (RestorePlan.Placed placed : plan.elsewhere()) {
      PlacedFile where = placed.file();
      Path from = elsewhere.get().resolve(placed.member().name());
      if (where.how() == How.WRITTEN || where.how() == How.BESIDE) {
        NewFile.copy(from, placed.member().sha256(), where.place(), group(settings.target()));
      }
      if (where.how() != How.LEFT) {
        Files.deleteIfExists(from);
      }
    }
    if (plan.leaves()) {
      return elsewhere;
    }
    DurableFiles.deleteTree(elsewhere.get());
    return Optional.empty();
  }

  /** The group of the settings file, which the gateway's user can read. */
  private static String group(Path settingsFile) {
    try {
      return Files.readAttributes(settingsFile, PosixFileAttributes.class).group().getName();
    } catch (IOException | UnsupportedOperationException e) {
      return SERVICE_GROUP;
    }
  }

  private static String owner(Path file) {
    try {
      PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
      return attributes.owner().getName() + ":" + attributes.group().getName();
    } catch (IOException | UnsupportedOperationException e) {
      return "another user";
    }
  }

  // ---- answer

  private void print(RestorePlan plan, boolean done) {
    Output out = in.output();
    plan.steps(done).forEach(step -> out.item(step, (item, o) -> show(item, done, o)));
    if (!plan.contents().manifest().sessions()) {
      plan.before()
          .ifPresent(old ->
              out.note(
                  "the backup has no kept sessions (`backup --sessions`): those of before are in "
                      + old.resolve("sessions")
                      + (done ? "" : " then")
                      + "; while the gateway is stopped, that folder can be moved back"));
    }
  }

  private static void show(JsonObject item, boolean done, Output out) {
    if (!item.text("step").orElse("").equals("state")) {
      out.line(HumanText.value(item, "to") + ": " + HumanText.value(item, "how"));
      return;
    }
    out.line(
        HumanText.value(item, "to")
            + (done ? ": the state of " : ": would get the state of ")
            + HumanText.value(item, "created")
            + ", generation "
            + HumanText.value(item, "generation")
            + ", "
            + HumanText.value(item, "files")
            + " files, "
            + HumanText.size(item, "octets"));
    if (!item.text("old").orElse("").isEmpty()) {
      out.line(
          (done ? "  the old state is in " : "  the old state would be in ")
              + HumanText.value(item, "old"));
    }
  }

  private void sayNext(RestorePlan plan, Optional<Path> kept) {
    Output out = in.output();
    if (plan.settings().how() == How.BESIDE) {
      out.note("the settings of this machine were kept; compare them with the file beside");
    }
    kept.ifPresent(folder ->
        out.note(
            "files outside of the settings' folder are in "
                + folder
                + "; copy those that you want"));
    String owner = owner(plan.stateDir());
    if (!plan.contents().manifest().owner().isEmpty()
        && !plan.contents().manifest().owner().equals(owner)) {
      out.note(
          "the state belonged to "
              + plan.contents().manifest().owner()
              + " and belongs to "
              + owner
              + " now; `chown -R` gives it to the user that runs the gateway");
    }
    if (!plan.contents().manifest().leftOut().isEmpty()) {
      out.note(
          "the backup was made without these files with keys: "
              + String.join(", ", plan.contents().manifest().leftOut()));
    }
    out.note("next: `bloomgate config validate`, start the gateway, `bloomgate doctor`");
  }
}

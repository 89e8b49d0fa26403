package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.backup.Archive.Member;
import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.generation.GenerationFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes a backup, beside a running gateway or without one; nothing of the gateway's is changed.
 * The order makes it one state: the live generation first, then the feed versions, of which those
 * that it was built from are never removed while it is kept, then what is known of feeds. Where a
 * gateway removes a file before it was read, the archive is begun again. Used by the command line
 * as its caller; one thread, blocking.
 */
public final class Backup {

  /** The number of times that an archive is begun. */
  private static final int MAX_TRIES = 5;

  private final Wanted wanted;
  private final Path stateDir;
  private final ArchiveWriter archive;
  private final Path scratch;
  private final List<String> problems = new ArrayList<>();

  /**
   * The request for a backup.
   *
   * @param force takes the place of a file that is there
   * @param sessions kept sessions too
   * @param secrets files with keys too
   * @param version of this program
   */
  public record Wanted(
      Path settingsFile,
      Settings settings,
      boolean force,
      boolean sessions,
      boolean secrets,
      String version,
      Instant now) {}

  /**
   * The result of a backup, as the command answers it.
   *
   * @param octets of the archive
   * @param members files that are in it
   * @param generation of the lists, and so on: as in {@link Archive.Manifest}
   * @param problems sentences about parts that are not in it although they should be
   */
  public record Done(
      String file,
      long octets,
      int members,
      long generation,
      boolean sessions,
      boolean secrets,
      List<String> leftOut,
      List<String> problems) {
    public Done {
      leftOut = List.copyOf(leftOut);
      problems = List.copyOf(problems);
    }
  }

  private Backup(Wanted wanted, ArchiveWriter archive, Path scratch) {
    this.wanted = wanted;
    this.stateDir = wanted.settings.stateDir();
    this.archive = archive;
    this.scratch = scratch;
  }

  /**
   * Writes the archive.
   *
   * @throws ArchiveException when something that must be in it cannot be read; no file is left
   * @throws IOException the same, in the words of the system
   */
  public static Done write(Path target, Wanted wanted) throws IOException {
    if (Files.exists(wanted.settings.stateDir().resolve(StateLock.RESTORING))) {
      throw new ArchiveException(
          "a restore into "
              + wanted.settings.stateDir()
              + " goes on, or was cut off: not all of the state is there; run `bloomgate restore"
              + " FILE` again");
    }
    for (int tries = 1; ; tries++) {
      try (ArchiveWriter archive = new ArchiveWriter(target, wanted.force, wanted.now)) {
        // A name that nobody knows before, as the folder may be one of all users: 0700.
        Path folder = Optional.ofNullable(target.toAbsolutePath().getParent()).orElse(Path.of("/"));
        Path scratch = Files.createTempDirectory(folder, "." + target.getFileName() + ".copies");
        try {
          return new Backup(wanted, archive, scratch).run(target);
        } finally {
          DurableFiles.deleteTree(scratch);
        }
      } catch (NoSuchFileException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private Done run(Path target) throws IOException {
    List<SecretFiles.Named> secrets = StateFiles.secrets(wanted.settings);
    Path snapshots = stateDir.resolve("snapshots");
    Optional<GenerationFiles> live = GenerationFiles.current(snapshots);
    Archive.Manifest manifest =
        new Archive.Manifest(
            Archive.FORMAT,
            Archive.PRODUCT,
            wanted.version,
            wanted.now,
            wanted.settingsFile.toAbsolutePath().normalize().toString(),
            stateDir.toAbsolutePath().normalize().toString(),
            Restore.Owner.of(stateDir).map(Restore.Owner::text).orElse(""),
            wanted.sessions,
            wanted.secrets,
            live.map(GenerationFiles::generation).orElse(0L),
            wanted.secrets
                ? List.of()
                : secrets.stream()
                    .map(secret -> secret.file() + " (" + secret.key() + ")")
                    .toList());
    archive.add(Archive.MANIFEST, (Json.write(JsonRecords.of(manifest)) + "\n").getBytes(UTF_8));
    if (live.isPresent()) {
      for (Path file : live.get().files()) {
        archive.add(member(file), file);
      }
      archive.add(member(snapshots.resolve("CURRENT")), live.get().pointer().getBytes(US_ASCII));
    }
    archive.add(Member.SETTINGS, Files.readAllBytes(wanted.settingsFile));
    for (Path file : StateFiles.state(stateDir, wanted.sessions)) {
      if (StateFiles.isDatabase(file)) {
        addDatabase(file);
      } else {
        archive.add(member(file), file);
      }
    }
    addElsewhere(secrets);
    int members = archive.members() - 1;
    return new Done(
        target.toString(),
        archive.finish(),
        members,
        manifest.generation(),
        manifest.sessions(),
        manifest.secrets(),
        manifest.leftOut(),
        problems);
  }

  private String member(Path file) {
    return Member.STATE + stateDir.relativize(file);
  }

  /**
   * Adds a database: without the operator's entries there is no backup; without another one there
   * is most of it.
   */
  private void addDatabase(Path file) throws IOException {
    Path copy = scratch.resolve(StateFiles.name(file));
    try {
      DatabaseFiles.copy(file, copy);
      archive.add(member(file), copy);
      Files.delete(copy);
    } catch (IOException e) {
      if (StateFiles.name(file).equals(OperatorLists.FILE_NAME)) {
        throw e;
      }
      problems.add(file + " is not in the backup: " + Faults.words(e));
    }
  }

  private void addElsewhere(List<SecretFiles.Named> secrets) throws IOException {
    if (wanted.secrets) {
      for (SecretFiles.Named secret : secrets) {
        boolean inState = secret.file().equals(stateDir.resolve(StateFiles.SELF_SIGNED));
        archive.add(
            inState ? member(secret.file()) : Member.nameOf(Member.SECRETS, secret.file()),
            secret.file().toRealPath());
      }
    }
    List<Path> keys = secrets.stream().map(secret -> secret.file().toAbsolutePath()).toList();
    for (Path file : StateFiles.lists(wanted.settings)) {
      if (!keys.contains(file)) {
        archive.add(Member.nameOf(Member.FILES, file), file.toRealPath());
      }
    }
  }
}

package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.generation.GenerationFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a backup, beside a running gateway or without one; nothing of the gateway's is changed.
 * The order makes it one state: the live generation first, then the feed versions, of which those
 * that it was built from are never removed while it is kept, then what is known of feeds. Used by
 * the command line as its caller; one thread, blocking.
 */
public final class Backup {

  /**
   * The number of times that the live generation is searched again when it was pruned meanwhile.
   */
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
   * The result of a backup.
   *
   * @param files that are in it
   * @param octets of the archive
   * @param problems sentences about parts that are not in it although they should be
   */
  public record Done(ArchiveManifest manifest, int files, long octets, List<String> problems) {
    public Done {
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
    try (ArchiveWriter archive = ArchiveWriter.create(target, wanted.force, wanted.now)) {
      // A name that nobody knows before, as the folder may be one of all users: 0700.
      Path folder = Optional.ofNullable(target.toAbsolutePath().getParent()).orElse(Path.of("/"));
      Path scratch = Files.createTempDirectory(folder, "." + target.getFileName() + ".copies");
      try {
        return new Backup(wanted, archive, scratch).run();
      } finally {
        DurableFiles.deleteTree(scratch);
      }
    }
  }

  private Done run() throws IOException {
    List<SecretFiles.Named> secrets = NamedFiles.secrets(wanted.settings);
    List<String> leftOut =
        wanted.secrets
            ? List.of()
            : secrets.stream().map(secret -> secret.file() + " (" + secret.key() + ")").toList();
    ArchiveManifest manifest = addGeneration(leftOut);
    archive.add(MemberName.SETTINGS, Files.readAllBytes(wanted.settingsFile));
    for (Path version : StateFiles.versions(stateDir)) {
      addVersion(version);
    }
    addDatabases();
    for (Path file : StateFiles.plain(stateDir)) {
      addIfThere(file);
    }
    addElsewhere(secrets);
    return new Done(manifest, archive.members() - 1, archive.finish(), problems);
  }

  private String member(Path file) {
    return MemberName.STATE + stateDir.relativize(file);
  }

  // ---- lists

  /** The manifest, which names the live generation, and behind it that generation. */
  private ArchiveManifest addGeneration(List<String> leftOut) throws IOException {
    Path snapshots = stateDir.resolve("snapshots");
    for (int tries = 1; ; tries++) {
      try {
        Optional<GenerationFiles> live = GenerationFiles.current(snapshots);
        ArchiveManifest manifest =
            new ArchiveManifest(
                wanted.version,
                wanted.now,
                wanted.settingsFile.toAbsolutePath().normalize().toString(),
                stateDir.toAbsolutePath().normalize().toString(),
                Owner.of(stateDir).map(Owner::text).orElse(""),
                wanted.sessions,
                wanted.secrets,
                live.map(GenerationFiles::generation).orElse(0L),
                leftOut);
        addTogether(
            () -> live.map(GenerationFiles::files).orElse(List.of()),
            () -> archive.add(ArchiveManifest.NAME, manifest.encoded()));
        if (live.isPresent()) {
          archive.add(
              member(snapshots.resolve("CURRENT")), live.get().pointer().getBytes(US_ASCII));
        }
        return manifest;
      } catch (NoSuchFileException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  @FunctionalInterface
  private interface Listing {
    List<Path> files() throws IOException;
  }

  @FunctionalInterface
  private interface Addition {
    void add() throws IOException;
  }

  /**
   * Files that belong together: all are opened before one is read, so that a gateway that removes
   * them meanwhile takes away their names only.
   *
   * @param before runs when all are open
   * @throws NoSuchFileException when one has gone before it was opened; nothing was added then
   */
  private void addTogether(Listing listing, Addition before) throws IOException {
    Map<String, FileChannel> open = new LinkedHashMap<>();
    try {
      for (Path file : listing.files()) {
        if (!StateFiles.name(file).endsWith(".tmp")) {
          open.put(
              member(file),
              FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        }
      }
      before.add();
      for (Map.Entry<String, FileChannel> file : open.entrySet()) {
        archive.add(file.getKey(), file.getValue());
      }
    } finally {
      for (FileChannel channel : open.values()) {
        channel.close();
      }
    }
  }

  private void addVersion(Path version) throws IOException {
    try {
      addTogether(() -> StateFiles.matching(version, "*"), () -> {});
    } catch (NoSuchFileException e) {
      // Newer versions took its place, and it was removed: no generation needs it.
    }
  }

  private void addIfThere(Path file) throws IOException {
    try {
      archive.add(member(file), file);
    } catch (NoSuchFileException e) {
      // It was removed since the folder was read, and is not part of the state any more.
    }
  }

  // ---- databases

  /**
   * Adds the databases: without the operator's entries there is no backup; without another one
   * there is most of it.
   */
  private void addDatabases() throws IOException {
    for (Path file : StateFiles.databases(stateDir, wanted.sessions)) {
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
  }

  // ---- files elsewhere

  private void addElsewhere(List<SecretFiles.Named> secrets) throws IOException {
    if (wanted.secrets) {
      for (SecretFiles.Named secret : secrets) {
        boolean inState = secret.file().equals(stateDir.resolve(NamedFiles.SELF_SIGNED));
        archive.add(
            inState ? member(secret.file()) : MemberName.of(MemberName.SECRETS, secret.file()),
            secret.file().toRealPath());
      }
    }
    List<Path> keys = secrets.stream().map(secret -> secret.file().toAbsolutePath()).toList();
    for (Path file : NamedFiles.lists(wanted.settings)) {
      if (!keys.contains(file)) {
        archive.add(MemberName.of(MemberName.FILES, file), file.toRealPath());
      }
    }
  }
}

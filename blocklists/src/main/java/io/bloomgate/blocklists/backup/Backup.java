package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.SqliteCopy;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.generation.GenerationFiles;
import io.bloomgate.blocklists.greylist.Greylist;
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

  /** How often the live generation is looked for again when it was pruned meanwhile. */
  private static final int TRIES = 5;

  private final Wanted wanted;
  private final Path stateDir;
  private final ArchiveWriter archive;
  private final Path scratch;
  private final List<String> problems = new ArrayList<>();

  /**
   * What is to be saved.
   *
   * @param force takes the place of a file that is there
   * @param sessions kept sessions and the history of the lists too
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
   * What was saved.
   *
   * @param octets of the archive
   * @param problems sentences about parts that are not in it although they should be
   */
  public record Done(ArchiveManifest manifest, long octets, List<String> problems) {
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
    archive.add(
        ArchiveReader.MARK,
        (ArchiveReader.MARK + " " + ArchiveManifest.FORMAT + " " + wanted.version + "\n")
            .getBytes(US_ASCII));
    archive.add(MemberName.SETTINGS, Files.readAllBytes(wanted.settingsFile));
    long generation = addGeneration();
    for (Path version : StateFiles.feedVersions(stateDir)) {
      addVersion(version);
    }
    addEach(StateFiles.heldEntries(stateDir));
    addDatabases();
    addEach(StateFiles.single(stateDir));
    if (wanted.sessions) {
      addEach(StateFiles.history(stateDir));
      addEach(StateFiles.sessionFilters(stateDir));
    }
    List<String> leftOut = addElsewhere();
    ArchiveManifest manifest =
        new ArchiveManifest(
            wanted.version,
            wanted.now,
            wanted.settingsFile.toAbsolutePath().normalize().toString(),
            stateDir.toAbsolutePath().normalize().toString(),
            Owner.of(stateDir).map(Owner::text).orElse(""),
            wanted.sessions,
            wanted.secrets,
            generation,
            members(),
            leftOut);
    archive.add(ArchiveManifest.NAME, manifest.encoded());
    return new Done(manifest, archive.finish(), problems);
  }

  /** Without the mark, which the reader looks at before all others. */
  private List<ArchiveManifest.Member> members() {
    return archive.members().stream()
        .filter(member -> !member.name().equals(ArchiveReader.MARK))
        .toList();
  }

  private String member(Path file) {
    return MemberName.STATE + stateDir.relativize(file);
  }

  /** Others would be refused by a restore. */
  private boolean isSaved(Path file) {
    return StateNames.isSaved(stateDir.relativize(file).toString());
  }

  // ---- lists

  private long addGeneration() throws IOException {
    Path snapshots = stateDir.resolve("snapshots");
    for (int tries = 1; ; tries++) {
      try {
        Optional<GenerationFiles> live = GenerationFiles.current(snapshots);
        if (live.isEmpty()) {
          return 0;
        }
        addTogether(() -> live.get().files());
        archive.add(member(snapshots.resolve("CURRENT")), live.get().pointer().getBytes(US_ASCII));
        return live.get().generation();
      } catch (NoSuchFileException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  @FunctionalInterface
  private interface Listing {
    List<Path> files() throws IOException;
  }

  /**
   * Files that belong together: all are opened before one is read, so that a gateway that removes
   * them meanwhile takes away their names only.
   *
   * @throws NoSuchFileException when one has gone before it was opened; nothing was added then
   */
  private void addTogether(Listing listing) throws IOException {
    Map<String, FileChannel> open = new LinkedHashMap<>();
    try {
      for (Path file : listing.files()) {
        if (isSaved(file) && !String.valueOf(file.getFileName()).endsWith(".tmp")) {
          open.put(
              member(file),
              FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        }
      }
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
      addTogether(() -> StateFiles.files(version, "*"));
    } catch (NoSuchFileException e) {
      // Newer versions took its place, and it was removed: no generation needs it.
    }
  }

  /** Files that may go meanwhile, each for itself. */
  private void addEach(List<Path> files) throws IOException {
    for (Path file : files.stream().filter(this::isSaved).toList()) {
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        archive.add(member(file), channel);
      } catch (NoSuchFileException e) {
        // It was removed since the folder was read, and is not part of the state any more.
      }
    }
  }

  // ---- databases

  /** Without the operator's entries there is no backup; without another one there is most of it. */
  private void addDatabases() throws IOException {
    addDatabase(stateDir.resolve(OperatorLists.FILE_NAME));
    List<Path> others =
        new ArrayList<>(
            List.of(stateDir.resolve(FeedStates.FILE_NAME), stateDir.resolve(Greylist.FILE_NAME)));
    if (wanted.sessions) {
      others.addAll(StateFiles.sessionDays(stateDir));
    }
    for (Path file : others) {
      try {
        addDatabase(file);
      } catch (IOException e) {
        problems.add(file + " is not in the backup: " + Faults.words(e));
      }
    }
  }

  private void addDatabase(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path copy = scratch.resolve(String.valueOf(file.getFileName()));
    SqliteCopy.write(file, copy);
    archive.add(member(file), copy);
    Files.delete(copy);
  }

  // ---- files elsewhere

  private List<String> addElsewhere() throws IOException {
    List<String> leftOut = new ArrayList<>();
    List<SecretFiles.Named> secrets = NamedFiles.secrets(wanted.settings);
    for (SecretFiles.Named secret : secrets) {
      if (wanted.secrets) {
        String name =
            secret.file().startsWith(stateDir) && isSaved(secret.file())
                ? member(secret.file())
                : MemberName.of(MemberName.SECRETS, secret.file());
        archive.add(name, secret.file().toRealPath());
      } else {
        leftOut.add(secret.file() + " (" + secret.key() + ")");
      }
    }
    List<Path> keys = secrets.stream().map(secret -> secret.file().toAbsolutePath()).toList();
    for (Path file : NamedFiles.lists(wanted.settings)) {
      if (!keys.contains(file)) {
        archive.add(MemberName.of(MemberName.FILES, file), file.toRealPath());
      }
    }
    return leftOut;
  }
}

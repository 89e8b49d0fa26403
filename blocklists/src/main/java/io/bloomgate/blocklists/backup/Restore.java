package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.FolderSwap;
import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts the state of a backup in the place of a state directory. The new state is made whole in a
 * folder beside, on the disk, under the lock of both; then the two folders change names in one
 * step. A kill at any moment leaves the whole old state or the whole new one under the name that
 * the gateway opens. Used by the command line as its caller; one thread, blocking.
 */
public final class Restore {

  /** Beside the state directory: the files that belong elsewhere and were not put there. */
  private static final String ELSEWHERE = ".restored-files";

  /** Beside the state directory: what is being made, and for a moment the old state. */
  private static final String FRESH = ".restoring";

  /** In a state that was made by a restore that has not ended: it was never in force. */
  private static final String UNFINISHED = "restoring";

  /** What is in a state directory that no gateway has used yet. */
  private static final Set<String> NOTHING =
      Set.of(StateLock.FILE_NAME, UNFINISHED, FRESH, "native", "lost+found");

  /** Left free on the disk, for the gateway that starts next. */
  private static final long RESERVE_OCTETS = 64L << 20;

  private static final Set<PosixFilePermission> FOLDER_MODE =
      PosixFilePermissions.fromString("rwxr-x---");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path archive;
  private final ArchiveManifest manifest;
  private final Path stateDir;
  private final Path fresh;
  private final Staging staging;

  /** True for a mount point, which cannot be exchanged: it is filled in place. */
  private final boolean mounted;

  /**
   * A whole and undamaged archive.
   *
   * @param settings the settings file in it
   */
  public record Contents(ArchiveManifest manifest, String settings) {}

  /**
   * What was done.
   *
   * @param before where the old state is now; empty when there was none
   * @param staged folder of the caller alone with the files that belong elsewhere, each under the
   *     name of its member; empty when there are none
   */
  public record Done(Optional<Path> before, Optional<Path> staged) {}

  private Restore(Path archive, ArchiveManifest manifest, Path stateDir, boolean mounted) {
    this.archive = archive;
    this.manifest = manifest;
    this.stateDir = stateDir.toAbsolutePath().normalize();
    this.fresh = mounted ? this.stateDir.resolve(FRESH) : beside(this.stateDir, FRESH);
    this.mounted = mounted;
    this.staging = new Staging(this.stateDir, mounted);
  }

  /**
   * Reads an archive to its end and writes nothing.
   *
   * @throws ArchiveException when it is refused, damaged, cut or of a later release
   */
  public static Contents check(Path archive) throws IOException {
    SettingsMember settings = new SettingsMember();
    ArchiveManifest manifest =
        ArchiveReader.read(
            archive,
            name -> name.equals(MemberName.SETTINGS) ? settings : OutputStream.nullOutputStream());
    return new Contents(manifest, settings.text(archive));
  }

  /** True when a gateway, or another restore, uses this state directory; makes nothing. */
  public static boolean isInUse(Path stateDir) throws IOException {
    if (!Files.exists(stateDir.resolve(StateLock.FILE_NAME))) {
      return false;
    }
    Optional<StateLock> lock = StateLock.take(stateDir);
    if (lock.isEmpty()) {
      return true;
    }
    lock.get().close();
    return false;
  }

  /** True when there is state that a restore would put aside. */
  public static boolean hasState(Path stateDir) throws IOException {
    if (!Files.isDirectory(stateDir) || Files.exists(stateDir.resolve(StateLock.CUT_OFF))) {
      return false;
    }
    try (Stream<Path> files = Files.list(stateDir)) {
      return files.anyMatch(file -> !NOTHING.contains(String.valueOf(file.getFileName())));
    }
  }

  /**
   * Makes sure that a restore may begin; makes nothing.
   *
   * @throws ArchiveException when the state can be neither exchanged nor filled in place
   */
  public static void requireReplaceable(Path stateDir) throws IOException {
    requireReplaceable(stateDir, MountPoints.has(stateDir));
  }

  private static void requireReplaceable(Path stateDir, boolean mounted) throws IOException {
    if (mounted && hasState(stateDir)) {
      throw new ArchiveException(
          stateDir
              + " is a mount point with state in it; only an empty one can be restored into: move"
              + " all of its content elsewhere first");
    }
  }

  /**
   * Makes sure that the state directory which an archive names, and nobody here, holds nothing of
   * anybody else; makes nothing.
   *
   * @throws ArchiveException when it holds a file that no state directory has
   */
  public static void requireOurs(Path stateDir) throws IOException {
    StateNames.require(stateDir);
  }

  /** Where the old state goes. */
  public static Path before(Path stateDir, Instant now) {
    return beside(stateDir.toAbsolutePath().normalize(), ".before-restore-" + STAMP.format(now));
  }

  /** Where files that belong elsewhere stay for the operator to copy. */
  public static Path keep(Path staged, Path stateDir) throws IOException {
    Path kept = StateFolders.free(staged.resolveSibling(stateDir.getFileName() + ELSEWHERE));
    Files.move(staged, kept, StandardCopyOption.ATOMIC_MOVE);
    return kept;
  }

  private static Path beside(Path stateDir, String suffix) {
    return stateDir.resolveSibling(stateDir.getFileName() + suffix);
  }

  /**
   * Restores the state; files that belong elsewhere are {@link Done#staged} for the caller to copy.
   *
   * @throws ArchiveException when a gateway runs, or the archive is not what was checked; the state
   *     directory is as it was
   * @throws IOException the same, in the words of the system
   */
  public static Done run(Path archive, Contents contents, Path stateDir, Instant now)
      throws IOException {
    return run(archive, contents, stateDir, now, MountPoints.has(stateDir));
  }

  /** The same where it is known whether the state directory is a mount point. */
  static Done run(Path archive, Contents contents, Path stateDir, Instant now, boolean mounted)
      throws IOException {
    return new Restore(archive, contents.manifest, stateDir, mounted).run(now);
  }

  private Done run(Instant now) throws IOException {
    Optional<Owner> owner = owner();
    boolean made = Files.notExists(stateDir);
    boolean done = false;
    MountFill closed = null;
    try (StateLock _ = lock(stateDir)) {
      if (owner.isPresent()) {
        owner.get().give(stateDir.resolve(StateLock.FILE_NAME)); // or the gateway may not open it
        closed = mounted ? MountFill.close(stateDir, owner.get()) : null;
      }
      tidy(now);
      requireReplaceable(stateDir, mounted);
      prepare();
      Optional<Path> before = mounted ? moveIn(owner) : swap(owner, now);
      Done result = new Done(before, staging.made());
      done = true;
      return result;
    } finally {
      if (!done) {
        forget(made);
      }
      if (closed != null) {
        closed.open();
      }
    }
  }

  private Optional<Owner> owner() {
    return Optional.of(stateDir)
        .filter(_ -> mounted)
        .flatMap(MountFill::ownerBefore)
        .or(() -> Owner.of(stateDir))
        .or(() -> Owner.named(manifest.owner(), stateDir));
  }

  /** The whole new state, on the disk. */
  private void prepare() throws IOException {
    DurableFiles.createPrivateDirectory(fresh);
    Files.createFile(fresh.resolve(UNFINISHED));
    requireRoom();
    extract();
    lock(fresh).close();
  }

  /** From here on the gateway's user can change the new state: nothing is read from it any more. */
  private void handOver(Optional<Owner> owner) throws IOException {
    if (owner.isPresent()) {
      owner.get().take(fresh);
    }
    Files.setPosixFilePermissions(fresh, modeOf(stateDir));
  }

  private StateLock lock(Path folder) throws IOException {
    return StateLock.take(folder)
        .orElseThrow(() ->
            new ArchiveException(
                "a gateway runs on " + stateDir + ", or another restore; stop it first"));
  }

  /** What a restore left that was killed: the new state that was not finished, or the old one. */
  private void tidy(Instant now) throws IOException {
    staging.tidy();
    Files.deleteIfExists(stateDir.resolve(UNFINISHED));
    if (Files.exists(stateDir.resolve(StateLock.CUT_OFF))) {
      clear(stateDir);
    }
    if (!Files.exists(fresh, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.exists(fresh.resolve(UNFINISHED)) || !hasState(fresh)) {
      DurableFiles.deleteTree(fresh);
    } else {
      Files.move(
          fresh,
          StateFolders.free(before(stateDir, now.minusSeconds(1))),
          StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** All of it is of an archive, and not whole; the mark goes last. */
  private static void clear(Path stateDir) throws IOException {
    for (Path path : StateFolders.entries(stateDir)) {
      String name = String.valueOf(path.getFileName());
      if (!name.equals(StateLock.FILE_NAME) && !name.equals(StateLock.CUT_OFF)) {
        DurableFiles.deleteTree(path);
      }
    }
    Files.delete(stateDir.resolve(StateLock.CUT_OFF));
  }

  /** Removes a new state that did not get the name, and a state directory that was made for it. */
  private void forget(boolean made) throws IOException {
    staging.forget();
    if (Files.exists(fresh.resolve(UNFINISHED))) {
      DurableFiles.deleteTree(fresh);
    }
    if (made && !hasState(stateDir)) {
      DurableFiles.deleteTree(stateDir);
    }
  }

  private void requireRoom() throws IOException {
    long free = FreeSpace.octets(fresh);
    long needed = manifest.octets() + RESERVE_OCTETS;
    if (free < needed) {
      throw new ArchiveException(
          "the disk of "
              + stateDir
              + " has "
              + free
              + " octets free, and "
              + needed
              + " are needed");
    }
  }

  private void extract() throws IOException {
    ArchiveManifest found = ArchiveReader.read(archive, this::open);
    if (!found.equals(manifest)) {
      throw new ArchiveException(archive + " was changed since it was checked");
    }
    StateFolders.syncFolders(fresh);
  }

  private OutputStream open(String name) throws IOException {
    if (name.equals(MemberName.SETTINGS)) {
      return OutputStream.nullOutputStream();
    }
    boolean state = name.startsWith(MemberName.STATE);
    Path root = state ? fresh : staging.folder();
    Path file = root.resolve(state ? name.substring(MemberName.STATE.length()) : name);
    // The names were looked at one by one; this is the second lock.
    if (!file.normalize().startsWith(root) || !file.normalize().equals(file)) {
      throw new ArchiveException("a member leads out of the state directory");
    }
    StateFolders.makeFolders(file.getParent());
    return new DurableOutput(file);
  }

  private static Set<PosixFilePermission> modeOf(Path stateDir) throws IOException {
    return Files.isDirectory(stateDir) ? Files.getPosixFilePermissions(stateDir) : FOLDER_MODE;
  }

  /** From here on the new state has the name; a gateway that starts now finds the lock held. */
  private Optional<Path> swap(Optional<Owner> owner, Instant now) throws IOException {
    boolean replaces = hasState(stateDir);
    Path before = StateFolders.free(before(stateDir, now));
    try (StateLock _ = lock(fresh)) {
      handOver(owner);
      exchange(before);
      Files.delete(stateDir.resolve(UNFINISHED));
      DurableFiles.sync(stateDir);
    }
    if (replaces) {
      DurableFiles.rename(fresh, before);
      return Optional.of(before);
    }
    DurableFiles.deleteTree(fresh);
    return Optional.empty();
  }

  /** A gateway that finds the mark does not start. */
  private Optional<Path> moveIn(Optional<Owner> owner) throws IOException {
    Path mark = stateDir.resolve(StateLock.CUT_OFF);
    Files.createFile(mark);
    DurableFiles.sync(stateDir);
    Files.delete(fresh.resolve(UNFINISHED));
    Files.delete(fresh.resolve(StateLock.FILE_NAME));
    handOver(owner);
    for (Path path : StateFolders.entries(fresh)) {
      Path target = stateDir.resolve(String.valueOf(path.getFileName()));
      DurableFiles.deleteTree(target);
      DurableFiles.rename(path, target);
    }
    Files.delete(fresh);
    Files.delete(mark);
    DurableFiles.sync(stateDir);
    return Optional.empty();
  }

  private void exchange(Path aside) throws IOException {
    try {
      FolderSwap.exchange(stateDir, fresh, aside);
    } catch (IOException e) {
      throw new ArchiveException(
          stateDir
              + " cannot be replaced ("
              + Faults.words(e)
              + "); restore into an empty directory",
          e);
    }
  }
}

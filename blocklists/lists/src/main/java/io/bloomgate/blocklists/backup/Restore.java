package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the state of a backup in the place of a state directory. The new state is made whole in a
 * folder beside, on the disk; then the old folder gets another name and the new one its name, under
 * the locks of both. An empty directory, such as a volume of a container, is filled in place. A
 * kill at any moment leaves the whole old state or the whole new one, or a directory with which no
 * gateway starts. Used by the command line as its caller; one thread, blocking.
 */
public final class Restore {

  /** The files of a state directory that no gateway has used yet. */
  private static final Set<String> NOTHING =
      Set.of(StateLock.FILE_NAME, StateLock.CUT_OFF, "native", "lost+found");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path archive;
  private final Path stateDir;

  /** The folder beside it in which the new state is made. */
  private final Path fresh;

  /** The owner that the new state gets; empty when it is not known. */
  private final Optional<Owner> owner;

  private Restore(Path archive, ArchiveManifest manifest, Path stateDir) {
    this.archive = archive;
    this.stateDir = stateDir.toAbsolutePath().normalize();
    this.fresh = DatabaseFiles.beside(this.stateDir, StateLock.RESTORING);
    this.owner = Owner.of(stateDir).or(() -> Owner.named(manifest.owner(), stateDir));
  }

  /** True when a gateway, or another restore, uses this state directory; makes nothing. */
  public static boolean isInUse(Path stateDir) throws IOException {
    if (!Files.exists(stateDir.resolve(StateLock.FILE_NAME))) {
      return false;
    }
    Optional<StateLock> lock = StateLock.take(stateDir);
    if (lock.isPresent()) {
      lock.get().close();
    }
    return lock.isEmpty();
  }

  private static boolean hasState(Path stateDir) throws IOException {
    if (!Files.isDirectory(stateDir) || Files.exists(stateDir.resolve(StateLock.CUT_OFF))) {
      return false;
    }
    try (Stream<Path> files = Files.list(stateDir)) {
      return files.anyMatch(file -> !NOTHING.contains(StateFiles.name(file)));
    }
  }

  /**
   * Makes sure that a restore may begin; makes nothing.
   *
   * @throws ArchiveException when the directory holds the files of something else, or when its
   *     state can be neither exchanged nor filled in place
   */
  public static void requireReplaceable(Path stateDir) throws IOException {
    requireReplaceable(stateDir, isMounted(stateDir));
  }

  /** The same where it is known whether the directory is a mount point. */
  static void requireReplaceable(Path stateDir, boolean mounted) throws IOException {
    if (!hasState(stateDir)) {
      return;
    }
    if (mounted) {
      throw new ArchiveException(
          stateDir
              + " is a mount point with state in it; only an empty one can be restored into: move"
              + " all of its content elsewhere first");
    }
    if (Stream.of(StateLock.FILE_NAME, OperatorLists.FILE_NAME)
        .noneMatch(name -> Files.exists(stateDir.resolve(name)))) {
      throw new ArchiveException(
          stateDir
              + " is no state directory: it holds other files; write a settings file with the"
              + " state_dir that you want, name it with -c, and restore without --force");
    }
  }

  /** True when the folder is on another file system than the one above it. */
  static boolean isMounted(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().normalize().getParent();
    if (parent == null || !Files.isDirectory(folder)) {
      return parent == null;
    }
    return !Files.getFileStore(folder).equals(Files.getFileStore(parent));
  }

  /** The path to which the old state goes; empty when there is none. */
  public static Optional<Path> before(Path stateDir, Instant now) throws IOException {
    if (!hasState(stateDir)) {
      return Optional.empty();
    }
    Path wanted =
        DatabaseFiles.beside(
            stateDir.toAbsolutePath().normalize(), ".before-restore-" + STAMP.format(now));
    Path name = wanted;
    for (int n = 2; Files.exists(name, LinkOption.NOFOLLOW_LINKS); n++) {
      name = DatabaseFiles.beside(wanted, "-" + n);
    }
    return Optional.of(name);
  }

  /**
   * Restores the state.
   *
   * @param archive that was checked
   * @throws ArchiveException when a gateway runs, or the archive is damaged since; the state
   *     directory is as it was
   * @throws IOException the same, in the words of the system
   */
  public static void run(Path archive, ArchiveManifest manifest, Path stateDir, Instant now)
      throws IOException {
    new Restore(archive, manifest, stateDir).run(now);
  }

  private void run(Instant now) throws IOException {
    if (Files.notExists(stateDir)) {
      exchange(null);
      return;
    }
    try (StateLock _ = lock(stateDir)) {
      requireReplaceable(stateDir);
      Path before = before(stateDir, now).orElse(null);
      if (before == null) {
        fill();
      } else {
        exchange(before);
      }
    }
  }

  private StateLock lock(Path folder) throws IOException {
    StateLock lock =
        StateLock.take(folder)
            .orElseThrow(() ->
                new ArchiveException(
                    "a gateway runs on " + stateDir + ", or another restore; stop it first"));
    give(folder.resolve(StateLock.FILE_NAME)); // or the gateway may not open it
    return lock;
  }

  private void give(Path file) throws IOException {
    if (owner.isPresent()) {
      owner.get().give(file);
    }
  }

  /** Fills an empty directory, or one that a kill left half filled; its mark says so until then. */
  private void fill() throws IOException {
    Path mark = stateDir.resolve(StateLock.CUT_OFF);
    boolean wasCutOff = Files.exists(mark);
    boolean done = false;
    DurableFiles.deleteTree(fresh);
    try {
      if (!wasCutOff) {
        Files.createFile(mark);
        DurableFiles.sync(stateDir);
      }
      unpack(stateDir);
      done = true;
    } finally {
      if (!done) {
        clear(stateDir);
      }
      if (done || !wasCutOff) {
        Files.deleteIfExists(mark);
        DurableFiles.sync(stateDir);
      }
    }
  }

  /**
   * Makes the new state beside and gives it the name. While nothing has the name, the folder beside
   * keeps a gateway from starting; one that starts after this finds the lock held.
   *
   * @param before where the old state goes; {@code null} where there is none
   */
  private void exchange(@Nullable Path before) throws IOException {
    boolean wasCutOff = StateLock.isCutOff(stateDir);
    try (StateLock _ = lock(fresh)) {
      unpack(fresh);
      if (before != null) {
        Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(stateDir));
      }
      swap(before);
    } finally {
      if (!wasCutOff || Files.exists(stateDir)) {
        DurableFiles.deleteTree(fresh);
      }
    }
  }

  private void swap(@Nullable Path before) throws IOException {
    try {
      if (before != null) {
        Files.move(stateDir, before, StandardCopyOption.ATOMIC_MOVE);
      }
      try {
        DurableFiles.rename(fresh, stateDir);
      } catch (IOException e) {
        if (before != null) {
          Files.move(before, stateDir, StandardCopyOption.ATOMIC_MOVE);
        }
        throw e;
      }
    } catch (FileSystemException e) {
      throw new ArchiveException(
          stateDir
              + " cannot be replaced ("
              + Faults.words(e)
              + "); restore into an empty directory",
          e);
    }
  }

  /** Makes the whole new state, on the disk, in place of what a kill left. */
  private void unpack(Path folder) throws IOException {
    clear(folder);
    ArchiveReader.read(archive, (name, content) -> unpack(folder, name, content));
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(p -> !p.startsWith(folder.resolve("lost+found"))).toList()) {
        give(path);
        if (Files.isDirectory(path)) {
          DurableFiles.sync(path);
        }
      }
    }
  }

  private static void unpack(Path folder, String name, InputStream content) throws IOException {
    if (!name.startsWith(Member.STATE)) {
      return;
    }
    Path file = folder.resolve(name.substring(Member.STATE.length()));
    Files.createDirectories(
        file.resolve("..").normalize(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (FileChannel out =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      content.transferTo(Channels.newOutputStream(out));
      out.force(true);
    }
  }

  /** Removes all but what a directory has before a gateway used it. */
  private static void clear(Path folder) throws IOException {
    for (Path path : StateFiles.matching(folder, "*")) {
      if (!NOTHING.contains(StateFiles.name(path))) {
        DurableFiles.deleteTree(path);
      }
    }
  }
}

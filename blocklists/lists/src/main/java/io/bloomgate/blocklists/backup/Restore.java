package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.backup.ArchiveReader.Contents;
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
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the state of a backup in the place of a state directory. An empty one is filled in place. Of
 * one with state the new state is made whole in a folder beside, on the disk; then the old folder
 * gets another name and the new one its name, under the locks of both. A kill at any moment leaves
 * the whole old state or the whole new one, or a directory with which no gateway starts. Used by
 * the command line as its caller; one thread, blocking.
 */
public final class Restore {

  /** The files of a state directory that no gateway has used yet. */
  private static final Set<String> NOTHING = Set.of(StateLock.FILE_NAME, "native", "lost+found");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path archive;
  private final Contents contents;
  private final Path stateDir;

  /** The owner that the new state gets; empty when it is not known. */
  private final Optional<Owner> owner;

  /** The files and folders that were made. */
  private final Set<Path> unpacked = new LinkedHashSet<>();

  private Restore(Path archive, Contents contents, Path stateDir) {
    this.archive = archive;
    this.contents = contents;
    this.stateDir = stateDir.toAbsolutePath().normalize();
    this.owner = Owner.of(stateDir).or(() -> Owner.named(contents.manifest().owner(), stateDir));
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
   * @throws ArchiveException when a gateway runs, or the archive is not what was checked; the state
   *     directory is as it was
   * @throws IOException the same, in the words of the system
   */
  public static void run(Path archive, Contents contents, Path stateDir, Instant now)
      throws IOException {
    new Restore(archive, contents, stateDir).run(now);
  }

  private void run(Instant now) throws IOException {
    Path mark = stateDir.resolve(StateLock.CUT_OFF);
    boolean cutOff = StateLock.isCutOff(stateDir) || Files.exists(mark);
    boolean made = Files.notExists(stateDir) && !cutOff;
    try (StateLock _ = lock(stateDir)) {
      boolean done = false;
      try {
        if (cutOff && Files.notExists(mark)) {
          Files.createFile(mark); // before the folder beside goes, which says the same
          DurableFiles.sync(stateDir);
        }
        give(stateDir.resolve(StateLock.FILE_NAME)); // or the gateway may not open it
        tidy();
        requireReplaceable(stateDir);
        Optional<Path> before = before(stateDir, now);
        if (before.isEmpty()) {
          fill(stateDir);
        } else {
          Path fresh = DatabaseFiles.beside(stateDir, StateLock.RESTORING);
          DurableFiles.createPrivateDirectory(fresh);
          fill(fresh);
          exchange(fresh, before.get());
        }
        done = true;
      } finally {
        if (!done && Files.exists(stateDir)) {
          tidy();
          if (made) {
            DurableFiles.deleteTree(stateDir);
          } else if (!cutOff) {
            Files.deleteIfExists(mark);
          }
        }
      }
    }
  }

  private StateLock lock(Path folder) throws IOException {
    return StateLock.take(folder)
        .orElseThrow(() ->
            new ArchiveException(
                "a gateway runs on " + stateDir + ", or another restore; stop it first"));
  }

  private void give(Path file) throws IOException {
    if (owner.isPresent()) {
      owner.get().give(file);
    }
  }

  /** Removes the new state of a restore that was cut off, here and beside; the mark stays. */
  private void tidy() throws IOException {
    Path mark = stateDir.resolve(StateLock.CUT_OFF);
    if (Files.exists(mark)) {
      for (Path path : StateFiles.matching(stateDir, "*")) {
        if (!path.equals(mark) && !NOTHING.contains(StateFiles.name(path))) {
          DurableFiles.deleteTree(path);
        }
      }
    }
    DurableFiles.deleteTree(DatabaseFiles.beside(stateDir, StateLock.RESTORING));
  }

  /** Makes the whole new state, on the disk. A gateway that finds the mark does not start. */
  private void fill(Path folder) throws IOException {
    Path mark = folder.resolve(StateLock.CUT_OFF);
    if (Files.notExists(mark)) {
      Files.createFile(mark);
      DurableFiles.sync(folder);
    }
    if (!ArchiveReader.read(archive, (name, content) -> unpack(folder, name, content))
        .equals(contents)) {
      throw new ArchiveException(archive + " was changed since it was checked");
    }
    for (Path path : unpacked) {
      give(path);
      if (Files.isDirectory(path)) {
        DurableFiles.sync(path);
      }
    }
    give(folder);
    Files.delete(mark);
    DurableFiles.sync(folder);
  }

  private void unpack(Path folder, String name, InputStream content) throws IOException {
    if (!name.startsWith(Member.STATE)) {
      return;
    }
    Path file = folder.resolve(name.substring(Member.STATE.length()));
    makeFolders(folder, file.getParent());
    try (FileChannel out =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      content.transferTo(Channels.newOutputStream(out));
      out.force(true);
    }
    unpacked.add(file);
  }

  /** Makes a folder and those around it that are missing, for this user alone. */
  private void makeFolders(Path top, @Nullable Path folder) throws IOException {
    if (folder != null && !folder.equals(top) && unpacked.add(folder)) {
      makeFolders(top, folder.getParent());
      DurableFiles.createPrivateDirectory(folder);
    }
  }

  /** Gives the new state the name; a gateway that starts after this finds the lock held. */
  private void exchange(Path fresh, Path before) throws IOException {
    try (StateLock _ = lock(fresh)) {
      give(fresh.resolve(StateLock.FILE_NAME));
      Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(stateDir));
      Files.move(stateDir, before, StandardCopyOption.ATOMIC_MOVE);
      try {
        DurableFiles.rename(fresh, stateDir);
      } catch (IOException e) {
        Files.move(before, stateDir, StandardCopyOption.ATOMIC_MOVE);
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
}

package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.backup.Archive.Member;
import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.operator.OperatorLists;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts the state of a backup in the place of a state directory. The new state is made whole in a
 * folder inside, on the disk; then the old files are moved away and the new ones to their places,
 * under the lock. A kill at any moment leaves the whole old state or the whole new one, or a
 * directory with which no gateway starts, and of which the next restore first moves the rest. Used
 * by the command line as its caller; one thread, blocking.
 */
public final class Restore {

  /** The folder in which the new state is made, before it is whole. */
  private static final String BEGUN = "restore.new";

  /**
   * The folder that collects the old state. While it is there all files of the state are old ones,
   * else new ones.
   */
  private static final String REPLACED = "restore.old";

  private static final String BEFORE = "before-restore-";

  /** The files that are no state. */
  private static final Set<String> NOTHING =
      Set.of(StateLock.FILE_NAME, StateLock.RESTORING, BEGUN, REPLACED, "native", "lost+found");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path archive;
  private final Path stateDir;

  /** The owner that the new state gets; empty when it is not known. */
  private final Optional<Owner> owner;

  private Restore(Path archive, Archive.Manifest manifest, Path stateDir) {
    this.archive = archive;
    this.stateDir = stateDir.toAbsolutePath().normalize();
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

  /** The files and folders of the state in a folder. */
  private static List<Path> state(Path folder) throws IOException {
    List<Path> files = StateFiles.matching(folder, "*");
    files.removeIf(file -> {
      String name = StateFiles.name(file);
      return NOTHING.contains(name) || name.startsWith(BEFORE);
    });
    return files;
  }

  /**
   * Makes sure that a restore may begin; makes nothing.
   *
   * @throws ArchiveException when the directory holds the files of something else, or a mount point
   */
  public static void requireReplaceable(Path stateDir) throws IOException {
    if (!state(stateDir).isEmpty()
        && Stream.of(StateLock.FILE_NAME, OperatorLists.FILE_NAME)
            .noneMatch(name -> Files.exists(stateDir.resolve(name)))) {
      throw new ArchiveException(
          stateDir
              + " is no state directory: it holds other files; write a settings file with the"
              + " state_dir that you want, name it with -c, and restore without --force");
    }
    for (Path path : state(stateDir)) {
      if (Files.isDirectory(path) && isMounted(path)) {
        throw new ArchiveException(path + " is a mount point, which cannot be moved; unmount it");
      }
    }
  }

  /**
   * The path to which the old state goes, on the same file system: beside the directory or, where
   * that is a mount point, inside; empty when there is none.
   */
  public static Optional<Path> before(Path stateDir, Instant now) throws IOException {
    if (state(stateDir).isEmpty() && Files.notExists(stateDir.resolve(REPLACED))) {
      return Optional.empty();
    }
    Path place = stateDir.toAbsolutePath().normalize();
    String stamp = BEFORE + STAMP.format(now);
    Path wanted =
        isMounted(place) ? place.resolve(stamp) : DatabaseFiles.beside(place, "." + stamp);
    Path name = wanted;
    for (int n = 2; Files.exists(name, LinkOption.NOFOLLOW_LINKS); n++) {
      name = DatabaseFiles.beside(wanted, "-" + n);
    }
    return Optional.of(name);
  }

  /** True when the folder is on another file system than the one above it. */
  static boolean isMounted(Path folder) throws IOException {
    Path above = folder.resolve("..").normalize();
    return !Files.getFileStore(folder).equals(Files.getFileStore(above));
  }

  /**
   * Restores the state.
   *
   * @param archive that was checked
   * @throws ArchiveException when a gateway runs, or the archive is damaged since; the state
   *     directory is as it was
   * @throws IOException when a file cannot be written or moved
   */
  public static void run(Path archive, Archive.Manifest manifest, Path stateDir, Instant now)
      throws IOException {
    requireReplaceable(stateDir);
    new Restore(archive, manifest, stateDir).run(now);
  }

  private void run(Instant now) throws IOException {
    Path begun = stateDir.resolve(BEGUN);
    Path fresh = stateDir.resolve(StateLock.RESTORING);
    try (StateLock _ = lock()) {
      if (Files.exists(fresh)) {
        exchange(fresh, now); // the rest of a restore that was cut off
      }
      Optional<Path> before = before(stateDir, now);
      DurableFiles.deleteTree(begun);
      try {
        unpack(begun);
        if (before.isPresent()) {
          DurableFiles.createPrivateDirectory(before.get());
          give(before.get());
          DurableFiles.rename(before.get(), stateDir.resolve(REPLACED)); // so it can go back
        }
        DurableFiles.rename(begun, fresh); // until it is gone, no gateway starts
      } finally {
        DurableFiles.deleteTree(begun);
      }
      exchange(fresh, now);
    }
  }

  /** Moves the old files away and the new ones to their places, from any step on. */
  private void exchange(Path fresh, Instant now) throws IOException {
    Path replaced = stateDir.resolve(REPLACED);
    if (Files.isDirectory(replaced, LinkOption.NOFOLLOW_LINKS)) {
      move(stateDir, replaced);
      DurableFiles.rename(replaced, before(stateDir, now).orElseThrow());
      DurableFiles.sync(stateDir);
    }
    move(fresh, stateDir);
    DurableFiles.deleteTree(fresh);
    DurableFiles.sync(stateDir);
  }

  private StateLock lock() throws IOException {
    StateLock lock =
        StateLock.take(stateDir)
            .orElseThrow(() ->
                new ArchiveException(
                    "a gateway runs on " + stateDir + ", or another restore; stop it first"));
    give(stateDir); // or the gateway may not use them
    give(stateDir.resolve(StateLock.FILE_NAME));
    return lock;
  }

  private void give(Path file) throws IOException {
    if (owner.isPresent()) {
      owner.get().give(file);
    }
  }

  /** Moves the state in a folder to another one on the same file system. */
  private static void move(Path from, Path to) throws IOException {
    for (Path path : state(from)) {
      Files.move(path, to.resolve(StateFiles.name(path)), StandardCopyOption.ATOMIC_MOVE);
    }
    DurableFiles.sync(to);
    DurableFiles.sync(from);
  }

  /** Makes the whole new state, on the disk. */
  private void unpack(Path folder) throws IOException {
    DurableFiles.createPrivateDirectory(folder);
    Archive.read(archive, (name, content) -> unpack(folder, name, content));
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
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
    try (FileChannel out = DurableFiles.createPrivate(file)) {
      content.transferTo(Channels.newOutputStream(out));
      out.force(true);
    }
  }

  /** User and group of a file or folder. Immutable. */
  public record Owner(UserPrincipal user, GroupPrincipal group) {

    /** The owner of a file; empty when the file does not exist. */
    public static Optional<Owner> of(Path file) {
      try {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        return Optional.of(new Owner(attributes.owner(), attributes.group()));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    /** The owner as {@code USER:GROUP}. */
    public String text() {
      return user.getName() + ":" + group.getName();
    }

    /** Reads {@link #text}; empty when this system does not know both. */
    static Optional<Owner> named(String text, Path on) {
      String[] names = text.split(":", 2);
      UserPrincipalLookupService known = on.getFileSystem().getUserPrincipalLookupService();
      try {
        return Optional.of(
            new Owner(
                known.lookupPrincipalByName(names[0]),
                known.lookupPrincipalByGroupName(names[names.length - 1])));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    /**
     * Gives a file to this user and group; a link is not followed.
     *
     * @throws IOException when the system does not allow it
     */
    void give(Path file) throws IOException {
      PosixFileAttributeView view =
          Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      view.setOwner(user);
      view.setGroup(group);
    }
  }
}

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
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts the state of a backup in the place of a state directory. All of it happens inside of that
 * directory, which may be a mount point: the new state is made whole in a folder, on the disk; then
 * the old files are moved to another folder and the new ones to their places, under the lock. A
 * kill at any moment leaves the whole old state or the whole new one, or a directory with which no
 * gateway starts, and of which the next restore first moves the rest. Used by the command line as
 * its caller; one thread, blocking.
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
  private final Path fresh;
  private final Path replaced;
  private final Instant now;

  /** The owner that the new state gets, as {@link #owner}. */
  private final String owner;

  private Restore(Path archive, String savedOwner, Path stateDir, Instant now) {
    this.archive = archive;
    this.stateDir = stateDir;
    this.fresh = stateDir.resolve(StateLock.RESTORING);
    this.replaced = stateDir.resolve(REPLACED);
    this.now = now;
    this.owner = Files.exists(stateDir) ? owner(stateDir) : savedOwner;
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
    List<Path> files = Backup.matching(folder, "*");
    files.removeIf(file -> {
      String name = Backup.name(file);
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
      if (Files.isDirectory(path)
          && !Files.getFileStore(path).equals(Files.getFileStore(stateDir))) {
        throw new ArchiveException(path + " is a mount point, which cannot be moved; unmount it");
      }
    }
  }

  /** The folder to which the old state goes; empty when there is none. */
  public static Optional<Path> before(Path stateDir, Instant now) throws IOException {
    if (state(stateDir).isEmpty() && Files.notExists(stateDir.resolve(REPLACED))) {
      return Optional.empty();
    }
    Path wanted = stateDir.resolve(BEFORE + STAMP.format(now));
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
   * @throws IOException when a file cannot be written or moved
   */
  public static void run(Path archive, Archive.Manifest manifest, Path stateDir, Instant now)
      throws IOException {
    requireReplaceable(stateDir);
    new Restore(archive, manifest.owner(), stateDir, now).run();
  }

  private void run() throws IOException {
    Path begun = stateDir.resolve(BEGUN);
    try (StateLock _ = lock()) {
      exchange(); // the rest of a restore that was cut off
      DurableFiles.deleteTree(begun);
      try {
        unpack(begun);
        if (!state(stateDir).isEmpty()) {
          DurableFiles.ensurePrivateDirectory(replaced);
          give(replaced);
        }
        DurableFiles.rename(begun, fresh); // until it is gone, no gateway starts
      } finally {
        DurableFiles.deleteTree(begun);
      }
      exchange();
    }
  }

  /** Moves the old files away and the new ones to their places, from any step on. */
  private void exchange() throws IOException {
    if (Files.notExists(fresh)) {
      return;
    }
    if (Files.isDirectory(replaced, LinkOption.NOFOLLOW_LINKS)) {
      move(stateDir, replaced);
      DurableFiles.rename(replaced, before(stateDir, now).orElseThrow());
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

  /** Moves the state in a folder to another one on the same file system. */
  private static void move(Path from, Path to) throws IOException {
    for (Path path : state(from)) {
      Files.move(path, to.resolve(Backup.name(path)), StandardCopyOption.ATOMIC_MOVE);
    }
    DurableFiles.sync(to);
    DurableFiles.sync(from);
  }

  /** Makes the whole new state, on the disk. */
  private void unpack(Path folder) throws IOException {
    DurableFiles.createPrivateDirectory(folder);
    Archive.read(archive, (name, content) -> unpack(folder, name, content));
    keepCertificate(folder);
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        give(path);
        if (Files.isDirectory(path)) {
          DurableFiles.sync(path);
        }
      }
    }
  }

  /**
   * Keeps the gateway's own certificate where the backup has none: another key would not be the one
   * that a TLSA record names (RFC 7672 section 3.1.1).
   */
  private void keepCertificate(Path folder) throws IOException {
    Path own = stateDir.resolve(Backup.SELF_SIGNED);
    if (Files.notExists(folder.resolve(Backup.SELF_SIGNED))
        && Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS)) {
      try (InputStream key = Files.newInputStream(own, LinkOption.NOFOLLOW_LINKS)) {
        unpack(folder, Member.STATE + Backup.SELF_SIGNED, key);
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

  /** User and group of a file, {@code USER:GROUP}; empty when the file does not exist. */
  public static String owner(Path file) {
    try {
      PosixFileAttributes its = Files.readAttributes(file, PosixFileAttributes.class);
      return its.owner().getName() + ":" + its.group().getName();
    } catch (IOException e) {
      return "";
    }
  }

  /** Gives a file to the owner, where this system knows both names; a link is not followed. */
  private void give(Path file) throws IOException {
    UserPrincipalLookupService known = file.getFileSystem().getUserPrincipalLookupService();
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    int colon = owner.indexOf(':');
    if (colon < 0) {
      return;
    }
    UserPrincipal user;
    GroupPrincipal group;
    try {
      user = known.lookupPrincipalByName(owner.substring(0, colon));
      group = known.lookupPrincipalByGroupName(owner.substring(colon + 1));
    } catch (UserPrincipalNotFoundException e) {
      return;
    }
    view.setOwner(user);
    view.setGroup(group);
  }
}

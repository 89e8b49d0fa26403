package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.FolderSwap;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the state of a backup in the place of a state directory. The new state is made whole in a
 * folder beside, on the disk, under the lock of both; then the two folders change names in one
 * step. A kill at any moment leaves the whole old state or the whole new one under the name that
 * the gateway opens. Used by the command line as its caller; one thread, blocking.
 */
public final class Restore {

  /** The folder beside the state directory with the files that belong elsewhere. */
  private static final String ELSEWHERE = ".restored-files";

  /** The folder beside it with what is being made, and for a moment the old state. */
  private static final String FRESH = ".restoring";

  /** A file in the state of a restore that has not ended: this state was never in force. */
  private static final String UNFINISHED = "restoring";

  /** The files of a state directory that no gateway has used yet. */
  private static final Set<String> NOTHING =
      Set.of(StateLock.FILE_NAME, UNFINISHED, FRESH, "native", "lost+found");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path archive;
  private final Contents contents;
  private final Path stateDir;
  private final Path fresh;

  /** True for a mount point, which cannot be exchanged: it is filled in place. */
  private final boolean mounted;

  private @Nullable Path elsewhere;

  /**
   * One file of an archive.
   *
   * @param octets its size
   * @param sha256 of its content, 64 hexadecimal digits
   */
  public record Member(String name, long octets, String sha256) {}

  /**
   * A whole and undamaged archive.
   *
   * @param members all but the manifest, in their order
   * @param settings the settings file in it
   */
  public record Contents(ArchiveManifest manifest, List<Member> members, String settings) {
    public Contents {
      members = List.copyOf(members);
    }

    /** Octets of all members. */
    public long octets() {
      return members.stream().mapToLong(Member::octets).sum();
    }
  }

  /**
   * The result of a restore.
   *
   * @param before where the old state is now; empty when there was none
   * @param elsewhere folder of the caller alone with the files that belong elsewhere, each under
   *     the name of its member; empty when there are none
   */
  public record Done(Optional<Path> before, Optional<Path> elsewhere) {}

  private Restore(Path archive, Contents contents, Path stateDir, boolean mounted) {
    this.archive = archive;
    this.contents = contents;
    this.stateDir = stateDir.toAbsolutePath().normalize();
    this.fresh = mounted ? this.stateDir.resolve(FRESH) : beside(this.stateDir, FRESH);
    this.mounted = mounted;
  }

  /**
   * Reads an archive to its end and writes nothing.
   *
   * @throws ArchiveException when it is refused, damaged, cut or of another release
   */
  public static Contents check(Path archive) throws IOException {
    return ArchiveReader.read(archive, _ -> OutputStream.nullOutputStream());
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

  /** True when there is state that a restore would put aside. */
  public static boolean hasState(Path stateDir) throws IOException {
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
   * @throws ArchiveException when the state can be neither exchanged nor filled in place
   */
  public static void requireReplaceable(Path stateDir) throws IOException {
    requireReplaceable(stateDir, isMounted(stateDir));
  }

  private static void requireReplaceable(Path stateDir, boolean mounted) throws IOException {
    if (mounted && hasState(stateDir)) {
      throw new ArchiveException(
          stateDir
              + " is a mount point with state in it; only an empty one can be restored into: move"
              + " all of its content elsewhere first");
    }
  }

  /** True when the folder is on another file system than the one above it. */
  static boolean isMounted(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().normalize().getParent();
    if (parent == null || !Files.isDirectory(folder)) {
      return parent == null;
    }
    FileStore own = Files.getFileStore(folder);
    return !own.equals(Files.getFileStore(parent));
  }

  /**
   * Makes sure that the state directory which an archive names, and nobody here, holds nothing of
   * anybody else; makes nothing.
   *
   * @throws ArchiveException when it has files, and never was a state directory
   */
  public static void requireOurs(Path stateDir) throws IOException {
    boolean ours =
        Files.notExists(stateDir, LinkOption.NOFOLLOW_LINKS)
            || Files.exists(stateDir.resolve(StateLock.FILE_NAME))
            || (Files.isDirectory(stateDir) && StateFiles.matching(stateDir, "*").isEmpty());
    if (!ours) {
      throw new ArchiveException(
          "the archive names "
              + stateDir
              + " as its state directory, and that is no state directory: it holds other files;"
              + " write a settings file with the state_dir that you want, name it with -c, and"
              + " restore without --force");
    }
  }

  /** The path to which the old state goes. */
  public static Path before(Path stateDir, Instant now) {
    return beside(stateDir.toAbsolutePath().normalize(), ".before-restore-" + STAMP.format(now));
  }

  private static Path beside(Path stateDir, String suffix) {
    return stateDir.resolveSibling(stateDir.getFileName() + suffix);
  }

  /** The name, or one with a number when it is taken. */
  private static Path free(Path wanted) {
    Path name = wanted;
    for (int n = 2; Files.exists(name, LinkOption.NOFOLLOW_LINKS); n++) {
      name = wanted.resolveSibling(wanted.getFileName() + "-" + n);
    }
    return name;
  }

  /**
   * Restores the state; files that belong elsewhere are in {@link Done#elsewhere} for the caller to
   * copy.
   *
   * @throws ArchiveException when a gateway runs, or the archive is not what was checked; the state
   *     directory is as it was
   * @throws IOException the same, in the words of the system
   */
  public static Done run(Path archive, Contents contents, Path stateDir, Instant now)
      throws IOException {
    return run(archive, contents, stateDir, now, isMounted(stateDir));
  }

  /** The same where it is known whether the state directory is a mount point. */
  static Done run(Path archive, Contents contents, Path stateDir, Instant now, boolean mounted)
      throws IOException {
    return new Restore(archive, contents, stateDir, mounted).run(now);
  }

  private Done run(Instant now) throws IOException {
    Optional<Owner> owner =
        Owner.of(stateDir).or(() -> Owner.named(contents.manifest.owner(), stateDir));
    boolean made = Files.notExists(stateDir);
    boolean done = false;
    try (StateLock _ = lock(stateDir)) {
      if (owner.isPresent()) {
        owner.get().give(stateDir.resolve(StateLock.FILE_NAME)); // or the gateway may not open it
      }
      tidy(now);
      requireReplaceable(stateDir, mounted);
      prepare();
      Optional<Path> before = mounted ? moveIn(owner) : swap(owner, now);
      done = true;
      return new Done(before, Optional.ofNullable(elsewhere));
    } finally {
      if (!done) {
        forget(made);
      }
    }
  }

  private StateLock lock(Path folder) throws IOException {
    return StateLock.take(folder)
        .orElseThrow(() ->
            new ArchiveException(
                "a gateway runs on " + stateDir + ", or another restore; stop it first"));
  }

  /** Removes what a killed restore left: the new state that was not finished, or the old one. */
  private void tidy(Instant now) throws IOException {
    Files.deleteIfExists(stateDir.resolve(UNFINISHED));
    if (Files.exists(stateDir.resolve(StateLock.CUT_OFF))) {
      for (Path path : StateFiles.matching(stateDir, "*")) {
        String name = StateFiles.name(path);
        if (!name.equals(StateLock.FILE_NAME) && !name.equals(StateLock.CUT_OFF)) {
          DurableFiles.deleteTree(path);
        }
      }
      Files.delete(stateDir.resolve(StateLock.CUT_OFF));
    }
    if (Files.exists(fresh.resolve(UNFINISHED)) || !hasState(fresh)) {
      DurableFiles.deleteTree(fresh);
    } else {
      Files.move(
          fresh, free(before(stateDir, now.minusSeconds(1))), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Removes a new state that did not get the name, and a state directory that was made for it. */
  private void forget(boolean made) throws IOException {
    if (elsewhere != null) {
      DurableFiles.deleteTree(elsewhere);
    }
    if (Files.exists(fresh.resolve(UNFINISHED))) {
      DurableFiles.deleteTree(fresh);
    }
    if (made && !hasState(stateDir)) {
      DurableFiles.deleteTree(stateDir);
    }
  }

  /** Makes the whole new state, on the disk. */
  private void prepare() throws IOException {
    DurableFiles.createPrivateDirectory(fresh);
    Files.createFile(fresh.resolve(UNFINISHED));
    if (!ArchiveReader.read(archive, this::open).equals(contents)) {
      throw new ArchiveException(archive + " was changed since it was checked");
    }
    try (Stream<Path> all = Files.walk(fresh)) {
      for (Path path : all.toList()) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
          file.force(true);
        }
      }
    }
    lock(fresh).close();
  }

  private OutputStream open(String name) throws IOException {
    if (name.equals(MemberName.SETTINGS)) {
      return OutputStream.nullOutputStream();
    }
    boolean state = name.startsWith(MemberName.STATE);
    Path file =
        state
            ? fresh.resolve(name.substring(MemberName.STATE.length()))
            : elsewhere().resolve(name);
    makeFolders(file.getParent());
    return Files.newOutputStream(
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
  }

  /** Makes a folder and those around it that are missing, for this user alone. */
  private static void makeFolders(@Nullable Path folder) throws IOException {
    if (folder != null && !Files.isDirectory(folder)) {
      makeFolders(folder.getParent());
      DurableFiles.createPrivateDirectory(folder);
    }
  }

  /**
   * A folder that only the user of the restore can enter, which is made when it is missing. The
   * state itself belongs to the gateway's user, who must not choose what root copies.
   */
  private Path elsewhere() throws IOException {
    if (elsewhere == null) {
      Path wanted = free(beside(stateDir, ELSEWHERE));
      Path parent = wanted.getParent();
      if (parent != null && Files.isWritable(parent)) {
        DurableFiles.createPrivateDirectory(wanted);
        elsewhere = wanted;
      } else {
        elsewhere = Files.createTempDirectory(String.valueOf(wanted.getFileName()));
      }
    }
    return elsewhere;
  }

  private void handOver(Optional<Owner> owner) throws IOException {
    if (owner.isPresent()) {
      owner.get().take(fresh);
    }
    Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(stateDir));
  }

  /** Gives the new state the name; a gateway that starts after this finds the lock held. */
  private Optional<Path> swap(Optional<Owner> owner, Instant now) throws IOException {
    boolean replaces = hasState(stateDir);
    Path before = free(before(stateDir, now));
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

  /** A gateway that finds the mark does not start. */
  private Optional<Path> moveIn(Optional<Owner> owner) throws IOException {
    Path mark = stateDir.resolve(StateLock.CUT_OFF);
    Files.createFile(mark);
    DurableFiles.sync(stateDir);
    Files.delete(fresh.resolve(UNFINISHED));
    Files.delete(fresh.resolve(StateLock.FILE_NAME));
    handOver(owner);
    for (Path path : StateFiles.matching(fresh, "*")) {
      Path target = stateDir.resolve(StateFiles.name(path));
      DurableFiles.deleteTree(target);
      DurableFiles.rename(path, target);
    }
    Files.delete(fresh);
    Files.delete(mark);
    DurableFiles.sync(stateDir);
    return Optional.empty();
  }
}

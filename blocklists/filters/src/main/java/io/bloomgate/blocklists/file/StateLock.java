package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a state directory, the file {@code lock} in it: a gateway holds it while it runs, and
 * {@code bloomgate restore} while it replaces what is in it. The system gives it back when the
 * process ends, however it ends. Any thread.
 */
public final class StateLock implements AutoCloseable {

  /** Name of the file in the state directory. */
  public static final String FILE_NAME = "lock";

  /**
   * Name of a folder in a state directory while a restore replaces its files: what is there is not
   * whole.
   */
  public static final String RESTORING = "restoring";

  private final FileChannel file;

  private StateLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Makes the directory when it is missing (0750) and takes its lock. A link instead of the file is
   * an error: root would open for the service's user what that user names.
   *
   * @return empty when another process has it
   */
  public static Optional<StateLock> take(Path stateDir) throws IOException {
    if (Files.notExists(stateDir)) {
      Files.createDirectories(
          stateDir,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    }
    FileChannel channel = open(stateDir.resolve(FILE_NAME));
    if (lock(channel) == null) {
      channel.close();
      return Optional.empty();
    }
    return Optional.of(new StateLock(channel));
  }

  private static FileChannel open(Path lock) throws IOException {
    try {
      return FileChannel.open(
          lock,
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException e) {
      if (Files.isSymbolicLink(lock)) {
        FileSystemException link =
            new FileSystemException(
                lock.toString(), null, "is a link, which the gateway never makes; remove it");
        link.addSuppressed(e);
        throw link;
      }
      throw e;
    }
  }

  /**
   * Makes sure that no gateway writes to a directory that cannot be written now, as far as that can
   * be seen there.
   *
   * @return empty when another process has the lock
   */
  public static Optional<StateLock> takeUnwritable(Path stateDir) throws IOException {
    FileChannel channel =
        FileChannel.open(
            stateDir.resolve(FILE_NAME), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
      channel.close();
      return Optional.empty();
    }
    return Optional.of(new StateLock(channel));
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by another gateway of this very process
    }
  }

  /** Gives the lock back; the file stays. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}

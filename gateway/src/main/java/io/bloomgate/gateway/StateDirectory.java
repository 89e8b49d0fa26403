package io.bloomgate.gateway;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state directory and the lock that keeps a second gateway out of it. Opened by {@link Gateway}
 * before anything else, closed after everything else.
 */
final class StateDirectory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StateDirectory.class);
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lockFile;

  private StateDirectory(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /**
   * Makes the directory when it is missing (0750) and takes its lock.
   *
   * @throws StartFailure when another gateway has it, or it may not be used
   */
  static StateDirectory open(Path path) throws StartFailure {
    try {
      if (Files.notExists(path)) {
        Files.createDirectories(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
      }
      FileChannel channel =
          FileChannel.open(
              path.resolve(LOCK),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      if (lock(channel) == null) {
        channel.close();
        throw new StartFailure(
            StartFailure.CONFIGURATION,
            List.of(
                "state_dir: another gateway is running on "
                    + path
                    + "; stop it, or give this one another state_dir"));
      }
      return new StateDirectory(path, channel);
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          StartFailure.PERMISSION,
          "state_dir: no permission to use "
              + e.getFile()
              + "; make it belong to the user that runs the gateway",
          e);
    } catch (IOException e) {
      throw new StartFailure(
          StartFailure.CONFIGURATION, "state_dir: cannot use " + path + ": " + Faults.reason(e), e);
    }
  }

  /** The lock goes with the process, however it ends. */
  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by another gateway of this very process
    }
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      LOG.warn("the state directory's lock was not given back: {}", Faults.words(e));
    }
  }
}

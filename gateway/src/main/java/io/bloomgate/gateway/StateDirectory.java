package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state directory and the lock that keeps a second gateway out of it. Opened by {@link Gateway}
 * before anything else, closed after everything else.
 */
final class StateDirectory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StateDirectory.class);

  private final Path path;
  private final StateLock lock;

  private StateDirectory(Path path, StateLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes the directory when it is missing (0750) and takes its lock.
   *
   * @throws StartFailure when another gateway has it, or it may not be used
   */
  static StateDirectory open(Configuration configuration) throws StartFailure {
    Path path = configuration.settings().stateDir();
    String key = configuration.place("state_dir");
    try {
      Optional<StateLock> lock = StateLock.take(path);
      if (lock.isEmpty()) {
        throw new StartFailure(
            StartFailure.CONFIGURATION,
            List.of(
                key
                    + "another gateway is running on "
                    + path
                    + ", or a restore; stop it, or give this one another state_dir"));
      }
      if (Files.exists(path.resolve(StateLock.CUT_OFF))) {
        lock.get().close();
        throw new StartFailure(
            StartFailure.CONFIGURATION,
            List.of(
                key
                    + "a restore into "
                    + path
                    + " was cut off; run `bloomgate restore FILE` again"));
      }
      return new StateDirectory(path, lock.get());
    } catch (AccessDeniedException e) {
      throw new StartFailure(
          StartFailure.PERMISSION,
          key
              + "no permission to use "
              + e.getFile()
              + "; make it belong to the user that runs the gateway",
          e);
    } catch (IOException e) {
      throw new StartFailure(
          StartFailure.CONFIGURATION,
          key
              + "cannot use "
              + path
              + ": "
              + Faults.reason(e)
              + "; make the folder, for the user that runs the gateway, or name another one",
          e);
    }
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("the state directory's lock was not given back: {}", Faults.words(e));
    }
  }
}

package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state directory and the lock that keeps a second gateway out of it. Opened by {@link Gateway}
 * before anything else, closed after everything else; housekeeping calls {@link #tick}.
 *
 * <p>On a disk that cannot be written now the gateway starts without the lock, as far as the disk
 * does not show another one, and takes it as soon as that is possible.
 */
final class StateDirectory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StateDirectory.class);

  private static final String ROOT = "root";

  private final Path path;
  private @Nullable StateLock lock;

  /** The reason why there is no lock; empty when there is one. */
  private volatile String trouble = "";

  private StateDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes the directory when it is missing (0750) and takes its lock.
   *
   * @throws StartFailure when another gateway has it, or it may not be used
   */
  static StateDirectory open(Configuration configuration) throws StartFailure {
    StateDirectory state = new StateDirectory(configuration.settings().stateDir());
    String key = configuration.place("state_dir");
    try {
      refuseForeign(state.path, System.getProperty("user.name", ""), key);
      if (!state.take()) {
        throw new StartFailure(
            StartFailure.CONFIGURATION,
            List.of(
                key
                    + "another gateway is running on "
                    + state.path
                    + ", or a restore; stop it, or give this one another state_dir"));
      }
      if (Files.exists(state.path.resolve(StateLock.RESTORING))) {
        state.close();
        throw new StartFailure(
            StartFailure.TRY_AGAIN,
            List.of(
                key
                    + "a restore into "
                    + state.path
                    + " was cut off; run `bloomgate restore FILE` again"));
      }
      return state;
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
              + state.path
              + ": "
              + Faults.reason(e)
              + "; make the folder, for the user that runs the gateway, or name another one",
          e);
    }
  }

  /**
   * Refuses to run as root in the directory of a service's user: that user cannot open what root
   * makes there, and the service would not start again.
   *
   * @param user whom this process runs as
   */
  static void refuseForeign(Path directory, String user, String key)
      throws IOException, StartFailure {
    if (!user.equals(ROOT) || Files.notExists(directory)) {
      return;
    }
    String owner = Files.getOwner(directory).getName();
    if (!owner.equals(ROOT)) {
      throw new StartFailure(
          StartFailure.PERMISSION,
          List.of(
              key
                  + directory
                  + " belongs to the user "
                  + owner
                  + ", and root would make files there that "
                  + owner
                  + " cannot open; type `systemctl start bloomgate`, or `runuser -u "
                  + owner
                  + " -- bloomgate run`"));
    }
  }

  /** False when another process has the lock. */
  private boolean take() throws IOException {
    try {
      Optional<StateLock> taken = StateLock.take(path);
      taken.ifPresent(own -> lock = own);
      return taken.isPresent();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      if (!cannotBeWrittenNow()) {
        throw e;
      }
      trouble =
          "state_dir " + path + " cannot be written, and nothing is kept: " + Faults.reason(e);
      LOG.error("{}", trouble);
    }
    try {
      Optional<StateLock> taken = StateLock.takeUnwritable(path);
      taken.ifPresent(shared -> lock = shared);
      return taken.isPresent();
    } catch (NoSuchFileException e) {
      return true; // no gateway was ever here
    }
  }

  /**
   * False for a name below a file, and for a link, which another directory or its removal cures.
   */
  private boolean cannotBeWrittenNow() {
    Path there = path.toAbsolutePath();
    while (there.getParent() != null && Files.notExists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    return Files.isDirectory(there) && !Files.isSymbolicLink(path.resolve(StateLock.FILE_NAME));
  }

  /** Takes the lock that could not be taken at the start. */
  void tick() {
    if (trouble.isEmpty()) {
      return;
    }
    close(); // a lock of this process for reading keeps out its own for writing
    try {
      StateLock.take(path)
          .ifPresent(taken -> {
            lock = taken;
            trouble = "";
            LOG.info("state_dir {} can be written again", path);
          });
    } catch (IOException e) {
      LOG.debug("{} cannot be written yet: {}", path, e.toString());
    }
  }

  /** A sentence while the directory cannot be written, else none. */
  List<String> alarms() {
    return trouble.isEmpty() ? List.of() : List.of(trouble);
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try {
      if (lock != null) {
        lock.close();
        lock = null;
      }
    } catch (IOException e) {
      LOG.warn("the state directory's lock was not given back: {}", Faults.words(e));
    }
  }

  /**
   * Watches the space that the state directory has left. Checked by housekeeping on a thread that
   * may block; {@code status} shows the alarm with the figure of that moment.
   */
  static final class DiskSpace {

    /** Less than this is an alarm, in octets. */
    static final long LOW_OCTETS = 1L << 30;

    private static final long MIB = 1L << 20;

    /** Measures the free space. */
    @FunctionalInterface
    interface Gauge {
      /** Octets that the user of the gateway may use. */
      long octets() throws IOException;
    }

    private final Path directory;
    private final Gauge free;
    private volatile OptionalLong freeOctets = OptionalLong.empty();

    /** True when the log has the trouble of now. */
    private boolean logged;

    DiskSpace(Path directory, Gauge free) {
      this.directory = directory;
      this.free = free;
    }

    /** Makes one for the file system of a directory. */
    static DiskSpace of(Path directory) {
      return new DiskSpace(directory, () -> FreeSpace.octets(directory));
    }

    /** Checks once, and logs what is new; a chore that may block. */
    void look() {
      try {
        measure();
      } catch (IOException e) {
        LOG.warn("the free space of {} is not known: {}", directory, e.toString());
        return;
      }
      Optional<Trouble> found = known();
      if (!logged) {
        found.map(Trouble::sentence).ifPresent(LOG::warn);
      }
      logged = found.isPresent();
    }

    private void measure() throws IOException {
      freeOctets = OptionalLong.of(free.octets());
    }

    /** Returns the space at the last check; empty before it. */
    OptionalLong freeOctets() {
      return freeOctets;
    }

    /** Says when there is too little space; asks the disk, and may block for that. */
    Optional<Trouble> trouble() {
      try {
        measure();
      } catch (IOException e) {
        // The last figure is the best that is known; the next look logs it.
        return known().or(() -> Optional.of(unknown(e)));
      }
      return known();
    }

    private Trouble unknown(IOException e) {
      return new Trouble(
          false,
          "the free space of state_dir " + directory + " is not known: " + e.getMessage(),
          "check that it is there, and its owner");
    }

    private Optional<Trouble> known() {
      long octets = freeOctets.orElse(LOW_OCTETS);
      return octets >= LOW_OCTETS
          ? Optional.empty()
          : Optional.of(
              new Trouble(
                  octets < SessionDays.RESERVE_OCTETS,
                  ("state_dir %s has only %d MiB free: below %d MiB no sessions are kept, below %d"
                          + " MiB no list is stored")
                      .formatted(
                          directory,
                          octets / MIB,
                          SessionDays.RESERVE_MIB,
                          FreeSpace.LIST_RESERVE_OCTETS / MIB),
                  "make room: `du -xh --max-depth=1 "
                      + directory
                      + "` shows what takes it, and lower sessions.max_size or"
                      + " feeds.keep_generations help"));
    }
  }
}

package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the space that the state directory has left. Checked by housekeeping on a thread that may
 * block; {@code status} shows the alarm with the figure of that moment.
 */
final class DiskSpace {

  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

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
                    + "` shows what takes it, and lower sessions.max_size or feeds.keep_generations"
                    + " help"));
  }
}

package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.sessions.SessionDays;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
  private volatile List<String> alarms = List.of();

  /** True when the log has the alarm of now. */
  private boolean logged;

  private volatile OptionalLong freeOctets = OptionalLong.empty();

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
    List<String> found = alarms;
    if (!logged) {
      found.forEach(LOG::warn);
    }
    logged = !found.isEmpty();
  }

  private void measure() throws IOException {
    long octets = free.octets();
    freeOctets = OptionalLong.of(octets);
    alarms =
        octets >= LOW_OCTETS
            ? List.of()
            : List.of(
                "state_dir "
                    + directory
                    + " has only "
                    + octets / MIB
                    + " MiB free: make room; below "
                    + SessionDays.RESERVE_MIB
                    + " MiB no sessions are kept, below "
                    + FreeSpace.LIST_RESERVE_OCTETS / MIB
                    + " MiB no list is stored");
  }

  /** Returns the space at the last check; empty before it. */
  OptionalLong freeOctets() {
    return freeOctets;
  }

  /** One sentence while there is too little, else empty; asks the disk, and may block for that. */
  List<String> alarms() {
    try {
      measure();
    } catch (IOException e) {
      // The last figure is the best that is known; the next look logs it.
    }
    return alarms;
  }
}

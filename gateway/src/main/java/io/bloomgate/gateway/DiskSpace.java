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
 * How much space the state directory has left. Checked by housekeeping on a thread that may block;
 * {@code status} shows the alarm.
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
  private volatile OptionalLong freeOctets = OptionalLong.empty();

  DiskSpace(Path directory, Gauge free) {
    this.directory = directory;
    this.free = free;
  }

  /** Of the file system of a directory. */
  static DiskSpace of(Path directory) {
    return new DiskSpace(directory, () -> FreeSpace.octets(directory));
  }

  /** Checks once; a chore that may block. */
  void look() {
    long octets;
    try {
      octets = free.octets();
      freeOctets = OptionalLong.of(octets);
    } catch (IOException e) {
      LOG.warn("the free space of {} is not known: {}", directory, e.toString());
      return;
    }
    List<String> before = alarms;
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
    if (before.isEmpty()) {
      alarms.forEach(LOG::warn);
    }
  }

  /** As of the last check; empty before it. */
  OptionalLong freeOctets() {
    return freeOctets;
  }

  /** One sentence while there is too little; else empty. */
  List<String> alarms() {
    return alarms;
  }
}

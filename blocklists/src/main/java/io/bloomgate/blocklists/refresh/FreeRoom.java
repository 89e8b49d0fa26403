package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether the state directory has room for one more version. Lists can be fetched again;
 * the operator's entries and remembered answers cannot, so the last space of a disk is kept for
 * those. Asked by {@link FeedFiles} before it stores.
 */
final class FreeRoom {

  private static final Logger LOG = LoggerFactory.getLogger(FreeRoom.class);

  /** Octets that no feed may use up. */
  static final long RESERVE_OCTETS = FreeSpace.LIST_RESERVE_OCTETS;

  private static final long MIB = 1L << 20;

  /** A gauge of the free space where a directory is. */
  @FunctionalInterface
  interface Gauge {
    /** The free space in octets, for the administrator. */
    long octets(Path directory) throws IOException;
  }

  /** The gauge of the file system. */
  static final Gauge OF_FILE_SYSTEM = FreeSpace::octets;

  /** The disk has too little room; nothing was stored. */
  static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  private final Gauge gauge;

  FreeRoom(Gauge gauge) {
    this.gauge = gauge;
  }

  /**
   * Makes sure that this number of octets fits. Where the free space is not known, everything fits:
   * without lists nothing is refused, and a write to a full disk fails anyway.
   *
   * @throws NoRoomException with a sentence for the operator when they do not
   */
  void require(Path directory, long octets) throws NoRoomException {
    long free;
    try {
      free = gauge.octets(directory);
    } catch (IOException e) {
      LOG.warn("lists are stored without a look at the free space: {}", Faults.words(e));
      return;
    }
    if (free - RESERVE_OCTETS < octets) {
      throw new NoRoomException(
          "state_dir has "
              + free / MIB
              + " MiB free, and "
              + (octets + RESERVE_OCTETS + MIB - 1) / MIB
              + " MiB are wanted; make room, the lists that are live stay meanwhile");
    }
  }
}

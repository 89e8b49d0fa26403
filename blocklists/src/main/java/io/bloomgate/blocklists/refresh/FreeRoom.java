package io.bloomgate.blocklists.refresh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the state directory has room for one more version. Lists can be fetched again; the
 * operator's entries and remembered answers cannot, so the last space of a disk is kept for those.
 * Asked by {@link FeedFiles} before it stores.
 */
final class FreeRoom {

  /** Octets that no feed may use up. */
  static final long RESERVE_OCTETS = 64L << 20;

  private static final long MIB = 1L << 20;

  /** How much is free where a directory lies. */
  @FunctionalInterface
  interface Gauge {
    /** In octets, for the administrator. */
    long octets(Path directory) throws IOException;
  }

  /** Of the file system. */
  static final Gauge OF_FILE_SYSTEM = path -> Files.getFileStore(path).getUsableSpace();

  /** There is too little; nothing was stored. */
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
   * Makes sure that this number of octets fits.
   *
   * @throws NoRoomException with a sentence for the operator when they do not
   */
  void require(Path directory, long octets) throws IOException {
    long free = gauge.octets(directory);
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

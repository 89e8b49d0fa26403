package io.bloomgate.blocklists.refresh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the state directory has room for one more version. Lists come back by themselves; the
 * operator's entries and what was promised to senders do not, so the last of a disk is left to
 * those. Asked by {@link FeedFiles} before it stores.
 */
final class FreeRoom {

  /** Octets that no feed may use up. */
  static final long RESERVE_OCTETS = 64L << 20;

  private static final long MIB = 1L << 20;

  /** How much is free where a directory lies. */
  @FunctionalInterface
  interface Gauge {
    /** In octets, for who runs the gateway. */
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
   * Makes sure that so many octets fit.
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

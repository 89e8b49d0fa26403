package io.bloomgate.gateway.doctor;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.sessions.SessionDays;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether the state directory has the room that storing needs: sessions and lists leave the
 * last of it to the operator's entries. Used by {@link Doctor}.
 */
final class DiskCheck {

  private static final String CHECK = Doctor.Check.GATEWAY.word();
  private static final long MIB = 1L << 20;

  /** The free space that is soon too little, as {@code status} says. */
  static final long LOW_OCTETS = 1L << 30;

  private final Path directory;

  DiskCheck(Path directory) {
    this.directory = directory;
  }

  /** The problem; empty when there is room. */
  Optional<DoctorFinding> finding() {
    try {
      return finding(FreeSpace.octets(directory));
    } catch (IOException e) {
      return Optional.of(
          DoctorFinding.warn(
              CHECK,
              directory.toString(),
              "its free space is not known: " + e.getMessage(),
              "check that state_dir is there, and its owner"));
    }
  }

  /** The same for this number of free octets. */
  Optional<DoctorFinding> finding(long free) {
    if (free >= LOW_OCTETS) {
      return Optional.empty();
    }
    String has = "state_dir has " + free / MIB + " MiB free";
    String fix =
        "make room; `du -xh --max-depth=1 %s` shows what takes it, and lower sessions.max_size or"
                .formatted(directory)
            + " feeds.keep_generations help";
    return Optional.of(
        free < SessionDays.RESERVE_OCTETS
            ? DoctorFinding.fail(
                CHECK,
                directory.toString(),
                has
                    + ": below "
                    + SessionDays.RESERVE_MIB
                    + " MiB no session is kept, and a list is only stored where "
                    + FreeSpace.LIST_RESERVE_OCTETS / MIB
                    + " MiB stay free",
                fix)
            : DoctorFinding.warn(
                CHECK,
                directory.toString(),
                has + ": below " + SessionDays.RESERVE_MIB + " MiB no session is kept",
                fix));
  }
}

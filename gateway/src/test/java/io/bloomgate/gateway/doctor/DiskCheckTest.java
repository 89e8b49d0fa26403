package io.bloomgate.gateway.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.doctor.DoctorFinding.State;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the doctor says of the room in the state directory. */
final class DiskCheckTest {

  private static final Path STATE = Path.of("/var/lib/bloomgate");
  private static final long MIB = 1L << 20;

  private static Optional<DoctorFinding> free(long octets) {
    return new DiskCheck(STATE).finding(octets);
  }

  @Test
  void isOnlyReportedWhileThereIsTooLittle() {
    assertEquals(Optional.empty(), free(DiskCheck.LOW_OCTETS));
    DoctorFinding low = free(DiskCheck.LOW_OCTETS - 1).orElseThrow();
    assertEquals(State.WARN, low.state());
    assertEquals("state_dir has 1023 MiB free: below 128 MiB no session is kept", low.what());
    assertEquals(State.WARN, free(128 * MIB).orElseThrow().state());
  }

  @Test
  void isAFaultWhereSessionsAreLost() {
    DoctorFinding none = free(0).orElseThrow();
    assertEquals(State.FAIL, none.state());
    assertEquals(
        "state_dir has 0 MiB free: below 128 MiB no session is kept, and a list is only stored"
            + " where 64 MiB stay free",
        none.what());
    assertTrue(none.fix().contains("`du -xh --max-depth=1 /var/lib/bloomgate`"), none.fix());
    assertEquals(State.FAIL, free(128 * MIB - 1).orElseThrow().state());
  }

  @Test
  void aDirectoryThatIsGoneIsReported() {
    DoctorFinding gone = new DiskCheck(Path.of("/nothing/of/this/name")).finding().orElseThrow();
    assertEquals(State.WARN, gone.state());
    assertTrue(gone.what().startsWith("its free space is not known"), gone.what());
  }
}

package io.bloomgate.gateway.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.doctor.Doctor.StartCacheCheck;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What the doctor says of the start cache. That Java gives these words is tested with a real Java,
 * in gateway/dist/test-inside.sh.
 */
final class StartCacheCheckTest {

  private static final String FILE = "/usr/lib/bloomgate/gateway.aot";

  @Test
  void isOnlyReportedWhereTheLauncherStartedAJavaThatDoesNotUseIt() {
    assertEquals(Optional.empty(), StartCacheCheck.finding(null, "mixed mode"));
    assertEquals(Optional.empty(), StartCacheCheck.finding(FILE, "mixed mode, sharing"));
    DoctorFinding unfit = StartCacheCheck.finding(FILE, "mixed mode").orElseThrow();
    assertEquals(FILE, unfit.where());
    assertTrue(unfit.what().contains("with other options"), unfit.what());
    assertTrue(unfit.fix().contains("`bloomgate --train`"), unfit.fix());
  }

  /** Java then has its usual archive of classes, which is not the cache. */
  @Test
  void aCacheThatTheLauncherDidNotGiveIsNotUsed() {
    DoctorFinding none = StartCacheCheck.finding("", "mixed mode, sharing").orElseThrow();
    assertTrue(none.what().contains("there is none"), none.what());
  }
}

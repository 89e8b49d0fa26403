package io.bloomgate.gateway.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What several places have in common is said once. */
final class DoctorFindingTest {

  private static DoctorFinding fresh(String feed) {
    return new DoctorFinding.At("feeds", feed).ok("it is fresh");
  }

  private static DoctorFinding timedOut(String feed) {
    return new DoctorFinding.At("feeds", feed)
        .warn("it is cached: timeout", "`bloomgate feeds show " + feed + "` shows more");
  }

  @Test
  void whatRepeatsIsOneFindingWhereItWasFirst() {
    DoctorFinding alone =
        new DoctorFinding.At("feeds", "e").fail("it has no good version", "`x e` helps");
    assertEquals(
        List.of(
            new DoctorFinding("feeds", DoctorFinding.State.OK, "it is fresh", "a, c, f", ""),
            new DoctorFinding(
                "feeds",
                DoctorFinding.State.WARN,
                "it is cached: timeout",
                "b, d",
                "`bloomgate feeds show NAME` shows more"),
            alone),
        DoctorFinding.grouped(
            List.of(fresh("a"), timedOut("b"), fresh("c"), timedOut("d"), alone, fresh("f"))));
  }

  @Test
  void findingsOfOtherChecksAndStatesStayApart() {
    List<DoctorFinding> apart =
        List.of(
            new DoctorFinding.At("tls", "mx").ok("it is fresh"),
            fresh("mx"),
            new DoctorFinding.At("feeds", "mx").warn("it is fresh", ""));
    assertEquals(apart, DoctorFinding.grouped(apart));
  }
}

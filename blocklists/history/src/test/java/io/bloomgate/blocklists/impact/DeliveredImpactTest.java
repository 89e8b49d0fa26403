package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The impact on mail that was delivered before a live list named its sender. */
class DeliveredImpactTest {

  private static final String PARTNER = "45.66.1.9";

  @TempDir Path folder;
  private final List<PastSession> sessions = new ArrayList<>();

  private void delivered(int day) {
    Facts facts =
        Facts.ofClient(IpAddress.parse(PARTNER).toOptional().orElseThrow())
            .withSender(MailAddress.parse("ann@partner-mail.net").toOptional().orElseThrow());
    sessions.add(
        new PastSession(
            RandomMail.START.plus(Duration.ofDays(day)),
            "",
            facts,
            Set.of(),
            Outcome.ACCEPTED,
            false,
            List.of(),
            false,
            1));
  }

  private Side live(Action action) throws Exception {
    return Built.side(folder, Map.of("live", List.of(PARTNER)), Map.of("live", action));
  }

  private ImpactReport impact(Change change) throws Exception {
    return Impact.of(change, sessions::forEach, Built.NOW);
  }

  /** A live list that became wrong must not hide the good senders that it lists. */
  @Test
  void whatWasDeliveredWasNotRefusedAlready() throws Exception {
    for (int day = 1; day <= 3; day++) {
      delivered(day);
    }
    Side side = live(Action.REJECT);
    Path file = Built.write(folder, "tried", List.of(PARTNER));
    try (CandidateLists lists =
        Built.candidates(folder, List.of(Built.candidate(file, Action.REJECT)))) {
      for (Change change :
          List.of(
              Change.adding(side, lists),
              Change.of("live", side, side),
              Change.between(side, side))) {
        ImpactReport report = impact(change);
        assertEquals(new ImpactReport.Sum(3, 0, 3), report.hits());
        assertEquals(0, report.already().sum().sessions());
        assertEquals(Map.of(), report.already().lists());
        assertEquals(new ImpactReport.Sum(3, 0, 3), report.fresh().sum());
        assertEquals(1, report.fresh().known().count());
      }
    }
  }

  /** The mail came again: it was put off then, and would be put off now. */
  @Test
  void whatAGreylistPutsOffAndDeliveredLaterIsNotNew() throws Exception {
    delivered(1);
    Side side = live(Action.GREYLIST);
    assertEquals(1, impact(Change.between(side, side)).already().sum().sessions());
    assertEquals(0, impact(Change.between(side, side)).fresh().sum().sessions());
  }
}

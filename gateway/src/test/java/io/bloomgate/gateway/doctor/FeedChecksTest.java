package io.bloomgate.gateway.doctor;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.LastCheck;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.DoctorFinding.State;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the doctor says of lists, and of those that are asked by DNS. */
final class FeedChecksTest {

  private static DnsListAnswers.State list(
      String name, String zone, @Nullable Path key, boolean enabled, String problem) {
    DnsList list =
        new DnsList(
            name,
            zone,
            key,
            Set.of(Check.CLIENT_IP),
            Set.of(DnsList.Hosts.ADDRESSES),
            List.of(),
            Duration.ofSeconds(1),
            Action.REJECT,
            name,
            "",
            "test");
    return new DnsListAnswers.State(list, enabled, problem);
  }

  private static List<DoctorFinding> found(DnsListAnswers.State... lists) {
    return new FeedChecks(List.of(), List.of(lists)).all();
  }

  @Test
  void withoutAnyListOnlyOwnEntriesCount() {
    DoctorFinding finding = found().getFirst();
    assertEquals(State.WARN, finding.state());
    assertHas(finding.what(), "only your own entries count");
  }

  @Test
  void aFeedWhoseLastCheckFailedIsNotWell() {
    Instant now = Instant.EPOCH;
    FeedStatus feed =
        new FeedStatus(
            "weak",
            FeedState.CACHED,
            1_000,
            0,
            now,
            now,
            now,
            now,
            5,
            Action.OBSERVE,
            "http://lists.example/ answered 500",
            FeedAge.CURRENT,
            FeedStatus.Health.NOTE,
            LastCheck.FAILED,
            null);
    DoctorFinding finding = new FeedChecks(List.of(feed), List.of()).all().getFirst();
    assertEquals(State.WARN, finding.state());
    assertEquals("http://lists.example/ answered 500", finding.what());
  }

  @Test
  void eachZoneIsOnePoint() {
    Path key = Path.of("/etc/bloomgate/secrets/dqs");
    List<DoctorFinding> all =
        found(
            list("sbl", "zen.example", null, true, ""),
            list("xbl", "zen.example", null, true, ""),
            list("zen_with_key", "zen.example", key, true, "it does not answer"),
            list("other", "dbl.example", null, true, "it has not been tested yet"),
            list("resting", "old.example", null, false, ""));
    assertEquals(
        List.of(
            "OK DNS list zen.example: it answers as it should",
            "WARN DNS list zen.example: it is off, mail is judged without it: it does not answer",
            "WARN DNS list dbl.example: it is off, mail is judged without it:"
                + " it has not been tested yet",
            "WARN DNS list old.example: it is disabled"),
        all.stream().map(f -> f.state() + " " + f.where() + ": " + f.what()).toList());
    assertHas(all.get(1).fix(), key.toString());
    assertHas(all.get(2).fix(), "dns.servers", "key_file");
    assertHas(all.get(3).fix(), "feeds enable resting");
  }

  @Test
  void aZoneOfWhichOneListIsOnIsJudgedByThatList() {
    DoctorFinding finding =
        found(
                list("sbl", "zen.example", null, false, ""),
                list("xbl", "zen.example", null, true, "it lists everybody"))
            .getFirst();
    assertEquals(State.WARN, finding.state());
    assertHas(finding.what(), "it lists everybody");
  }
}

package io.bloomgate.gateway.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.AlarmSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When alarms are told. */
final class AlarmChannelTest {

  private static final AlarmSettings ON = new AlarmSettings("postmaster@example.com", null);
  private static final AlarmSettings OFF = new AlarmSettings(null, null);
  private static final String DOWN = "downstream is down: no connection";

  @TempDir private Path folder;
  private Instant now = Instant.parse("2026-11-30T08:00:00Z");
  private AlarmSettings settings = ON;
  private boolean fails;
  private final List<AlarmNotice> told = new ArrayList<>();

  private final AlarmTeller teller =
      new AlarmTeller() {
        @Override
        public String word() {
          return "mail";
        }

        @Override
        public String recipient(AlarmSettings now) {
          return now.to() == null ? "" : now.to();
        }

        @Override
        public String tell(AlarmNotice notice, AlarmSettings now) throws NotToldException {
          if (fails) {
            throw new NotToldException("the mail server is down");
          }
          told.add(notice);
          return "250 2.0.0 Ok";
        }
      };

  private AlarmChannel start() {
    return new AlarmChannel(teller, () -> settings, () -> now, folder.resolve("alarms.mail"));
  }

  /** Four looks a minute, as the gateway takes them. */
  private void live(AlarmChannel channel, Duration time, String... alarms) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      channel.tick(() -> List.of(alarms));
      now = now.plusSeconds(15);
    }
  }

  private static List<String> sentences(List<OpenAlarm> alarms) {
    return alarms.stream().map(OpenAlarm::sentence).toList();
  }

  @Test
  void anAlarmIsToldWhenItBeginsAndWhenItEnds() {
    AlarmChannel channel = start();
    live(channel, Duration.ofHours(3), DOWN);
    assertEquals(1, told.size());
    assertEquals(List.of(DOWN), sentences(told.getFirst().begun()));
    assertEquals(Instant.parse("2026-11-30T08:01:00Z"), told.getFirst().at());
    live(channel, Duration.ofHours(3));
    assertEquals(2, told.size());
    assertEquals(List.of(DOWN), sentences(told.getLast().ended()));
    assertEquals(Instant.parse("2026-11-30T10:59:45Z"), told.getLast().ended().getFirst().seen());
  }

  @Test
  void whatLastsLessThanAMinuteIsNotTold() {
    AlarmChannel channel = start();
    live(channel, Duration.ofSeconds(45), DOWN);
    live(channel, Duration.ofHours(1));
    assertEquals(List.of(), told);
  }

  @Test
  void oneThatFlapsIsToldOnce() {
    AlarmChannel channel = start();
    for (int i = 0; i < 30; i++) {
      live(channel, Duration.ofMinutes(2), DOWN);
      live(channel, Duration.ofMinutes(9));
    }
    assertEquals(1, told.size());
  }

  @Test
  void figuresAndReasonsMakeNoOtherAlarm() {
    AlarmChannel channel = start();
    live(channel, Duration.ofHours(1), "the certificate expires in 13 days, at 2026-12-13", DOWN);
    live(
        channel,
        Duration.ofHours(1),
        "the certificate expires in 12 days, at 2026-12-13",
        "downstream is down: no answer in time");
    assertEquals(1, told.size());
    live(channel, Duration.ofHours(1), "feed drop4: empty", "feed drop6: empty", "late: a");
    assertEquals(3, told.get(1).begun().size(), "names keep their digits");
  }

  @Test
  void manyAreOneMessageAndAnHourHasSix() {
    AlarmChannel channel = start();
    for (int minute = 0; minute < 60; minute++) {
      String[] alarms = new String[minute + 1];
      for (int i = 0; i <= minute; i++) {
        alarms[i] = "feed f" + i + ": empty";
      }
      live(channel, Duration.ofMinutes(1), alarms);
    }
    assertEquals(AlarmMemory.MAX_AN_HOUR, told.size());
    live(channel, Duration.ofMinutes(2), allOf(60));
    assertEquals(AlarmMemory.MAX_AN_HOUR + 1, told.size());
    assertEquals(60, told.stream().mapToInt(notice -> notice.begun().size()).sum());
    assertTrue(told.getLast().begun().size() > 50, "the rest is joined");
  }

  private static String[] allOf(int number) {
    String[] alarms = new String[number];
    for (int i = 0; i < number; i++) {
      alarms[i] = "feed f" + i + ": empty";
    }
    return alarms;
  }

  @Test
  void whatDoesNotArriveIsTriedAgainAndIsAnAlarmItself() {
    AlarmChannel channel = start();
    fails = true;
    live(channel, Duration.ofMinutes(20), DOWN);
    assertTrue(channel.problem().orElseThrow().contains("the mail server is down"));
    fails = false;
    live(channel, Duration.ofHours(2));
    assertEquals(1, told.size());
    assertEquals(List.of(DOWN), sentences(told.getFirst().ended()), "it was missed, and is over");
    assertFalse(channel.problem().isPresent());
  }

  @Test
  void aRestartTellsNothingTwice() {
    live(start(), Duration.ofMinutes(5), DOWN);
    assertEquals(1, told.size());
    AlarmChannel again = start();
    live(again, Duration.ofHours(1), DOWN);
    assertEquals(1, told.size());
    live(start(), Duration.ofHours(1));
    assertEquals(List.of(DOWN), sentences(told.getLast().ended()));
    assertEquals(2, told.size());
    live(start(), Duration.ofHours(1));
    assertEquals(2, told.size());
  }

  @Test
  void aDamagedFileIsNoHindrance() throws IOException {
    Files.writeString(folder.resolve("alarms.mail"), "rubbish\n");
    live(start(), Duration.ofMinutes(5), DOWN);
    assertEquals(1, told.size());
  }

  @Test
  void whoBeginsToBeToldLearnsWhatIsOpen() {
    AlarmChannel channel = start();
    settings = OFF;
    live(channel, Duration.ofHours(1), DOWN);
    assertEquals(List.of(), told);
    settings = ON;
    live(channel, Duration.ofMinutes(5), DOWN);
    assertEquals(1, told.size());
  }

  /** Alarms that come and go in any way: begin and end alternate, and there is no flood. */
  @Test
  void beginAndEndAlternate() {
    long seed = Long.getLong("seed", 20261130);
    Random random = new Random(seed);
    AlarmChannel channel = start();
    boolean[] on = new boolean[8];
    for (int look = 0; look < 40_000; look++) {
      List<String> alarms = new ArrayList<>();
      for (int i = 0; i < on.length; i++) {
        on[i] ^= random.nextInt(1 << (2 + i)) == 0;
        if (on[i]) {
          alarms.add("feed f" + i + ": " + random.nextInt());
        }
      }
      channel.tick(() -> alarms);
      fails = random.nextInt(50) == 0;
      now = now.plusSeconds(15);
    }
    Set<String> open = new HashSet<>();
    for (int i = 0; i < told.size(); i++) {
      AlarmNotice notice = told.get(i);
      notice.ended().forEach(alarm -> assertEquals(alarm.told(), open.remove(alarm.key())));
      notice.begun().forEach(alarm -> assertTrue(open.add(alarm.key()), "seed " + seed));
      if (i >= AlarmMemory.MAX_AN_HOUR) {
        Instant sixBefore = told.get(i - AlarmMemory.MAX_AN_HOUR).at();
        assertFalse(notice.at().isBefore(sixBefore.plus(Duration.ofHours(1))), "seed " + seed);
      }
    }
    assertTrue(told.size() > 20, "seed " + seed);
  }
}

package io.bloomgate.gateway.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.alarm.AlarmMemory.OpenAlarm;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
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

/** When alarms are sent. */
final class AlarmChannelTest {

  private static final AlarmSettings ON = new AlarmSettings("postmaster@example.com", null);
  private static final AlarmSettings OFF = new AlarmSettings(null, null);
  private static final String DOWN = "downstream is down: no connection";

  @TempDir private Path folder;
  private Instant now = Instant.parse("2026-11-30T08:00:00Z");
  private AlarmSettings settings = ON;
  private boolean fails;
  private final List<AlarmNotice> sent = new ArrayList<>();

  private final AlarmSender sender =
      new AlarmSender() {
        @Override
        public String word() {
          return "mail";
        }

        @Override
        public String recipient(AlarmSettings now) {
          return now.to() == null ? "" : now.to();
        }

        @Override
        public String send(AlarmNotice notice, AlarmSettings now) throws NotSentException {
          if (fails) {
            throw new NotSentException("the mail server is down");
          }
          sent.add(notice);
          return "250 2.0.0 Ok";
        }
      };

  private AlarmChannel start() {
    return new AlarmChannel(sender, () -> settings, () -> now, folder.resolve("alarms.mail"));
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
  void anAlarmIsSentWhenItBeginsAndWhenItEnds() {
    AlarmChannel channel = start();
    live(channel, Duration.ofHours(3), DOWN);
    assertEquals(1, sent.size());
    assertEquals(List.of(DOWN), sentences(sent.getFirst().begun()));
    assertEquals(Instant.parse("2026-11-30T08:01:00Z"), sent.getFirst().at());
    live(channel, Duration.ofHours(3));
    assertEquals(2, sent.size());
    assertEquals(List.of(DOWN), sentences(sent.getLast().ended()));
    assertEquals(Instant.parse("2026-11-30T10:59:45Z"), sent.getLast().ended().getFirst().seen());
  }

  @Test
  void oneThatFlapsIsSentOnce() {
    AlarmChannel channel = start();
    for (int i = 0; i < 30; i++) {
      live(channel, Duration.ofMinutes(2), DOWN);
      live(channel, Duration.ofMinutes(9));
    }
    assertEquals(1, sent.size());
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
    assertEquals(1, sent.size());
    live(channel, Duration.ofHours(1), "feed drop4: empty", "feed drop6: empty", "late: a");
    assertEquals(3, sent.get(1).begun().size(), "names keep their digits");
  }

  /** Listings count a little while it is stale, and not at all from then on. */
  @Test
  void aFeedThatExpiresIsSentOnceMore() {
    String feed = "feed f1: no answer; not checked since 2026-11-30T07:00:00Z: ";
    AlarmChannel channel = start();
    live(channel, Duration.ofHours(1), feed + "stale, its refusals have become tags");
    live(channel, Duration.ofHours(1), feed + "expired, its listings are ignored");
    assertEquals(2, sent.size());
    assertTrue(sentences(sent.getLast().begun()).getFirst().contains("are ignored"));
    live(start(), Duration.ofHours(1), feed + "expired, its listings are ignored");
    assertEquals(2, sent.size());
    live(channel, Duration.ofHours(1));
    assertEquals(1, sent.getLast().ended().size());
    assertEquals(3, sent.size());
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
    assertEquals(AlarmMemory.MAX_AN_HOUR, sent.size());
    live(channel, Duration.ofMinutes(2), allOf(60));
    assertEquals(AlarmMemory.MAX_AN_HOUR + 1, sent.size());
    assertEquals(60, sent.stream().mapToInt(notice -> notice.begun().size()).sum());
    assertTrue(sent.getLast().begun().size() > 50, "the rest is joined");
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
    assertEquals(1, sent.size());
    assertEquals(List.of(DOWN), sentences(sent.getFirst().ended()), "it was missed, and is over");
    assertFalse(channel.problem().isPresent());
  }

  @Test
  void aRestartTellsNothingTwice() {
    live(start(), Duration.ofMinutes(5), DOWN);
    assertEquals(1, sent.size());
    AlarmChannel again = start();
    live(again, Duration.ofHours(1), DOWN);
    assertEquals(1, sent.size());
    live(start(), Duration.ofHours(1));
    assertEquals(List.of(DOWN), sentences(sent.getLast().ended()));
    assertEquals(2, sent.size());
    live(start(), Duration.ofHours(1));
    assertEquals(2, sent.size());
  }

  @Test
  void aDamagedFileIsNoHindrance() throws IOException {
    Files.writeString(folder.resolve("alarms.mail"), "rubbish\n");
    live(start(), Duration.ofMinutes(5), DOWN);
    assertEquals(1, sent.size());
  }

  @Test
  void whoBeginsToBeAskedLearnsWhatIsOpen() {
    AlarmChannel channel = start();
    settings = OFF;
    live(channel, Duration.ofHours(1), DOWN);
    assertEquals(List.of(), sent);
    settings = ON;
    live(channel, Duration.ofMinutes(5), DOWN);
    assertEquals(1, sent.size());
  }

  /** Alarms that come and go in any way: begin and end alternate, and there is no flood. */
  @Test
  void beginAndEndAlternate() {
    long seed = Long.getLong("seed", 20261130);
    Random random = new Random(seed);
    AlarmChannel channel = start();
    boolean[] on = new boolean[8];
    for (int look = 0; look < 6_000; look++) {
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
    for (int i = 0; i < sent.size(); i++) {
      AlarmNotice notice = sent.get(i);
      notice.ended().forEach(alarm -> assertEquals(alarm.sent(), open.remove(alarm.key())));
      notice.begun().forEach(alarm -> assertTrue(open.add(alarm.key()), "seed " + seed));
      if (i >= AlarmMemory.MAX_AN_HOUR) {
        Instant sixBefore = sent.get(i - AlarmMemory.MAX_AN_HOUR).at();
        assertFalse(notice.at().isBefore(sixBefore.plus(Duration.ofHours(1))), "seed " + seed);
      }
    }
    assertTrue(sent.size() > 20, "seed " + seed);
  }
}

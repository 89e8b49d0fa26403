package io.bloomgate.gateway.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.alarm.AlarmMemory.OpenAlarm;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The forms of a notice, which scripts read: names are only added. */
final class AlarmNoticeTest {

  private static final Instant SINCE = Instant.parse("2026-11-30T08:00:00.123Z");
  private static final Instant UNTIL = Instant.parse("2026-11-30T09:00:00.456Z");

  private static OpenAlarm alarm(String sentence) {
    return new OpenAlarm(sentence, sentence, SINCE, UNTIL, true);
  }

  private static final AlarmNotice NOTICE =
      new AlarmNotice(
          UNTIL,
          false,
          List.of(alarm("downstream is down"), alarm("late: x")),
          List.of(alarm("feed a: empty\r\nBcc: x@example.com\u001b[31m\u202e")),
          List.of(alarm("state_dir is full")));

  @Test
  void theTextForPeople() {
    assertEquals("ALARM: downstream is down (and 2 more)", NOTICE.headline());
    assertEquals(
        """
        Begun:
        - since 2026-11-30T08:00:00Z: downstream is down
        - since 2026-11-30T08:00:00Z: late: x

        Ended:
        - since 2026-11-30T08:00:00Z until 2026-11-30T09:00:00Z: feed a: empty\\u000d\\u000aBcc: x@example.com\\u001b[31m\\u202e

        Still open:
        - since 2026-11-30T08:00:00Z: state_dir is full

        `bloomgate status` on mx.example.com shows what is open now; `bloomgate doctor` says what to do.
        """,
        NOTICE.text("mx.example.com"));
  }

  @Test
  void theJsonForPrograms() {
    assertEquals(
        "{\"form\":1,\"event\":\"alarms\",\"gateway\":\"mx.example.com\",\"at\":\"2026-11-30T09:00:00Z\",\"text\":\"Bloomgate"
            + " mx.example.com: ALARM: downstream is down (and 2"
            + " more)\",\"begun\":[{\"alarm\":\"downstream is"
            + " down\",\"since\":\"2026-11-30T08:00:00Z\"},{\"alarm\":\"late:"
            + " x\",\"since\":\"2026-11-30T08:00:00Z\"}],\"ended\":[{\"alarm\":\"feed a:"
            + " empty\\\\u000d\\\\u000aBcc: x@example.com\\\\u001b[31m"
            + "\\\\u202e\",\"since\":\"2026-11-30T08:00:00Z\",\"until\":\"2026-11-30T09:00:00Z\"}],\"open\":[{\"alarm\":\"state_dir"
            + " is full\",\"since\":\"2026-11-30T08:00:00Z\"}]}",
        new String(NOTICE.json("mx.example.com"), UTF_8));
  }

  @Test
  void aTestSaysSo() {
    AlarmNotice test = AlarmNotice.test(SINCE);
    assertTrue(test.text("mx.example.com").contains("This is a test"));
    assertTrue(
        new String(test.json("mx.example.com"), UTF_8)
            .startsWith("{\"form\":1,\"event\":\"test\",\"gateway\":\"mx.example.com\","));
  }
}

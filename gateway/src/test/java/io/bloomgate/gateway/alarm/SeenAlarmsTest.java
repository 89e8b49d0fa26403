package io.bloomgate.gateway.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.alarm.Alarms.SeenAlarms;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Alarms that somebody has seen: by which words, and until when. */
final class SeenAlarmsTest {

  private static final Instant BEGIN = Instant.parse("2026-12-01T00:00:00Z");
  private static final String DOWN = "downstream is down: no connection";
  private static final String STALE = "feed drop: 3 days without a check";

  private final SeenAlarms seen = new SeenAlarms();

  @Test
  void wordsAtTheBeginningNameAnAlarm() {
    assertEquals(List.of(), seen.see("is down", List.of(DOWN, STALE), "ada", BEGIN));
    assertEquals(List.of(STALE), seen.see("feed drop", List.of(DOWN, STALE), "ada", BEGIN));
    assertEquals(
        List.of(new Alarms.Seen(STALE, "ada", BEGIN)), seen.look(List.of(DOWN, STALE), BEGIN));
  }

  @Test
  void otherFiguresAndReasonsAreTheSameAlarm() {
    seen.see(DOWN, List.of("downstream is down: it refused"), "ada", BEGIN);
    assertEquals(List.of(new Alarms.Seen(DOWN, "ada", BEGIN)), seen.look(List.of(DOWN), BEGIN));
  }

  @Test
  void anAlarmThatEndedAndBeginsAgainIsNotSeen() {
    seen.see(DOWN, List.of(DOWN), "ada", BEGIN);
    Instant short1 = BEGIN.plus(AlarmMemory.END).minusSeconds(1);
    assertEquals(List.of(), seen.look(List.of(), short1));
    assertEquals(1, seen.look(List.of(DOWN), short1).size());
    Instant over = short1.plus(AlarmMemory.END);
    assertEquals(List.of(), seen.look(List.of(), over));
    assertEquals(List.of(), seen.look(List.of(DOWN), over));
  }
}

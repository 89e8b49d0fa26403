package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The alarm of a state directory that fills up. */
class DiskSpaceTest {

  private static final Path STATE = Path.of("/var/lib/bloomgate");

  private final AtomicLong free = new AtomicLong(DiskSpace.LOW_OCTETS);
  private final DiskSpace space = new DiskSpace(STATE, free::get);

  @Test
  void lessThanAGibibyteIsAnAlarmAndOneLine() {
    try (LogLines log = new LogLines(DiskSpace.class)) {
      space.look();
      assertEquals(List.of(), space.alarms());
      free.set(DiskSpace.LOW_OCTETS - 1);
      assertEquals(1, space.alarms().size(), "somebody asks first");
      space.look();
      space.look();
      String alarm =
          "state_dir /var/lib/bloomgate has only 1023 MiB free: make room; below 128 MiB no"
              + " sessions are kept, below 64 MiB no list is stored";
      assertEquals(List.of(alarm), space.alarms());
      assertEquals(List.of("WARN " + alarm), log.warnings());
      free.set(DiskSpace.LOW_OCTETS);
      space.look();
      assertEquals(List.of(), space.alarms());
    }
  }

  /** Who has just made room looks at once. */
  @Test
  void theFigureIsThatOfTheMomentOfTheQuestion() {
    free.set(0);
    space.look();
    assertTrue(space.alarms().getFirst().contains(" only 0 MiB free"), space.alarms().toString());
    free.set(149L << 20);
    assertTrue(space.alarms().getFirst().contains(" only 149 MiB free"), space.alarms().toString());
    free.set(DiskSpace.LOW_OCTETS);
    assertEquals(List.of(), space.alarms());
  }

  @Test
  void aDiskThatCannotBeAskedIsNoAlarm() {
    DiskSpace gone =
        new DiskSpace(
            STATE,
            () -> {
              throw new IOException("stale file handle");
            });
    try (LogLines log = new LogLines(DiskSpace.class)) {
      gone.look();
      assertTrue(log.warnings().getFirst().contains("stale file handle"));
      assertEquals(List.of(), gone.alarms());
    }
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.StateDirectory.DiskSpace;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
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
      assertEquals("", trouble(space));
      free.set(DiskSpace.LOW_OCTETS - 1);
      assertFalse(trouble(space).isEmpty(), "somebody asks first");
      space.look();
      space.look();
      String alarm =
          "state_dir /var/lib/bloomgate has only 1023 MiB free: below 128 MiB no sessions are kept,"
              + " below 64 MiB no list is stored; make room: `du -xh --max-depth=1"
              + " /var/lib/bloomgate` shows what takes it, and lower sessions.max_size or"
              + " feeds.keep_generations help";
      assertEquals(alarm, trouble(space));
      assertEquals(List.of("WARN " + alarm), log.warnings());
      free.set(DiskSpace.LOW_OCTETS);
      space.look();
      assertEquals("", trouble(space));
    }
  }

  /** Who has just made room looks at once. */
  @Test
  void theFigureIsThatOfTheMomentOfTheQuestion() {
    free.set(0);
    space.look();
    assertTrue(trouble(space).contains(" only 0 MiB free"), trouble(space));
    assertTrue(space.trouble().orElseThrow().severe(), "no session is kept");
    free.set(149L << 20);
    assertTrue(trouble(space).contains(" only 149 MiB free"), trouble(space));
    assertFalse(space.trouble().orElseThrow().severe(), "sessions are kept");
    free.set(DiskSpace.LOW_OCTETS);
    assertEquals("", trouble(space));
  }

  private static String trouble(DiskSpace space) {
    return space.trouble().map(Trouble::sentence).orElse("");
  }

  @Test
  void aDiskThatCannotBeAskedIsNoLackOfSpace() {
    DiskSpace gone =
        new DiskSpace(
            STATE,
            () -> {
              throw new IOException("stale file handle");
            });
    try (LogLines log = new LogLines(DiskSpace.class)) {
      gone.look();
      assertTrue(log.warnings().getFirst().contains("stale file handle"));
      assertTrue(trouble(gone).contains("is not known: stale file handle"), trouble(gone));
      assertFalse(gone.trouble().orElseThrow().severe());
    }
  }
}

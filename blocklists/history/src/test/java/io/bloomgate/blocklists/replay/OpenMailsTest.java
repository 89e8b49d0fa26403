package io.bloomgate.blocklists.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is open is bounded by number and by octets. */
class OpenMailsTest {

  /** So large that 32 fit, with their places. */
  private static final long LARGE = OpenMails.MAX_OCTETS / 32 - 1_000;

  private final List<AtomicLong> pushedOut = new ArrayList<>();
  private final OpenMails<AtomicLong> open = new OpenMails<>(AtomicLong::get, pushedOut::add);

  @Test
  void theOldestIsPushedOutWhenThereAreTooMany() {
    AtomicLong first = new AtomicLong();
    open.put("first", first);
    for (int i = 1; i < OpenMails.MAX_OPEN; i++) {
      open.put("a" + i, new AtomicLong());
    }
    assertEquals(List.of(), pushedOut);
    open.put("one more", new AtomicLong());
    assertEquals(List.of(first), pushedOut);
    assertNull(open.get("first"));
    assertEquals(OpenMails.MAX_OPEN, open.drain().size());
    assertEquals(List.of(), open.drain());
  }

  @Test
  void theOldestArePushedOutWhenAllAreTooLarge() {
    for (int i = 0; i < 32; i++) {
      open.put("a" + i, new AtomicLong(LARGE));
    }
    assertEquals(List.of(), pushedOut);
    open.put("b", new AtomicLong(2 * LARGE));
    assertEquals(2, pushedOut.size());
    assertNull(open.get("a1"));
  }

  @Test
  void whatGrowsIsCountedAgain() {
    AtomicLong grows = new AtomicLong();
    for (int i = 0; i < 31; i++) {
      open.put("a" + i, new AtomicLong(LARGE));
    }
    open.put("grows", grows);
    grows.set(LARGE);
    open.changed("grows");
    assertEquals(List.of(), pushedOut);
    grows.set(3 * LARGE);
    open.changed("grows");
    assertEquals(2, pushedOut.size());
    assertSame(grows, open.get("grows"));
  }

  @Test
  void whatIsRemovedOrReplacedTakesNoMemory() {
    for (int i = 0; i < 1_000; i++) {
      open.put("same", new AtomicLong(LARGE));
      open.put("other", new AtomicLong(LARGE));
      open.remove("other");
    }
    open.changed("not open");
    assertEquals(List.of(), pushedOut);
    assertEquals(1, open.drain().size());
  }
}

package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.BeforeFirstLists;
import io.bloomgate.gateway.Overview.FirstLists;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The first start: who waits for the first lists, and for how long. */
class FirstListsTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it wraps
  private final AtomicBoolean loaded = new AtomicBoolean();
  private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.ENFORCE);
  private final AtomicReference<BeforeFirstLists> choice =
      new AtomicReference<>(BeforeFirstLists.TEMPFAIL);
  private final AtomicInteger ready = new AtomicInteger();
  private final FirstLists first =
      new FirstLists(nanos::get, loaded::get, choice::get, mode::get, ready::incrementAndGet);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    first.tick();
  }

  @Test
  void theServiceManagerHearsItOnceWhenListsAreLoaded() {
    pass(Duration.ofSeconds(29));
    assertEquals(0, ready.get());
    loaded.set(true);
    first.tick();
    pass(Duration.ofMinutes(1));
    assertEquals(1, ready.get());
  }

  @Test
  void theServiceManagerWaitsHalfAMinute() {
    pass(Duration.ofSeconds(30));
    pass(Duration.ofSeconds(30));
    assertEquals(1, ready.get());
  }

  @Test
  void mailIsPutOffOnlyWhereAskedForAndWhereListsWouldRefuse() {
    assertTrue(first.putMailOff());
    assertTrue(first.consequence().contains("451"));
    mode.set(Mode.OBSERVE);
    assertFalse(first.putMailOff());
    mode.set(Mode.SOFT);
    assertTrue(first.putMailOff());
    choice.set(BeforeFirstLists.ACCEPT);
    assertFalse(first.putMailOff());
    assertTrue(first.consequence().contains("unchecked"));
  }

  @Test
  void feedsThatNeverComeStopMailForAnHourAtMost() {
    pass(Duration.ofMinutes(59));
    assertTrue(first.putMailOff());
    pass(Duration.ofMinutes(1));
    assertFalse(first.putMailOff());
  }

  @Test
  void withListsNothingIsPutOff() {
    loaded.set(true);
    assertFalse(first.putMailOff());
  }
}

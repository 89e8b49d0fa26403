package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.admin.ModeSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code run} and {@code demo}, and the mode. */
final class StartPartsTest {

  private Instant now = Instant.parse("2026-11-21T08:00:00Z");

  private static Arguments parse(String line) {
    return Arguments.parse(List.of(line.split(" ", -1)));
  }

  @Test
  void globalOptionsMayBeBeforeOrAfterTheCommand() {
    assertEquals(new Arguments.Run(Path.of("/etc/bloomgate/bloomgate.yaml"), false), parse("run"));
    assertEquals(new Arguments.Run(Path.of("a.yaml"), true), parse("-v -c a.yaml run"));
    assertEquals(new Arguments.Run(Path.of("a.yaml"), false), parse("run --config=a.yaml"));
    assertEquals(new Arguments.Demo(true, false), parse("demo --once -o json"));
    assertEquals(new Arguments.Run(Path.of("a.yaml"), false), parse("--offline -c a.yaml run"));
    assertInstanceOf(Arguments.Help.class, parse("run --help"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "status", "run demo", "run --once", "run -c", "demo --twice", "run now"})
  void whatIsNotUnderstoodIsOneLine(String line) {
    assertInstanceOf(Arguments.Wrong.class, parse(line));
    String said = ((Arguments.Wrong) parse(line)).line();
    assertLacks(said, "\n");
  }

  /** As in an emergency: all refusals are stopped for an hour, and not for good. */
  @Test
  void aModeForAWhileReturnsToThatOfACommand() {
    ModeSwitch mode = new ModeSwitch(Mode.OBSERVE, () -> now, () -> true);
    mode.set(Mode.ENFORCE, null);
    mode.set(Mode.OBSERVE, Duration.ofHours(1));
    mode.set(Mode.OBSERVE, Duration.ofHours(2));
    assertEquals(Mode.OBSERVE, mode.effective());
    now = now.plus(Duration.ofHours(2));
    assertEquals(Mode.ENFORCE, mode.effective());
    assertEquals(Optional.of(Mode.OBSERVE), mode.expire());
    assertEquals(Mode.ENFORCE, mode.state().override());
    assertNull(mode.state().until());
    assertEquals(Optional.empty(), mode.expire());
  }

  @Test
  void aModeForAWhileReturnsToThatOfTheSettings() {
    AtomicBoolean ready = new AtomicBoolean(true);
    ModeSwitch mode = new ModeSwitch(Mode.ENFORCE, () -> now, ready::get);
    mode.set(Mode.OBSERVE, Duration.ofHours(1));
    assertEquals(Mode.OBSERVE, mode.effective());
    mode.configure(Mode.SOFT);
    assertEquals(Mode.OBSERVE, mode.state().effective());
    assertEquals(Mode.SOFT, mode.state().configured());
    assertEquals(Optional.empty(), mode.expire());
    now = now.plus(Duration.ofHours(1));
    assertEquals(Mode.SOFT, mode.effective());
    assertEquals(Optional.of(Mode.OBSERVE), mode.expire());
    assertNull(mode.state().override());
    ready.set(false);
    mode.set(Mode.ENFORCE, null);
    assertEquals(Mode.OBSERVE, mode.effective());
    assertEquals(Mode.ENFORCE, mode.state().override());
  }
}

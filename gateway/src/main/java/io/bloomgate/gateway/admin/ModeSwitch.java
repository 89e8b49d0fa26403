package io.bloomgate.gateway.admin;

import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The mode, which decides what is done with verdicts: that of the settings file; {@code bloomgate
 * mode} overrides it (until the next restart); and observe overrides both while there are no lists
 * (rules of decision in gateway/README.md). Asked by sessions, changed by commands and reloads; any
 * thread.
 */
public final class ModeSwitch {

  /**
   * The mode at one moment.
   *
   * @param effective what is done with verdicts now
   * @param configured what the settings file says
   * @param override what {@code bloomgate mode} said, {@code null} when nothing
   * @param until end of the override, {@code null} for none
   */
  public record ModeState(
      Mode effective, Mode configured, @Nullable Mode override, @Nullable Instant until) {}

  /**
   * The mode that a command set.
   *
   * @param former the mode that a command without an end had set before one with an end, {@code
   *     null} for none; it returns
   */
  private record Command(Mode mode, @Nullable Instant until, @Nullable Mode former) {
    boolean holdsAt(Instant now) {
      return until == null || now.isBefore(until);
    }
  }

  private final InstantSource clock;
  private final BooleanSupplier ready;
  private volatile Mode configured;
  private volatile @Nullable Command command;

  /**
   * Begins without an override.
   *
   * @param ready false while no lists are loaded
   */
  public ModeSwitch(Mode configured, InstantSource clock, BooleanSupplier ready) {
    this.configured = configured;
    this.clock = clock;
    this.ready = ready;
  }

  /** The mode that counts now. */
  public Mode effective() {
    return ready.getAsBoolean() ? wanted() : Mode.OBSERVE;
  }

  /** The mode of settings and commands, whether lists are loaded or not. */
  public Mode wanted() {
    Command set = current();
    return set == null ? configured : set.mode();
  }

  /** Uses the mode of new settings; the override of a command stays. */
  public void configure(Mode mode) {
    configured = mode;
  }

  /** Overrides the mode, for {@code bloomgate mode}; {@code null} for no end. */
  public void set(Mode mode, @Nullable Duration duration) {
    Command now = current();
    if (duration == null) {
      command = new Command(mode, null, null);
    } else {
      Instant end = clock.instant().plus(duration).truncatedTo(ChronoUnit.SECONDS);
      Mode former = now == null ? null : now.until == null ? now.mode : now.former;
      command = new Command(mode, end, former);
    }
  }

  /** The mode and where it comes from. */
  public ModeState state() {
    Command set = current();
    return set == null
        ? new ModeState(effective(), configured, null, null)
        : new ModeState(effective(), configured, set.mode(), set.until());
  }

  /** Ends an override whose time is over, and returns its mode. Called by housekeeping. */
  public Optional<Mode> expire() {
    Command set = command;
    if (set == null || set.holdsAt(clock.instant())) {
      return Optional.empty();
    }
    command = current();
    return Optional.of(set.mode());
  }

  private @Nullable Command current() {
    Command set = command;
    if (set == null || set.holdsAt(clock.instant())) {
      return set;
    }
    return set.former == null ? null : new Command(set.former, null, null);
  }
}

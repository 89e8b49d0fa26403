package io.bloomgate.gateway;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.BeforeFirstLists;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The rules of the very first start, before any list was loaded: whether mail passes unchecked
 * ({@code policy.before_first_lists}), and when the service manager learns that the gateway is
 * ready. Asked by sessions on their threads, ticked by housekeeping.
 */
final class FirstLists {

  /** A feed that cannot be fetched must not delay the units that wait for this one. */
  static final Duration READY_AFTER = Duration.ofSeconds(30);

  /** Feeds that cannot be fetched must not stop mail (promise P5): after this time mail passes. */
  static final Duration MAIL_WAITS_AT_MOST = Duration.ofHours(1);

  private final LongSupplier nanoTime;
  private final long beganNanos;
  private final BooleanSupplier loaded;
  private final Supplier<BeforeFirstLists> choice;
  private final Supplier<Mode> mode;
  private final Runnable ready;
  private boolean reported;

  /**
   * Begins now.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param loaded true once lists are live, or where there are no feeds
   * @param mode the mode of the settings or of a command, whatever is loaded
   * @param ready tells the service manager, once
   */
  FirstLists(
      LongSupplier nanoTime,
      BooleanSupplier loaded,
      Supplier<BeforeFirstLists> choice,
      Supplier<Mode> mode,
      Runnable ready) {
    this.nanoTime = nanoTime;
    this.beganNanos = nanoTime.getAsLong();
    this.loaded = loaded;
    this.choice = choice;
    this.mode = mode;
    this.ready = ready;
  }

  /**
   * True while recipients are answered 451. In mode observe the lists would refuse nobody either.
   */
  boolean putMailOff() {
    return !loaded.getAsBoolean()
        && choice.get() == BeforeFirstLists.TEMPFAIL
        && mode.get() != Mode.OBSERVE
        && !passed(MAIL_WAITS_AT_MOST);
  }

  /** Says what happens to mail while no lists are loaded, for log, status and doctor. */
  String consequence() {
    return putMailOff()
        ? "mail is answered 451, for an hour at most"
        : "mail passes unchecked, mode observe";
  }

  /** Says that the gateway is ready when it is, or when that has taken too long. */
  synchronized void tick() {
    if (!reported && (loaded.getAsBoolean() || passed(READY_AFTER))) {
      reported = true;
      ready.run();
    }
  }

  private boolean passed(Duration time) {
    return nanoTime.getAsLong() - beganNanos >= time.toNanos();
  }
}

package io.bloomgate.gateway.alarm;

import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.alarm.AlarmTeller.NotToldException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One way to tell alarms, with what was told by it. What does not arrive is tried again at growing
 * intervals, together with what began and ended meanwhile. {@link #tick} is called by a chore of
 * the housekeeping, which may block; the rest on any thread.
 */
final class AlarmChannel {

  private static final Logger LOG = LoggerFactory.getLogger(AlarmChannel.class);

  /** The pause after a failure; each further pause is twice as long. */
  static final Duration FIRST_PAUSE = Duration.ofMinutes(1);

  static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  /** Failures in a row from which on they are an alarm, which the other way may tell. */
  private static final int MANY = 3;

  private final AlarmTeller teller;
  private final Supplier<AlarmSettings> settings;
  private final InstantSource clock;
  private final AlarmMemory memory;
  private Instant nextTry = Instant.MIN;
  private Duration pause = FIRST_PAUSE;
  private int failures;
  private volatile String problem = "";

  /**
   * Nothing is told yet.
   *
   * @param file keeps what was told
   */
  AlarmChannel(
      AlarmTeller teller, Supplier<AlarmSettings> settings, InstantSource clock, Path file) {
    this.teller = teller;
    this.settings = settings;
    this.clock = clock;
    this.memory = new AlarmMemory(file, clock.instant());
  }

  /** Looks at the alarms, and tells what is due. */
  void tick(Supplier<List<String>> alarms) {
    AlarmSettings now = settings.get();
    if (teller.recipient(now).isEmpty()) {
      memory.forget();
      succeeded();
      return;
    }
    Instant time = clock.instant();
    memory.see(alarms.get(), time);
    if (time.isBefore(nextTry)) {
      return;
    }
    memory.due(time).ifPresent(notice -> tell(notice, now));
  }

  private void tell(AlarmNotice notice, AlarmSettings now) {
    try {
      String answer = teller.tell(notice, now);
      memory.told(notice);
      succeeded();
      LOG.info(
          "alarms were told to {}, {} begun and {} ended: {}",
          teller.recipient(now),
          notice.begun().size(),
          notice.ended().size(),
          answer);
    } catch (NotToldException e) {
      nextTry = notice.at().plus(pause);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
      failures++;
      LOG.warn(
          "alarms were not told to {}, the next attempt is at {}: {}",
          teller.recipient(now),
          nextTry,
          e.getMessage());
      if (failures >= MANY) {
        problem =
            "alarms do not reach "
                + teller.recipient(now)
                + ": "
                + e.getMessage()
                + "; `bloomgate alarms test` tries it";
      }
    }
  }

  private void succeeded() {
    nextTry = Instant.MIN;
    pause = FIRST_PAUSE;
    failures = 0;
    problem = "";
  }

  /** A sentence while what is due does not arrive. */
  Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Sends a test now; empty when nobody is told by this way. */
  Optional<Alarms.Tested> test() {
    AlarmSettings now = settings.get();
    String to = teller.recipient(now);
    if (to.isEmpty()) {
      return Optional.empty();
    }
    try {
      String answer = teller.tell(AlarmNotice.test(clock.instant()), now);
      return Optional.of(new Alarms.Tested(teller.word(), to, true, answer));
    } catch (NotToldException e) {
      return Optional.of(
          new Alarms.Tested(teller.word(), to, false, String.valueOf(e.getMessage())));
    }
  }
}

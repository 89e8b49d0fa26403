package io.bloomgate.gateway.alarm;

import io.bloomgate.config.settings.AlarmSettings;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One way to send alarms, with what was sent by it. What does not arrive is tried again at growing
 * intervals, together with what began and ended meanwhile. {@link #tick} is called by a chore of
 * the housekeeping, which may block; the rest on any thread.
 */
final class AlarmChannel {

  private static final Logger LOG = LoggerFactory.getLogger(AlarmChannel.class);

  /** The pause after each failure in a row; the last one stays. */
  private static final List<Duration> PAUSES =
      IntStream.of(1, 2, 4, 8, 15, 30, 60).mapToObj(Duration::ofMinutes).toList();

  /** Failures in a row from which on they are an alarm, which the other way may send. */
  private static final int MANY = 3;

  private final AlarmSender sender;
  private final Supplier<AlarmSettings> settings;
  private final InstantSource clock;
  private final AlarmMemory memory;
  private Instant failed = Instant.MIN;
  private Duration pause = Duration.ZERO;
  private int failures;
  private volatile String problem = "";

  /**
   * Nothing is sent yet.
   *
   * @param file keeps what was sent
   */
  AlarmChannel(
      AlarmSender sender, Supplier<AlarmSettings> settings, InstantSource clock, Path file) {
    this.sender = sender;
    this.settings = settings;
    this.clock = clock;
    this.memory = new AlarmMemory(file, clock.instant());
  }

  /** Looks at the alarms, and sends what is due. */
  void tick(Supplier<List<String>> alarms) {
    AlarmSettings now = settings.get();
    if (sender.recipient(now).isEmpty()) {
      memory.forget();
      succeeded();
      return;
    }
    Instant time = clock.instant();
    memory.see(alarms.get(), time);
    // A clock that was put back makes nobody wait.
    if (time.isBefore(failed) || !time.isBefore(failed.plus(pause))) {
      memory.due(time).ifPresent(notice -> send(notice, now));
    }
  }

  private void send(AlarmNotice notice, AlarmSettings now) {
    try {
      String answer = sender.send(notice, now);
      memory.sent(notice);
      succeeded();
      LOG.info(
          "alarms were sent to {}, {} begun and {} ended: {}",
          sender.recipient(now),
          notice.begun().size(),
          notice.ended().size(),
          answer);
    } catch (NotSentException e) {
      failed = notice.at();
      pause = PAUSES.get(Math.min(failures, PAUSES.size() - 1));
      failures++;
      LOG.warn(
          "alarms were not sent to {}, the next attempt is at {}: {}",
          sender.recipient(now),
          failed.plus(pause),
          e.getMessage());
      if (failures >= MANY) {
        problem =
            "alarms do not reach "
                + sender.recipient(now)
                + ": "
                + e.getMessage()
                + "; `bloomgate alarms test` tries it";
      }
    }
  }

  private void succeeded() {
    pause = Duration.ZERO;
    failures = 0;
    problem = "";
  }

  /** A sentence while what is due does not arrive. */
  Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Sends a test now; empty when there is no recipient. */
  Optional<Alarms.Tested> test() {
    AlarmSettings now = settings.get();
    String to = sender.recipient(now);
    if (to.isEmpty()) {
      return Optional.empty();
    }
    try {
      String answer = sender.send(AlarmNotice.test(clock.instant()), now);
      return Optional.of(new Alarms.Tested(sender.word(), to, true, answer));
    } catch (NotSentException e) {
      return Optional.of(
          new Alarms.Tested(sender.word(), to, false, String.valueOf(e.getMessage())));
    }
  }
}

package io.bloomgate.blocklists.fleet;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows what of the work with Redis fails now, and why. A new reason is logged once, the first one
 * of several also as an alarm, and the end of the last one is logged. Thread-safe; set by the
 * threads of {@link SharedLists} and {@link SharedCounts}, asked by any.
 */
final class FleetTroubles {

  private static final Logger LOG = LoggerFactory.getLogger(FleetTroubles.class);

  /** Work that fails or succeeds by itself; the first that fails is named. */
  enum Work {
    READ,
    SEND,
    BEAT
  }

  private final String about;
  private final String until;
  private final Consumer<String> alarm;
  private final Map<Work, String> failing = new EnumMap<>(Work.class);
  private boolean began;
  private boolean ended;

  /**
   * Nothing works yet.
   *
   * @param about begins each line
   * @param until says what happens while something fails; ends the alarm
   */
  FleetTroubles(String about, String until, Consumer<String> alarm) {
    this.about = about;
    this.until = until;
    this.alarm = alarm;
    failing.put(Work.READ, "not connected yet");
  }

  /** A piece of work failed. */
  synchronized void failed(Work work, String why) {
    if (ended) {
      return;
    }
    boolean first = failing.isEmpty() || !began;
    began = true;
    if (why.equals(failing.put(work, why))) {
      return;
    }
    if (first) {
      alarm.accept(about + ": " + why + "; " + until);
    } else if (failing.values().stream().filter(why::equals).count() == 1) {
      LOG.warn("{}: {}", about, why);
    }
  }

  /**
   * A piece of work succeeded.
   *
   * @param where for the log
   */
  synchronized void works(Work work, Object where) {
    if (failing.remove(work) != null && failing.isEmpty()) {
      began = true;
      LOG.info("{}: connected to {}", about, where);
    }
  }

  /** Ignores failures from now on: the connections are closed. */
  synchronized void end() {
    ended = true;
  }

  /** Says why something fails; empty while all works. */
  synchronized String problem() {
    return failing.values().stream().findFirst().orElse("");
  }
}

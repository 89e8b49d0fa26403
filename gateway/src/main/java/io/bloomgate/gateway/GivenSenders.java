package io.bloomgate.gateway;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers known senders that were given to the other nodes of a fleet lately: large providers
 * send all day long, and the others need to know that once. Used by the thread of {@link
 * SenderWatch}.
 */
final class GivenSenders {

  /** A sender is given again after this time; days are what counts of known senders. */
  static final Duration AGAIN = Duration.ofDays(1);

  /** Senders that are remembered; those that were quiet longest are given again earlier. */
  static final int MOST = 20_000;

  /** Time at which each sender was given last, by the monotonic clock. */
  private final Map<String, Long> given = new LinkedHashMap<>(16, 0.75f, true);

  /** True when the others are to get this one now. */
  boolean isDue(String sender, long nanos) {
    Long before = given.get(sender);
    if (before != null && nanos - before < AGAIN.toNanos()) {
      return false;
    }
    given.put(sender, nanos);
    if (given.size() > MOST) {
      given.remove(given.keySet().iterator().next());
    }
    return true;
  }
}

package io.bloomgate.gateway.log;

import java.time.Instant;

/** A line of the decision log before it is written: what waits in its queue. Immutable. */
public sealed interface LogEvent permits DecisionRecord, ConnectionEnd {

  /** Returns the time at which it happened. */
  Instant time();

  /** About how much memory it takes while it waits to be written. */
  long octets();
}

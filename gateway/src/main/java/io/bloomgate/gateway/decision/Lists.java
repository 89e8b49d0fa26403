package io.bloomgate.gateway.decision;

import io.bloomgate.blocklists.breaker.Tripped;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.snapshot.ListSnapshot;
import java.time.Instant;
import java.util.Map;

/**
 * Everything a decision may ask, at one instant. Immutable.
 *
 * @param snapshot pinned by the transaction
 * @param operator read anew at every decision
 * @param lastSuccess last successful check of each feed that ages; a feed that is missing here does
 *     not age
 * @param tripped entries that breakers took back to observe, read anew at every decision
 */
public record Lists(
    ListSnapshot snapshot,
    OperatorView operator,
    Map<String, Instant> lastSuccess,
    Tripped tripped) {

  /** Lists of which no breaker has tripped. */
  public Lists(ListSnapshot snapshot, OperatorView operator, Map<String, Instant> lastSuccess) {
    this(snapshot, operator, lastSuccess, Tripped.NONE);
  }

  /** The same with the snapshot that a transaction keeps. */
  public Lists pinnedTo(ListSnapshot pinned) {
    return new Lists(pinned, operator, lastSuccess, tripped);
  }
}

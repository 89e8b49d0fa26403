package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.OperatorView;
import java.time.Instant;
import java.util.Map;

/**
 * Everything a decision may ask, at one instant. Immutable.
 *
 * @param snapshot pinned by the transaction
 * @param operator read again at every decision
 * @param lastSuccess last successful check of each feed that ages; a feed that is missing here does
 *     not age
 */
public record Lists(
    ListSnapshot snapshot, OperatorView operator, Map<String, Instant> lastSuccess) {

  /** The same with the snapshot that a transaction keeps. */
  public Lists pinnedTo(ListSnapshot pinned) {
    return new Lists(pinned, operator, lastSuccess);
  }
}

package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a decision may ask, at one instant. Immutable.
 *
 * @param snapshot pinned by the transaction
 * @param operator read again at every decision
 * @param lastSuccess last successful check of each feed that ages; a feed that is missing here does
 *     not age
 * @param known whose mail was accepted before, for rules that spare them
 * @param filters count what the filters answer
 */
public record Lists(
    ListSnapshot snapshot,
    OperatorView operator,
    Map<String, Instant> lastSuccess,
    Known known,
    FilterCounters filters) {

  /** Answers whose mail was accepted before. */
  @FunctionalInterface
  public interface Known {
    /** Nobody's. */
    Known NOBODY = (client, senderDomain) -> false;

    /**
     * True when mail of this sender came from the client's network on enough days.
     *
     * @param senderDomain of the envelope sender; {@code null} for {@code <>} and for a literal
     */
    boolean isKnown(IpAddress client, @Nullable DomainName senderDomain);
  }

  /** Lists without senders that are known, whose answers nobody counts. */
  public Lists(ListSnapshot snapshot, OperatorView operator, Map<String, Instant> lastSuccess) {
    this(snapshot, operator, lastSuccess, Known.NOBODY, FilterCounters.UNREAD);
  }

  /** The same with other entries of the operator. */
  public Lists withOperator(OperatorView other) {
    return new Lists(snapshot, other, lastSuccess, known, filters);
  }

  /** The same with other known senders. */
  public Lists withKnown(Known other) {
    return new Lists(snapshot, operator, lastSuccess, other, filters);
  }

  /** The same with the snapshot that a transaction keeps. */
  public Lists pinnedTo(ListSnapshot pinned) {
    return new Lists(pinned, operator, lastSuccess, known, filters);
  }
}

package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.decision.Facts;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a session and is in no log line. Immutable; made by the session.
 *
 * @param front the address of the listener, and of the proxy that the session came through
 * @param facts what lists were asked about; {@code null} when they were not asked
 * @param known mail of the sender was accepted from the same network before; only looked up where a
 *     rule asks
 * @param transaction the same object in all records of one transaction; {@code null} outside
 */
public record SessionTrace(
    String front, @Nullable Facts facts, boolean known, @Nullable TransactionMark transaction) {

  /** Nothing is known. */
  public static final SessionTrace NONE = new SessionTrace("", null, false, null);

  /** Marks the records of one transaction. */
  public static final class TransactionMark {}
}

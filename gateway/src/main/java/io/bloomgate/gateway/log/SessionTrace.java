package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.sessions.KeptPrints;
import org.jspecify.annotations.Nullable;

/**
 * The facts that are kept of a session beside what a log line always has. Immutable; made by the
 * session.
 *
 * @param front the address of the listener, and of the proxy that the session came through
 * @param facts what lists were asked about; {@code null} when they were not asked
 * @param known mail of the sender was accepted from the same network before; only looked up where a
 *     rule asks
 * @param transaction the same object in all records of one transaction; {@code null} outside
 * @param prints of the content of its mail
 * @param connection the id of the connection, the same in all its records; empty when it has none
 * @param messageId of the header of its mail; empty when it is not known
 * @param profile of a recipient that is judged apart, on which no list was asked, and of a trap;
 *     {@code null} for all others: the verdict names theirs
 */
public record SessionTrace(
    String front,
    @Nullable Facts facts,
    boolean known,
    @Nullable Object transaction,
    KeptPrints prints,
    String connection,
    String messageId,
    Grounds.@Nullable Profile profile) {

  /** Octets of the numbers of copies in memory. */
  private static final int BULK_OCTETS = 80;

  /** Makes the trace of a session of whose mail nothing is known. */
  public SessionTrace(
      String front, @Nullable Facts facts, boolean known, @Nullable Object transaction) {
    this(front, facts, known, transaction, KeptPrints.NONE, "", "", null);
  }

  /** Returns the number of copies of the mail that passed. */
  public Bulk bulk() {
    return facts == null ? Bulk.NONE : facts.content().bulk();
  }

  /** About how much memory it takes beside what each record has. */
  int octets() {
    return prints.octets() + (bulk().isCampaign() ? BULK_OCTETS : 0) + messageId.length();
  }

  /** Nothing is known. */
  public static final SessionTrace NONE = new SessionTrace("", null, false, null);
}

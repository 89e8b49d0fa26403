package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.config.name.Likeness;
import java.util.List;
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
 * @param likeness of the text of its mail, for {@code block add --like}; {@code null} when it has
 *     none
 * @param carried hashes of prints, sender and hosts of links, for the own memory; empty where
 *     nothing is remembered
 * @param connection the id of the connection, the same in all its records; empty when it has none
 * @param messageId of the header of its mail; empty when it is not known
 * @param profile of a recipient that is judged apart, on which no list was asked, and of a trap;
 *     {@code null} for all others: the verdict names theirs
 * @param droppedFor recipients whose copy of its mail is answered 250 and ends here
 */
public record SessionTrace(
    String front,
    @Nullable Facts facts,
    boolean known,
    @Nullable Object transaction,
    @Nullable Likeness likeness,
    List<Integer> carried,
    String connection,
    String messageId,
    Grounds.@Nullable Profile profile,
    List<String> droppedFor) {

  /** Octets of a likeness in memory. */
  private static final int LIKENESS_OCTETS = 104;

  /** Octets of one hash in memory. */
  private static final int HASH_OCTETS = 20;

  /** Octets of the numbers of copies in memory. */
  private static final int BULK_OCTETS = 80;

  public SessionTrace {
    carried = List.copyOf(carried);
    droppedFor = List.copyOf(droppedFor);
  }

  /** Returns the number of copies of the mail that passed; {@code null} for few. */
  public @Nullable Bulk bulk() {
    return facts == null ? null : facts.content().bulk();
  }

  /** About how much memory it takes beside what each record has. */
  int octets() {
    return (likeness == null ? 0 : LIKENESS_OCTETS)
        + HASH_OCTETS * (carried.size() + droppedFor.size())
        + (bulk() == null ? 0 : BULK_OCTETS)
        + messageId.length();
  }
}

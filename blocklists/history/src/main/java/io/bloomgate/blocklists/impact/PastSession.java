package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A mail transaction, or a connection that was turned away, of which enough was kept to decide on
 * it again. Made from the session store and from logs of mail servers. Immutable.
 *
 * @param id as the sender saw it; empty when none is known
 * @param facts what lists are asked; of several recipients one that is not exempt, if there is one
 * @param missing what was not kept, so that lists cannot be asked about it
 * @param outcome how it ended for the mail
 * @param refused true when the lists of that time refused or put off, be it that mode observe or an
 *     exemption let the mail pass: such mail says nothing good of the sender
 * @param lists names of the lists and rules that refused or put off then, the strongest first
 * @param known mail of the sender was accepted from the same network before; false where no rule
 *     asked
 * @param times how many sessions it represents: 1, or more for a sum of many alike
 */
public record PastSession(
    Instant at,
    String id,
    Facts facts,
    Set<Missing> missing,
    Outcome outcome,
    boolean refused,
    List<String> lists,
    boolean known,
    int times) {

  /** The outcome for the mail. */
  public enum Outcome {
    /** The mail server took the mail. */
    ACCEPTED,
    /** A list, a rule or an operator's entry refused the mail. */
    REFUSED,
    /** The same for now only, with a 4xx: most senders came again. */
    PUT_OFF,
    /** A rule of the protocol or the mail server refused, or the client went away. */
    OTHER;

    /** True when a list, a rule or an entry kept the mail away, for good or for now. */
    public boolean isRefusal() {
      return this == REFUSED || this == PUT_OFF;
    }
  }

  /** A part that a log, {@code log.privacy} or the store of sessions leaves out. */
  public enum Missing implements Keyed {
    HELO,
    /** The local part of the envelope sender; the domain is known. */
    SENDER,
    SENDER_DOMAIN,
    RECIPIENT,
    CLIENT_NAME,
    /**
     * The content of the mail: it decided then and was kept in part, or new lists would ask for it.
     */
    CONTENT
  }
}

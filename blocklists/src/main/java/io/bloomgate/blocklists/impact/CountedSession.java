package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of a past session is counted, whatever was decided on it. Made by readers of past sessions
 * and by {@link Impact}; immutable.
 *
 * @param atMillis when it came, in milliseconds since 1970
 * @param senderDomain of the envelope sender; only given for accepted mail
 * @param refused as in {@link PastSession}; only given for accepted mail
 * @param times how many sessions it represents
 */
public record CountedSession(
    long atMillis,
    IpAddress client,
    @Nullable DomainName senderDomain,
    Set<PastSession.Missing> missing,
    PastSession.Outcome outcome,
    boolean refused,
    int times) {

  /** The same of a whole session. */
  static CountedSession of(PastSession session) {
    return new CountedSession(
        session.at().toEpochMilli(),
        session.facts().client(),
        session.facts().senderDomain(),
        session.missing(),
        session.outcome(),
        session.refused(),
        session.times());
  }
}

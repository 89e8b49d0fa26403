package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whose mail was accepted in the window, and since when: for the question whether a
 * refusal would hit a sender who is known here. Part of {@link Impact}; one thread.
 */
final class AcceptedSenders {

  /** Senders that are remembered, about 150 octets each. */
  private static final int MAX_SENDERS = 250_000;

  /** The most senders with mail that a list was against; spam must not push out good senders. */
  private static final int MAX_NOTED = 100_000;

  private final Map<Sender, Accepted> senders = new HashMap<>();
  private final Map<Sender, Accepted> noted = new HashMap<>();
  private long omitted;

  /**
   * A sender: a network as one holder usually has it, and a domain.
   *
   * @param domain of the envelope sender; {@code null} for {@code <>} and for a literal
   */
  record Sender(IpPrefix network, @Nullable DomainName domain) {

    static Sender of(IpAddress client, @Nullable DomainName domain) {
      return new Sender(ClientNetwork.site(client), domain);
    }
  }

  /** Accepted mail of one sender: time of the first in milliseconds, and how much. */
  private static final class Accepted {
    private long first = Long.MAX_VALUE;
    private long sessions;
  }

  /** Remembers accepted mail; what a list was against makes no known sender. */
  void add(PastSession session) {
    if (session.refused()) {
      add(session, noted, MAX_NOTED);
    } else {
      add(session, senders, MAX_SENDERS);
    }
  }

  private void add(PastSession session, Map<Sender, Accepted> senders, int max) {
    Sender sender = Sender.of(session.facts().client(), session.facts().senderDomain());
    Accepted mail = senders.get(sender);
    if (mail == null) {
      if (senders.size() == max) {
        omitted += session.times();
        return;
      }
      mail = new Accepted();
      senders.put(sender, mail);
    }
    // One of several alike came before the others.
    long at = session.at().toEpochMilli() - (session.times() > 1 ? 1 : 0);
    mail.first = Math.min(mail.first, at);
    mail.sessions += session.times();
  }

  /** Accepted sessions of a sender; 0 when none came before this time. */
  long before(Sender sender, Instant time) {
    Accepted mail = senders.get(sender);
    return mail == null || mail.first >= time.toEpochMilli() ? 0 : mail.sessions;
  }

  /**
   * Sessions of a sender that a list was against, and whose mail was accepted anyway; 0 when none
   * came until this time.
   */
  long notedUntil(Sender sender, Instant time) {
    Accepted mail = noted.get(sender);
    return mail == null || mail.first > time.toEpochMilli() ? 0 : mail.sessions;
  }

  /** Accepted sessions that are not remembered, because there were too many senders. */
  long omitted() {
    return omitted;
  }
}

package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose mail was accepted in the window, and since when: for the question whether a refusal would
 * hit a sender who is known here. Part of {@link Impact}; one thread.
 */
final class AcceptedSenders {

  /** Senders that are remembered, about 150 octets each. */
  private static final int MAX_SENDERS = 250_000;

  private final Map<Sender, Accepted> senders = new HashMap<>();
  private long omitted;

  /**
   * Who sends: a network as one holder usually has it, and a domain.
   *
   * @param domain of the envelope sender; {@code null} for {@code <>} and for a literal
   */
  record Sender(IpPrefix network, @Nullable DomainName domain) {
    static Sender of(PastSession session) {
      return new Sender(
          ClientNetwork.site(session.facts().client()), session.facts().senderDomain());
    }
  }

  /** Accepted mail of one sender. */
  private record Accepted(Instant first, long sessions) {
    Accepted plus(Accepted other) {
      return new Accepted(
          first.isBefore(other.first) ? first : other.first, sessions + other.sessions);
    }
  }

  void add(PastSession session) {
    Sender sender = Sender.of(session);
    // One of several alike came before the others.
    Instant first = session.times() > 1 ? session.at().minusMillis(1) : session.at();
    Accepted more = new Accepted(first, session.times());
    if (senders.size() < MAX_SENDERS || senders.containsKey(sender)) {
      senders.merge(sender, more, Accepted::plus);
    } else {
      omitted += session.times();
    }
  }

  /** Accepted sessions of a sender; 0 when none came before this time. */
  long before(Sender sender, Instant time) {
    Accepted mail = senders.get(sender);
    return mail == null || !mail.first.isBefore(time) ? 0 : mail.sessions;
  }

  /** Accepted sessions that are not remembered, because there were too many senders. */
  long omitted() {
    return omitted;
  }
}

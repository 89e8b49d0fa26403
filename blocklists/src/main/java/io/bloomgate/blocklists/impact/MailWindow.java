package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the newest sessions with accepted mail, and which networks they make good ones. Anybody
 * may send mail, so one network takes only a small part of the window, and a few mails of one day
 * make no good network. Made by {@link AcceptedMail} for one reading; one thread.
 */
final class MailWindow implements AcceptedSource.Taker {

  /** Sessions that count; up to 1 kB each in memory while a refresh lasts. */
  static final int MAX_SESSIONS = 100_000;

  /** Of them those of one network, as limits count networks: the /24 of IPv4, the /44 of IPv6. */
  static final int MAX_OF_NETWORK = 500;

  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

  private final Policy policy;
  private final int goodSessions;
  private final Map<Alike, PastSession> alike = new LinkedHashMap<>();
  private final Map<IpAddress, Integer> counted = new HashMap<>();
  private final Map<IpPrefix, Mail> networks = new HashMap<>();
  private int sessions;

  /** What a decision depends on. */
  private record Alike(Facts facts, boolean known) {}

  /** The accepted mail of one network. */
  private static final class Mail {
    private final long day;
    private long sessions;
    private boolean otherDays;

    Mail(long day) {
      this.day = day;
    }
  }

  /**
   * An empty window.
   *
   * @param policy says which recipients are exempt
   * @param goodSessions with mail accepted on one day that make a network a good one; of two days
   *     one session each is enough
   */
  MailWindow(Policy policy, int goodSessions) {
    this.policy = policy;
    this.goodSessions = goodSessions;
  }

  @Override
  public boolean wants(IpAddress client) {
    return counted.getOrDefault(ClientNetwork.of(client), 0) < MAX_OF_NETWORK;
  }

  @Override
  public boolean take(PastSession session) {
    if (counts(session)) {
      sessions++;
      IpAddress client = session.facts().client();
      counted.merge(ClientNetwork.of(client), 1, Integer::sum);
      long day = Math.floorDiv(session.at().getEpochSecond(), DAY_SECONDS);
      Mail mail = networks.computeIfAbsent(ClientNetwork.site(client), _ -> new Mail(day));
      mail.sessions += session.times();
      mail.otherDays |= mail.day != day;
      alike.putIfAbsent(new Alike(asked(session.facts()), session.known()), session);
    }
    return sessions < MAX_SESSIONS;
  }

  /**
   * What mode observe let pass although a list was against it says nothing good of the sender. No
   * list refuses mail to exempt recipients, so it says nothing of a list.
   */
  private boolean counts(PastSession session) {
    Facts.Recipient to = session.facts().recipient();
    return session.outcome() == PastSession.Outcome.ACCEPTED
        && !session.refused()
        && (to == null || !policy.isExempt(to));
  }

  /** Of a recipient that is not exempt a decision asks nothing more. */
  private static Facts asked(Facts facts) {
    return facts.recipient() == null
        ? facts
        : new Facts(
            facts.client(),
            facts.helo(),
            facts.sender(),
            facts.senderDomain(),
            null,
            facts.dns(),
            facts.seen());
  }

  /** How many sessions count. */
  int sessions() {
    return sessions;
  }

  /** The sessions of good networks, one of those that every list sees alike, the newest first. */
  List<PastSession> ofGoodNetworks() {
    return alike.values().stream()
        .filter(session -> {
          Mail mail = networks.get(ClientNetwork.site(session.facts().client()));
          return mail != null && (mail.otherDays || mail.sessions >= goodSessions);
        })
        .toList();
  }
}

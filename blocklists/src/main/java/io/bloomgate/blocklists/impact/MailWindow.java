package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the newest sessions with accepted mail, and which networks they make good ones. Anybody
 * may send mail, so one network takes only a small part of the window, and a few mails of one day
 * make no good network. When the window is full, the part of each network becomes smaller and the
 * reading goes on: many networks with much mail push out their own mail, and not that of others.
 * Made by {@link AcceptedMail} for one reading; one thread.
 */
final class MailWindow implements AcceptedSource.Taker {

  /** Sessions that count; up to 1 kB each in memory while a refresh lasts. */
  static final int MAX_SESSIONS = 100_000;

  /**
   * The most sessions of one network in the window, as limits count networks: the /24 of IPv4, the
   * /44 of IPv6.
   */
  static final int MAX_OF_NETWORK = 500;

  /** The least that a network has in a full window: 4,000 networks have to send so much for it. */
  static final int MIN_OF_NETWORK = 25;

  /** Sessions with accepted mail that are looked at; about a second of reading. */
  static final int MAX_LOOKED_AT = 1_000_000;

  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

  private final Policy policy;
  private final int goodSessions;
  private final Set<Kept> alike = new LinkedHashSet<>();
  private final Map<IpAddress, Part> parts = new HashMap<>();
  private @Nullable IpAddress lastClient;
  private Part last = new Part();
  private int ofNetwork = MAX_OF_NETWORK;
  private int sessions;
  private int lookedAt;
  private boolean wasFull;

  /**
   * The part of the window that one network takes, and the mail of each site in it: of IPv4 just
   * one.
   */
  private static final class Part {
    private @Nullable Kept last;
    private @Nullable Mail mail;
    private int sessions;

    /** Finds the mail of a site; makes a new one when this session is the first of the site. */
    private Mail of(long site, long day) {
      Mail found = mail;
      while (found != null && found.site != site) {
        found = found.before;
      }
      if (found == null) {
        found = new Mail(site, day, mail);
        mail = found;
      }
      return found;
    }
  }

  /**
   * The newest of several sessions alike. Two are alike when a decision depends on the same: of a
   * recipient that is not exempt it asks nothing more. Compares itself by hand, because this is
   * done for every session; there are as many as the window has sessions, so it is one object.
   *
   * @param hash of the keys that differ in most sessions
   * @param number which session of its part it was, from 1
   * @param mail of its site
   * @param before it in its part
   */
  private record Kept(int hash, int number, PastSession session, Mail mail, @Nullable Kept before) {

    static Kept of(Part part, PastSession session, Mail mail) {
      Facts facts = session.facts();
      int hash = 31 * facts.client().hashCode() + Objects.hashCode(facts.helo());
      hash = 31 * hash + Objects.hashCode(facts.senderDomain());
      hash = 31 * hash + facts.sender().hashCode();
      return new Kept(hash, part.sessions, session, mail, part.last);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kept that
          && hash == that.hash
          && session.known() == that.session.known()
          && alike(session.facts(), that.session.facts());
    }

    private static boolean alike(Facts one, Facts other) {
      return one.client().equals(other.client())
          && Objects.equals(one.helo(), other.helo())
          && Objects.equals(one.senderDomain(), other.senderDomain())
          && one.sender().equals(other.sender())
          && one.dns().equals(other.dns())
          && one.seen().equals(other.seen())
          && one.content().equals(other.content());
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The accepted mail of one network as one holder usually has it. */
  private static final class Mail {
    private final long site;
    private final long day;
    private final @Nullable Mail before;
    private long sessions;
    private boolean otherDays;

    Mail(long site, long day, @Nullable Mail before) {
      this.site = site;
      this.day = day;
      this.before = before;
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
    lookedAt++;
    return part(client).sessions < ofNetwork;
  }

  /** Finds the part of a client; the same client is asked about again and again. */
  private Part part(IpAddress client) {
    if (!client.equals(lastClient)) {
      lastClient = client;
      last = parts.computeIfAbsent(ClientNetwork.of(client), _ -> new Part());
    }
    return last;
  }

  @Override
  public boolean take(PastSession session) {
    if (counts(session)) {
      count(session);
    }
    if (sessions < MAX_SESSIONS) {
      return !wasFull || lookedAt < MAX_LOOKED_AT;
    }
    wasFull = true;
    return lookedAt < MAX_LOOKED_AT && makesRoom();
  }

  private void count(PastSession session) {
    sessions++;
    IpAddress client = session.facts().client();
    Part part = part(client);
    part.sessions++;
    long day = Math.floorDiv(session.at().getEpochSecond(), DAY_SECONDS);
    Mail mail = part.of(ClientNetwork.siteNumber(client), day);
    mail.sessions += session.times();
    mail.otherDays |= mail.day != day;
    Kept kept = Kept.of(part, session, mail);
    if (alike.add(kept)) {
      part.last = kept;
    }
  }

  /** Halves the part of a network until some give room; false when none may give any. */
  private boolean makesRoom() {
    while (sessions == MAX_SESSIONS && ofNetwork > MIN_OF_NETWORK) {
      ofNetwork = Math.max(MIN_OF_NETWORK, ofNetwork / 2);
      for (Part part : parts.values()) {
        if (part.sessions > ofNetwork) {
          sessions -= part.sessions - ofNetwork;
          part.sessions = ofNetwork;
          while (part.last != null && part.last.number > ofNetwork) {
            alike.remove(part.last);
            part.last = part.last.before;
          }
        }
      }
    }
    return sessions < MAX_SESSIONS;
  }

  /**
   * True for a session that shows a good sender: mail that mode observe let pass although a list
   * was against it does not. No list refuses mail to exempt recipients, so it says nothing of a
   * list.
   */
  private boolean counts(PastSession session) {
    Facts.Recipient to = session.facts().recipient();
    return session.outcome() == PastSession.Outcome.ACCEPTED
        && !session.refused()
        && (to == null || !policy.isExempt(to));
  }

  /** True when more sessions were found than the window has room for. */
  boolean wasFull() {
    return wasFull;
  }

  /** The number of sessions that count. */
  int sessions() {
    return sessions;
  }

  /** The sessions of good networks, one of those that every list sees alike, the newest first. */
  List<PastSession> ofGoodNetworks() {
    return alike.stream()
        .filter(kept -> kept.mail.otherDays || kept.mail.sessions >= goodSessions)
        .map(Kept::session)
        .toList();
  }
}

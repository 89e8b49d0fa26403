package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.entry.ListEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sessions whose mail was accepted, and that no list was against: what a new version of a list
 * should leave alone. Sessions that every list sees alike are one. Read by the feed-refresher for
 * one refresh; immutable.
 */
public final class AcceptedMail {

  /** Sessions that are looked at; up to 1 kB each in memory while a refresh lasts. */
  public static final int MAX_SESSIONS = 100_000;

  /** Entries of a list that are picked; the others do not count. */
  private static final int MAX_ENTRIES = 100_000;

  /** None. */
  public static final AcceptedMail NONE = new AcceptedMail(List.of());

  private final List<PastSession> sessions;
  private final MailKeys keys;

  private AcceptedMail(List<PastSession> sessions) {
    this.sessions = sessions;
    this.keys = new MailKeys(sessions);
  }

  /**
   * The first sessions with accepted mail that are handed over, up to {@link #MAX_SESSIONS}.
   *
   * @param policy says which recipients are exempt
   * @throws IOException when the sessions cannot be read
   */
  public static AcceptedMail read(PastSessions from, Policy policy) throws IOException {
    Collector collector = new Collector(policy);
    from.forEach(collector::take);
    return new AcceptedMail(List.copyOf(collector.alike.values()));
  }

  /** What a decision depends on. */
  private record Alike(Facts facts, boolean known) {}

  private static final class Collector {
    private final Policy policy;
    private final Map<Alike, PastSession> alike = new LinkedHashMap<>();
    private int read;

    Collector(Policy policy) {
      this.policy = policy;
    }

    void take(PastSession session) {
      // What mode observe let pass although a list was against it says nothing good of the sender.
      if (session.outcome() == PastSession.Outcome.ACCEPTED
          && !session.refused()
          && read < MAX_SESSIONS) {
        read++;
        alike.putIfAbsent(new Alike(asked(session.facts()), session.known()), session);
      }
    }

    /** Of the recipient a decision only asks whether it is exempt. */
    private Facts asked(Facts facts) {
      Facts.Recipient to = facts.recipient();
      return to == null || policy.isExempt(to)
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
  }

  /** True when there is nothing that a list could hit. */
  public boolean isEmpty() {
    return sessions.isEmpty();
  }

  /**
   * Picks the entries of a list that may concern these sessions, exceptions too: what the list is
   * to them, in few entries.
   */
  public final class Concerned {
    private final List<ListEntry> entries = new ArrayList<>();

    /** One entry of the list. */
    public void take(ListEntry entry) {
      if (keys.mayConcern(entry) && entries.size() < MAX_ENTRIES) {
        entries.add(entry);
      }
    }

    /** What was picked, in the order of the list. */
    public List<ListEntry> entries() {
      return List.copyOf(entries);
    }
  }

  /** Picks from one list. */
  public Concerned concerned() {
    return new Concerned();
  }

  List<PastSession> sessions() {
    return sessions;
  }
}

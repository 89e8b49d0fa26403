package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.guard.SubjectHits;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sessions whose mail was accepted, and that no list was against: what a new version of a list
 * should leave alone. Sessions that every list sees alike are one. Read by the feed-refresher for
 * one refresh; immutable.
 */
public final class AcceptedMail {

  /** Sessions that are looked at; up to 1 kB each in memory while a refresh lasts. */
  public static final int MAX_SESSIONS = 100_000;

  /** None. */
  public static final AcceptedMail NONE = new AcceptedMail(List.of());

  private final List<PastSession> sessions;
  private final SubjectHits.Subjects subjects;

  private AcceptedMail(List<PastSession> sessions) {
    this.sessions = sessions;
    Set<Subject> asked = new LinkedHashSet<>();
    sessions.forEach(session -> addSubjects(session.facts(), asked));
    this.subjects = new SubjectHits.Subjects(List.copyOf(asked));
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

  private static void addSubjects(Facts facts, Set<Subject> to) {
    to.add(IpPrefix.host(facts.client()));
    addKey(facts.helo(), to);
    addKey(facts.seen().name().key(), to);
    addKey(facts.senderDomain(), to);
    // The index looks for the other forms of an address itself.
    facts.sender().stream().findFirst().ifPresent(to::add);
  }

  private static void addKey(@Nullable ListKey key, Set<Subject> to) {
    switch (key) {
      case null -> {}
      case IpAddress address -> to.add(IpPrefix.host(address));
      case DomainName name -> to.add(name);
      case MailAddress address -> to.add(address);
    }
  }

  /** True when there is nothing that a list could hit. */
  public boolean isEmpty() {
    return sessions.isEmpty();
  }

  /** What lists may be asked for these sessions. */
  public SubjectHits.Subjects subjects() {
    return subjects;
  }

  List<PastSession> sessions() {
    return sessions;
  }
}

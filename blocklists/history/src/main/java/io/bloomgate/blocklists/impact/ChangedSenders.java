package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.AcceptedSenders.Sender;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The senders of sessions whose verdict changes in one direction. Part of {@link Impact}; one
 * thread.
 */
final class ChangedSenders {

  /** Senders that are named; sessions of others are only counted. */
  private static final int MAX_SENDERS = 50_000;

  /** Rows of each table of a report. */
  static final int SHOWN = 20;

  private final Map<Sender, Tally> senders = new HashMap<>();
  private ImpactReport.Sum sum = ImpactReport.Sum.NONE;
  private long omitted;

  /** Sessions of one sender, and the latest of them as an example. */
  private static final class Tally {
    private long sessions;
    private long delivered;
    private Instant last;
    private IpAddress client;
    private String list = "";
    private String entry = "";

    Tally(PastSession session) {
      last = session.at();
      client = session.facts().client();
    }

    /** True when it is the latest so far, so that its listing is the example. */
    boolean add(PastSession session) {
      boolean latest = sessions == 0 || session.at().isAfter(last);
      if (latest) {
        last = session.at();
        client = session.facts().client();
      }
      sessions += session.times();
      if (session.outcome() == PastSession.Outcome.ACCEPTED) {
        delivered += session.times();
      }
      return latest;
    }
  }

  /**
   * Counts a session.
   *
   * @param verdict the one of the two that refuses
   */
  void add(PastSession session, Verdict verdict, boolean putOff) {
    sum = sum.plus(session, putOff);
    Tally tally = tally(session);
    if (tally != null
        && tally.add(session)
        && verdict.grounds().standing().getFirst() instanceof Ground.Found ground) {
      tally.list = ground.source();
      tally.entry = ground.entry();
    }
  }

  /** Counts a session that was refused then, by an entry that is not known any more. */
  void add(PastSession session) {
    sum = sum.plus(session, false);
    Tally tally = tally(session);
    if (tally != null && tally.add(session) && !session.lists().isEmpty()) {
      tally.list = session.lists().getFirst();
    }
  }

  /** {@code null} when there are too many senders. */
  private @Nullable Tally tally(PastSession session) {
    Sender sender = Sender.of(session.facts().client(), session.facts().senderDomain());
    Tally tally = senders.get(sender);
    if (tally == null) {
      if (senders.size() == MAX_SENDERS) {
        omitted += session.times();
        return null;
      }
      tally = new Tally(session);
      senders.put(sender, tally);
    }
    return tally;
  }

  /** Sessions of a network or a domain. */
  private record Count(long sessions, long delivered) {

    static Count of(Tally tally) {
      return new Count(tally.sessions, tally.delivered);
    }

    Count plus(Count other) {
      return new Count(sessions + other.sessions, delivered + other.delivered);
    }
  }

  /** Makes the row of a table. */
  private interface Row<R> {
    R of(String name, long sessions, long delivered);
  }

  /**
   * The tables of a report.
   *
   * @param before true when only earlier mail makes a sender known; false when the judged mail
   *     itself counts too
   */
  ImpactReport.Group group(AcceptedSenders accepted, boolean before) {
    List<ImpactReport.Sender> known = new ArrayList<>();
    List<ImpactReport.Sender> noted = new ArrayList<>();
    Set<IpPrefix> networksUnknown = new HashSet<>();
    Map<String, Count> networks = new HashMap<>();
    Map<String, Count> domains = new HashMap<>();
    for (Map.Entry<Sender, Tally> entry : senders.entrySet()) {
      Sender sender = entry.getKey();
      Tally tally = entry.getValue();
      String domain = sender.domain() == null ? "" : sender.domain().toString();
      networks.merge(sender.network().toString(), Count.of(tally), Count::plus);
      domains.merge(domain, Count.of(tally), Count::plus);
      Instant until = before ? tally.last : tally.last.plusMillis(1);
      long sessions = accepted.before(sender, until);
      long onlyNoted = accepted.notedUntil(sender, tally.last);
      if (sessions > 0) {
        known.add(sender(sender, domain, tally, sessions));
      } else if (onlyNoted > 0) {
        noted.add(sender(sender, domain, tally, onlyNoted));
      } else {
        networksUnknown.add(sender.network());
      }
    }
    return new ImpactReport.Group(
        sum,
        named(known),
        named(noted),
        networksUnknown.size(),
        networks.size(),
        top(networks, ImpactReport.Network::new),
        domains.size(),
        top(domains, ImpactReport.Domain::new),
        omitted);
  }

  private static ImpactReport.Sender sender(
      Sender sender, String domain, Tally tally, long accepted) {
    return new ImpactReport.Sender(
        sender.network(),
        domain,
        tally.client,
        tally.sessions,
        tally.delivered,
        accepted,
        tally.list,
        tally.entry);
  }

  /** All of them in sums, and those with the most sessions by name. */
  private static ImpactReport.Senders named(List<ImpactReport.Sender> senders) {
    List<ImpactReport.Sender> most =
        senders.stream()
            .sorted(
                Comparator.comparingLong(ImpactReport.Sender::sessions)
                    .reversed()
                    .thenComparing(ImpactReport.Sender::domain)
                    .thenComparing(row -> row.client().toString()))
            .limit(SHOWN)
            .toList();
    long sessions = senders.stream().mapToLong(ImpactReport.Sender::sessions).sum();
    return new ImpactReport.Senders(sessions, senders.size(), most);
  }

  private static <R> List<R> top(Map<String, Count> counts, Row<R> row) {
    return counts.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, Count> each) -> -each.getValue().sessions())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(SHOWN)
        .map(each -> row.of(each.getKey(), each.getValue().sessions(), each.getValue().delivered()))
        .toList();
  }
}

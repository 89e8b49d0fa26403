package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.KeyBatch;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a change would do to past sessions: decides on each of them before and after it
 * with the {@link DecisionEngine}, at one instant, and sums up. One thread.
 */
public final class Impact {

  /** Other lists that are named: replies in a log, and so these names, may hold a client's text. */
  static final int MAX_OTHERS = 1_000;

  /** All other lists beyond these. */
  private static final String FURTHER = "further lists";

  private final Change change;
  private final boolean asksForContent;
  private final Instant now;
  private final KeyBatch batch = new KeyBatch();

  private final Map<PastSession.Missing, Long> missing = new EnumMap<>(PastSession.Missing.class);
  private final TreeMap<String, Long> alreadyBy = new TreeMap<>();
  private final AcceptedSenders accepted = new AcceptedSenders();
  private final ChangedSenders fresh = new ChangedSenders();
  private final ChangedSenders fewer = new ChangedSenders();
  private ImpactReport.Sum hits = ImpactReport.Sum.NONE;
  private ImpactReport.Sum already = ImpactReport.Sum.NONE;
  private ImpactReport.Sum tagged = ImpactReport.Sum.NONE;
  private boolean known;
  private long sessions;
  private long delivered;

  /**
   * The time of the earliest session, in milliseconds since 1970; it is later than the last while
   * there is none.
   */
  private long first = Long.MAX_VALUE;

  private long last = Long.MIN_VALUE;

  /**
   * The verdicts on one session.
   *
   * @param before {@code null} where nothing is refused before the change
   */
  public record Verdicts(@Nullable Verdict before, Verdict after) {}

  /**
   * Sums up nothing yet.
   *
   * @param now time of all decisions, for expiry and age
   */
  public Impact(Change change, Instant now) {
    // Who is known changes with time: a session counts as it did when it came.
    this.change = change.withKnown((client, senderDomain) -> known);
    this.asksForContent = !change.newContentChecks().isEmpty();
    this.now = now;
  }

  /**
   * Computes what a change would do to all of these sessions.
   *
   * @throws IOException when the sessions cannot be read
   */
  public static ImpactReport of(Change change, PastSessions sessions, Instant now)
      throws IOException {
    Impact impact = new Impact(change, now);
    sessions.forEach(impact::add);
    return impact.report();
  }

  /** Decides on one session; nothing is counted. */
  public Verdicts verdicts(PastSession session) {
    known = session.known();
    Facts facts = session.facts();
    Side before = change.before();
    return new Verdicts(
        before == null ? null : decide(facts, before), decide(facts, change.after()));
  }

  private Verdict decide(Facts facts, Side side) {
    return Gather.verdict(facts, side.lists(), side.policy(), now, batch);
  }

  /** Decides on one session and counts what changes. */
  public void add(PastSession session) {
    count(session);
    if (isDecidedTheSame(session.facts())) {
      return;
    }
    Verdicts verdicts = verdicts(session);
    Verdict before = verdicts.before();
    Verdict after = verdicts.after();
    boolean refusedBefore = before != null && before.refuses();
    boolean refusedAfter = after.refuses();
    if (refusedAfter && (!refusedBefore || isOfChange(after))) {
      boolean putOff = putsOff(after);
      hits = hits.plus(session, putOff);
      if (wasKeptAway(session, before, after)) {
        already = already.plus(session, putOff);
        countOthers(session, before);
      } else {
        fresh.add(session, after, putOff);
      }
    } else if (after instanceof Verdict.Tag && !(before instanceof Verdict.Tag)) {
      tagged = tagged.plus(session, false);
    }
    if (refusedAfter || !session.outcome().isRefusal()) {
      return;
    }
    if (before != null && refusedBefore) {
      fewer.add(session, before, putsOff(before));
    } else if (before == null
        && change.ownRefusals()
        && !session.missing().contains(PastSession.Missing.CONTENT)) {
      fewer.add(session);
    }
  }

  private void count(PastSession session) {
    sessions += session.times();
    first = Math.min(first, session.at().toEpochMilli());
    last = Math.max(last, session.at().toEpochMilli());
    for (PastSession.Missing part : session.missing()) {
      missing.merge(part, (long) session.times(), Long::sum);
    }
    if (session.outcome() == PastSession.Outcome.ACCEPTED) {
      if (asksForContent && !session.missing().contains(PastSession.Missing.CONTENT)) {
        missing.merge(PastSession.Missing.CONTENT, (long) session.times(), Long::sum);
      }
      delivered += session.times();
      accepted.add(session);
    }
  }

  /** True when the lists that the change adds list nothing of it: nothing needs a decision. */
  private boolean isDecidedTheSame(Facts facts) {
    if (change.only() == null || !facts.content().isEmpty()) {
      return false;
    }
    facts.fill(batch);
    try {
      return change.only().mayList(batch) == 0;
    } catch (RuntimeException | InternalError e) {
      // The decision meets the same failure and treats it as on_error says.
      return false;
    }
  }

  /**
   * True when the mail was not delivered then either. What mode observe or an exemption let pass
   * was delivered, whatever the lists before the change say. A mail that was put off could come
   * again: to refuse it is new. A greylist delivers what comes again, so of mail that no list was
   * against it says nothing. Where nothing counts as refused before, only what was really refused
   * is.
   */
  private static boolean wasKeptAway(PastSession session, @Nullable Verdict before, Verdict after) {
    return switch (session.outcome()) {
      case ACCEPTED ->
          after instanceof Verdict.Greylist
              && !session.refused()
              && before != null
              && before.refuses();
      case REFUSED -> true;
      case PUT_OFF -> putsOff(after) || before instanceof Verdict.Reject;
      case OTHER ->
          before != null
              && (before.refuses() || session.refused())
              && (putsOff(after) || !putsOff(before));
    };
  }

  private static boolean putsOff(Verdict verdict) {
    return verdict.refuses() && !(verdict instanceof Verdict.Reject);
  }

  private boolean isOfChange(Verdict after) {
    return change.lists().isEmpty()
        || after.grounds().standing().stream()
            .anyMatch(
                ground -> ground.strength().refuses() && change.lists().contains(source(ground)));
  }

  private void countOthers(PastSession session, @Nullable Verdict before) {
    Set<String> others = new LinkedHashSet<>();
    if (before != null && before.refuses()) {
      before.grounds().standing().stream()
          .filter(ground -> ground.strength().refuses())
          .forEach(ground -> others.add(source(ground)));
    } else {
      others.addAll(session.lists());
    }
    others.removeAll(change.lists());
    for (String name : others) {
      boolean named = alreadyBy.size() < MAX_OTHERS || alreadyBy.containsKey(name);
      alreadyBy.merge(named ? name : FURTHER, (long) session.times(), Long::sum);
    }
  }

  private static String source(Ground ground) {
    return switch (ground) {
      case Ground.Found exact -> exact.source();
      case Ground.Failed _ -> "a check that failed";
    };
  }

  /** The sums so far. */
  public ImpactReport report() {
    return new ImpactReport(
        sessions,
        delivered,
        moment(first),
        moment(last),
        hits,
        new ImpactReport.Already(already, alreadyBy),
        tagged,
        fresh.group(accepted, change.ownRefusals()),
        fewer.group(accepted, change.ownRefusals()),
        missing,
        accepted.omitted());
  }

  private @Nullable Instant moment(long millis) {
    return first > last ? null : Instant.ofEpochMilli(millis);
  }
}

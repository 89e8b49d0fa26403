package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.DecisionEngine;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Join;
import io.bloomgate.blocklists.decision.SessionKeys;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.config.settings.Action;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a change would do to past sessions: decides on each of them before and after it with the
 * {@link DecisionEngine}, at one instant, and sums up. One thread.
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
  private ImpactReport.Sum noted = ImpactReport.Sum.NONE;
  private boolean known;
  private long sessions;
  private long delivered;

  /** In milliseconds since 1970; the first is behind the last while there is none. */
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
   * What a change would do to all of these.
   *
   * @throws IOException when the sessions cannot be read
   */
  public static ImpactReport of(Change change, PastSessions sessions, Instant now)
      throws IOException {
    Impact impact = new Impact(change, now);
    sessions.read(impact.taker());
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
    return DecisionEngine.decide(facts, side.lists(), side.policy(), now, batch);
  }

  /**
   * The verdict behind the change that refuses a session or puts it off, when nothing did so before
   * it; nothing is counted.
   */
  Optional<Verdict> newlyRefused(PastSession session) {
    if (isDecidedTheSame(session.facts())) {
      return Optional.empty();
    }
    Verdicts verdicts = verdicts(session);
    boolean refusedBefore = verdicts.before() != null && refuses(verdicts.before());
    return refusedBefore ? Optional.empty() : Optional.of(verdicts.after()).filter(Impact::refuses);
  }

  /** Decides on one session and counts what changes. */
  public void add(PastSession session) {
    count(CountedSession.of(session));
    if (isDecidedTheSame(session.facts())) {
      return;
    }
    Verdicts verdicts = verdicts(session);
    Verdict before = verdicts.before();
    Verdict after = verdicts.after();
    boolean refusedBefore = before != null && refuses(before);
    boolean refusedAfter = refuses(after);
    if (refusedAfter && (!refusedBefore || isOfChange(after))) {
      boolean putOff = !(after instanceof Verdict.Reject);
      hits = hits.plus(session, putOff);
      if (refusedBefore || wasRefused(session)) {
        already = already.plus(session, putOff);
        if (session.wasSpared()) {
          noted = noted.plus(session, putOff);
        }
        countOthers(session, before);
      } else {
        fresh.add(session, after, putOff);
      }
    } else if (before != null && refusedBefore && !refusedAfter) {
      fewer.add(session, before, !(before instanceof Verdict.Reject));
    } else if (before == null
        && change.ownRefusals()
        && !refusedAfter
        && wasRefused(session)
        && !session.missing().contains(PastSession.Missing.CONTENT)) {
      fewer.add(session);
    }
  }

  private void count(CountedSession session) {
    sessions += session.times();
    first = Math.min(first, session.atMillis());
    last = Math.max(last, session.atMillis());
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

  /** What {@link #add} is, for readers. */
  private PastTaker taker() {
    return new ImpactTaker(change.only(), this::add, this::count);
  }

  /** True when the lists that the change adds list nothing of it: nothing needs a decision. */
  private boolean isDecidedTheSame(Facts facts) {
    if (change.only() == null || !facts.content().isEmpty()) {
      return false;
    }
    SessionKeys.of(facts, change.after().policy()).fill(batch);
    try {
      return change.only().mayList(batch) == 0;
    } catch (RuntimeException | InternalError e) {
      // The decision meets the same failure and treats it as on_error says.
      return false;
    }
  }

  /** Where nothing counts as refused before, only what was really refused is. */
  private boolean wasRefused(PastSession session) {
    return change.before() == null
        ? session.outcome() == PastSession.Outcome.REFUSED
        : session.refused();
  }

  private boolean isOfChange(Verdict after) {
    return change.lists().isEmpty()
        || after.evidence().standing().stream()
            .anyMatch(ground -> refuses(ground) && change.lists().contains(source(ground)));
  }

  private void countOthers(PastSession session, @Nullable Verdict before) {
    Set<String> others = new LinkedHashSet<>();
    if (before != null && refuses(before)) {
      before.evidence().standing().stream()
          .filter(Impact::refuses)
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

  /** True for a verdict that keeps the mail from being accepted, for good or for now. */
  public static boolean refuses(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accept _, Verdict.Tag _ -> false;
      case Verdict.Greylist _, Verdict.Tempfail _, Verdict.Reject _ -> true;
    };
  }

  private static boolean refuses(Ground ground) {
    return switch (ground) {
      case Ground.Exact exact -> Join.action(exact).compareTo(Action.GREYLIST) >= 0;
      case Ground.Failed _ -> true;
    };
  }

  private static String source(Ground ground) {
    return switch (ground) {
      case Ground.Exact exact -> exact.source();
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
        already,
        noted,
        alreadyBy,
        fresh.group(accepted),
        fewer.group(accepted),
        missing,
        accepted.omitted());
  }

  private @Nullable Instant moment(long millis) {
    return first > last ? null : Instant.ofEpochMilli(millis);
  }
}

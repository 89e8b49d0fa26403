package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The impact of a candidate against a generation that was really built with it. */
class ImpactOracleTest {

  private static final int SESSIONS = 1_000;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyVerdictIsThatOfAGenerationWithTheCandidate(long seed) throws Exception {
    RandomMail mail = new RandomMail(seed);
    Map<String, List<String>> lists = new LinkedHashMap<>();
    lists.put("one", mail.list(60));
    lists.put("two", mail.list(60));
    List<String> tried = mail.list(80);
    Action action = List.of(Action.REJECT, Action.TEMPFAIL, Action.TAG).get((int) (seed % 3));
    Map<String, Action> actions = Map.of("two", Action.GREYLIST, "candidate", action);
    Side before = Built.side(folder, lists, actions);
    lists.put("candidate", tried);
    Side oracle = Built.side(folder, lists, actions);
    Path file = Built.write(folder, "tried", tried);
    List<PastSession> sessions = mail.sessions(SESSIONS);
    try (CandidateLists candidates =
        Built.candidates(folder, List.of(Built.candidate(file, action)))) {
      Change change = Change.adding(before, candidates);
      Impact impact = new Impact(change, Built.NOW);
      Sums expected = new Sums();
      for (PastSession session : sessions) {
        Verdict truth = Gather.verdict(session.facts(), oracle.lists(), oracle.policy(), Built.NOW);
        Verdict known = Gather.verdict(session.facts(), before.lists(), before.policy(), Built.NOW);
        assertEquals(
            shown(truth), shown(impact.verdicts(session).after()), "seed " + seed + session);
        expected.add(session, known, truth);
      }
      sessions.forEach(impact::add);
      ImpactReport report = impact.report();
      assertEquals(expected.sessions, report.sessions(), "seed " + seed);
      assertEquals(expected.hits, report.hits().sessions(), "seed " + seed);
      assertEquals(expected.already, report.already().sum().sessions(), "seed " + seed);
      assertEquals(expected.fresh, report.fresh().sum().sessions(), "seed " + seed);
      assertEquals(expected.delivered, report.fresh().sum().delivered(), "seed " + seed);
      assertEquals(0, report.fewer().sum().sessions(), "a list more refuses no less");
      assertTrue(action == Action.TAG || report.fresh().sum().sessions() > 10, "seed " + seed);
    }
  }

  /** What a person would count. */
  private static final class Sums {
    private long sessions;
    private long hits;
    private long already;
    private long fresh;
    private long delivered;

    void add(PastSession session, Verdict before, Verdict after) {
      int times = session.times();
      sessions += times;
      boolean refusedBefore = before.refuses();
      boolean byCandidate =
          after.grounds().standing().stream()
              .anyMatch(ground ->
                  ground instanceof Ground.Listed listed
                      && listed.source().equals("candidate")
                      && listed.action().compareTo(Action.GREYLIST) >= 0);
      if (!after.refuses() || (refusedBefore && !byCandidate)) {
        return;
      }
      hits += times;
      // What was delivered then is new, and so is a refusal of what was put off.
      boolean putOff = !(after instanceof Verdict.Reject);
      boolean clean = session.outcome() == Outcome.ACCEPTED && !session.refused();
      boolean sameBefore = refusedBefore && (putOff || before instanceof Verdict.Reject);
      boolean accepted = session.outcome() == Outcome.ACCEPTED;
      if (session.outcome() == Outcome.REFUSED
          || (session.outcome() == Outcome.PUT_OFF && (putOff || sameBefore))
          || (sameBefore && (!accepted || (clean && after instanceof Verdict.Greylist)))) {
        already += times;
      } else {
        fresh += times;
        delivered += session.outcome() == Outcome.ACCEPTED ? times : 0;
      }
    }
  }

  /** Verdict, the list and entry that decide, and every ground in its order. */
  private static String shown(Verdict verdict) {
    StringBuilder text = new StringBuilder(verdict.key());
    for (Ground ground : verdict.grounds().standing()) {
      Ground.Found exact = (Ground.Found) ground;
      text.append(' ').append(ground.check()).append(' ').append(exact.source());
      text.append(' ').append(exact.entry()).append(':').append(exact.line());
    }
    return text.toString();
  }
}

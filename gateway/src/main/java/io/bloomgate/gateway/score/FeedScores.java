package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.blocklists.sessions.StoredSessions;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.score.FeedScore.Shared;
import io.bloomgate.gateway.score.ScoreScan.Tally;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the scorecards of the feeds from the session store, the operator's entries and the status
 * of the feeds. One for a gateway; any thread that may block, for some seconds a million sessions.
 */
public final class FeedScores {

  /** Young allow entries that are compared with the hits, about 500 octets each. */
  static final int MAX_ALLOWED = 100_000;

  /** Feeds that are named beside one with which they share hits. */
  private static final int MAX_SHARED = 3;

  private static final int MAX_PROBLEMS = 10;
  private static final long HOUR_SECONDS = 3_600;

  private final SessionStore store;
  private final Supplier<ExaminedGateway> gateway;
  private final Supplier<OperatorLists> operator;

  /** Scores of one gateway. */
  public FeedScores(
      SessionStore store, Supplier<ExaminedGateway> gateway, Supplier<OperatorLists> operator) {
    this.store = store;
    this.gateway = gateway;
    this.operator = operator;
  }

  /**
   * The answer.
   *
   * @param feeds an object each, in the order of the settings
   * @param problems why it is not complete, a sentence each
   */
  public record Scores(List<JsonObject> feeds, List<String> problems) {
    public Scores {
      feeds = List.copyOf(feeds);
      problems = List.copyOf(problems);
    }
  }

  /** Names of the feeds and DNS lists that have a score: all but lists of good senders. */
  public List<String> names() {
    return List.copyOf(actions(gateway.get().settings()).keySet());
  }

  private static Map<String, Action> actions(Settings settings) {
    Map<String, Action> actions = new LinkedHashMap<>();
    settings.feeds().sources().forEach((name, source) -> actions.put(name, source.action()));
    settings.feeds().dnsLists().forEach((name, list) -> actions.put(name, list.action()));
    actions.values().removeIf(Action.TRUST::equals);
    return actions;
  }

  /**
   * Scores from a moment until now.
   *
   * @param names of {@link #names}; the others are compared with, and not shown
   * @throws IOException when the session store cannot be read
   */
  public Scores since(Instant asked, List<String> names) throws IOException {
    ExaminedGateway now = gateway.get();
    Instant until = now.clock().instant();
    Instant kept = until.minus(now.settings().sessions().retain());
    Instant since = asked.isBefore(kept) ? kept : asked;
    List<String> problems = new ArrayList<>();
    if (!now.settings().sessions().keeps()) {
      problems.add("sessions are not kept: set sessions.retain");
    }
    store.catchUp();
    SessionSearch search =
        new SessionSearch(
            store.days(),
            problem -> {
              if (problems.size() < MAX_PROBLEMS) {
                problems.add(problem);
              }
            });
    SessionQuery all = SessionQuery.of(since, until);
    List<SessionCounts> hours = search.stats(all, HOUR_SECONDS);
    Map<String, Action> actions = actions(now.settings());
    ScoreScan scan = new ScoreScan(actions, new LaterAllowed(allowedSince(since, problems)));
    search.forEach(
        new SessionQuery(since, until, null, null, null, null, "*"),
        session -> {
          scan.add(session);
          return true;
        });
    if (scan.needsAccepted()) {
      new StoredSessions(search, since, until).forEach(scan::addAccepted);
    }
    Promotion promotion = now.settings().feeds().promotion();
    List<JsonObject> scores = new ArrayList<>();
    for (String name : names) {
      Tally tally = scan.tally(name);
      FeedScore score =
          score(
              name,
              actions.getOrDefault(name, Action.OBSERVE),
              since,
              hours,
              tally,
              scan.goodNetworks(name, promotion.goodNetwork()),
              now.feeds().stream().filter(f -> f.feed().equals(name)).findFirst().orElse(null),
              until);
      scores.add(score.toJson(NextAction.of(score, promotion, until)));
    }
    return new Scores(scores, problems.stream().distinct().toList());
  }

  private static FeedScore score(
      String name,
      Action action,
      Instant since,
      List<SessionCounts> hours,
      Tally tally,
      long goodNetworks,
      @Nullable FeedStatus status,
      Instant now) {
    Instant success = status == null ? null : status.success();
    Instant first = tally.first();
    return new FeedScore(
        name,
        action,
        since,
        hours.stream().mapToLong(SessionCounts::sessions).sum(),
        hours.stream().mapToLong(hour -> hour.accepted() - hour.wouldRefuse()).sum(),
        tally.hits(),
        tally.alone(),
        tally.shared().entrySet().stream()
            .map(other -> new Shared(other.getKey(), other.getValue()))
            .sorted(
                Comparator.comparingLong(Shared::sessions).reversed().thenComparing(Shared::feed))
            .limit(MAX_SHARED)
            .toList(),
        tally.accepted(),
        tally.senders(),
        goodNetworks,
        tally.laterAllowed().size(),
        tally.laterAllowed().values().stream().max(Comparator.naturalOrder()).orElse(null),
        first,
        first == null
            ? 0
            : hours.stream()
                .filter(hour -> hour.begins().plusSeconds(HOUR_SECONDS).isAfter(first))
                .mapToLong(SessionCounts::sessions)
                .sum(),
        success == null ? null : Math.max(0, Duration.between(success, now).toDays()),
        status == null ? null : status.entries());
  }

  /** Entries of commands and of files; those that are older than every hit are left out. */
  private List<OperatorEntry> allowedSince(Instant since, List<String> problems) {
    List<OperatorEntry> young = new ArrayList<>();
    try {
      OperatorLists lists = operator.get();
      OperatorLists.Page page = lists.page(ListKind.ALLOW, "", 0);
      while (true) {
        for (OperatorEntry entry : page.entries()) {
          if (entry.created().isAfter(since) && young.size() < MAX_ALLOWED) {
            young.add(entry);
          }
        }
        if (page.end()) {
          return young;
        }
        page = lists.page(ListKind.ALLOW, "", page.last());
      }
    } catch (OperatorListsException e) {
      problems.add("allow entries are not counted: " + e.userMessage());
      return young;
    }
  }
}

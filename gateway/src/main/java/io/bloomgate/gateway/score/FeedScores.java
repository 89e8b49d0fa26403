package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Promotion;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.score.FeedScore.Cost;
import io.bloomgate.gateway.score.FeedScore.NextAction;
import io.bloomgate.gateway.score.FeedScore.Shared;
import io.bloomgate.gateway.score.FeedScore.Watched;
import io.bloomgate.gateway.score.ScoreScan.LaterAllowed;
import io.bloomgate.gateway.score.ScoreScan.Tally;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.status.GatewayStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes the scorecards of the feeds from the session store, the operator's entries and what is kept
 * of the feeds. One for a gateway; any thread that may block, for about 20 s of CPU a million
 * sessions (score.sh). Its memory does not grow with the sessions: what is remembered of senders,
 * networks and allow entries has limits.
 */
public final class FeedScores {

  /** Young allow entries that are compared with the hits, about 500 octets each. */
  static final int MAX_ALLOWED = 100_000;

  /** Feeds that are named beside one with which they share hits. */
  private static final int MAX_SHARED = 3;

  private static final int MAX_PROBLEMS = 10;
  private static final long HOUR_SECONDS = 3_600;

  private final SessionStore store;
  private final Supplier<GatewayStatus> gateway;
  private final Supplier<Blocklists> lists;

  /** Scores of one gateway. */
  public FeedScores(
      SessionStore store, Supplier<GatewayStatus> gateway, Supplier<Blocklists> lists) {
    this.store = store;
    this.gateway = gateway;
    this.lists = lists;
  }

  /** A scorecard, and what follows from it. */
  record Judged(FeedScore score, NextAction next) {}

  /**
   * The answer.
   *
   * @param feeds in the order in which they were asked for
   * @param problems why it is not complete, a sentence each
   */
  public record Scores(List<Judged> feeds, List<String> problems) {

    /** An object each. */
    public List<JsonObject> json() {
      return feeds.stream().map(feed -> feed.score().toJson(feed.next())).toList();
    }
  }

  /** Names of the feeds and DNS lists that have a score: all but lists of good senders. */
  public List<String> names() {
    return List.copyOf(actions(lists.get().settings()).keySet());
  }

  /** The action in force of one of {@link #names}. */
  public Action action(String name) {
    return actions(lists.get().settings()).getOrDefault(name, Action.OBSERVE);
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
    GatewayStatus now = gateway.get();
    Instant until = now.at();
    Instant kept = until.minus(now.settings().sessions().retain());
    Instant since = asked.isBefore(kept) ? kept : asked;
    List<String> problems = new ArrayList<>();
    if (!now.settings().sessions().keeps()) {
      problems.add("sessions are not kept: set sessions.retain");
    }
    store.catchUp();
    SessionSearch search =
        store.search(problem -> {
          if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem);
          }
        });
    SessionQuery all = SessionQuery.of(since, until);
    List<SessionCounts> hours = search.stats(all, HOUR_SECONDS);
    Set<String> exempt = Set.copyOf(now.settings().policy().exemptRecipients());
    long accepted =
        hours.stream().mapToLong(hour -> hour.accepted() - hour.wouldRefuse()).sum()
            - (exempt.isEmpty() ? 0 : search.acceptedFor(all, exempt::contains));
    Map<String, Action> actions = actions(now.settings());
    ScoreScan scan =
        new ScoreScan(
            actions.keySet(),
            new LaterAllowed(allowedSince(since, problems)),
            exempt,
            lists.get()::isKnown);
    search.forEach(
        new SessionQuery(since, until, null, null, null, null, "*", null, null),
        session -> {
          scan.add(session);
          return true;
        });
    if (scan.needsAccepted()) {
      search.past(all, scan::addAccepted);
    }
    Promotion promotion = now.settings().feeds().promotion();
    List<Judged> scores = new ArrayList<>();
    for (String name : names) {
      Action action = actions.getOrDefault(name, Action.OBSERVE);
      FeedScore score =
          new FeedScore(
              name,
              action,
              counts(since, hours, accepted, scan, name, promotion),
              watched(name, action, since, hours, search),
              cost(name, since, now),
              trouble(name, now.feedStates(), now.dnsLists()),
              lists.get().promotions().of(name).orElse(null));
      scores.add(new Judged(score, NextAction.of(score, promotion, until)));
    }
    return new Scores(scores, problems.stream().distinct().toList());
  }

  /**
   * Senders of mail that only mode observe let pass, as objects; those that look good first.
   *
   * @param problems takes sentences about what could not be read
   * @throws IOException when the session store cannot be read
   */
  public List<JsonObject> spared(Instant since, long limit, Consumer<String> problems)
      throws IOException {
    store.catchUp();
    return SparedMail.of(
            store.search(problems), since, gateway.get().at(), lists.get()::isKnown, limit)
        .stream()
        .map(JsonRecords::of)
        .toList();
  }

  private static FeedScore.Counts counts(
      Instant since,
      List<SessionCounts> hours,
      long accepted,
      ScoreScan scan,
      String name,
      Promotion promotion) {
    Tally tally = scan.tally(name);
    return new FeedScore.Counts(
        since,
        hours.stream().mapToLong(SessionCounts::sessions).sum(),
        accepted,
        tally.hits,
        tally.alone,
        tally.shared.entrySet().stream()
            .map(other ->
                new Shared(
                    other.getKey(),
                    other.getValue(),
                    Math.round(100.0 * other.getValue() / tally.hits)))
            .sorted(
                Comparator.comparingLong(Shared::sessions).reversed().thenComparing(Shared::feed))
            .limit(MAX_SHARED)
            .toList(),
        tally.accepted,
        tally.known,
        tally.senders.size(),
        scan.goodNetworks(name, promotion.goodNetwork()),
        tally.laterAllowed.size(),
        tally.lastAllowed);
  }

  /** The time since the feed has this action, but no longer than sessions are kept. */
  private Watched watched(
      String name, Action action, Instant since, List<SessionCounts> hours, SessionSearch search)
      throws IOException {
    FeedActions.Acting acting = lists.get().promotions().acting(name).orElse(null);
    if (acting == null || acting.action() != action) {
      return Watched.NOT;
    }
    Instant first = hours.isEmpty() ? acting.since() : hours.getFirst().begins();
    Instant kept = first.isAfter(since) ? first : since;
    boolean older = acting.since().isBefore(kept);
    Instant begin = older ? kept : acting.since();
    // The hour in which the action began counts from there on.
    Instant next = begin.truncatedTo(ChronoUnit.HOURS).plusSeconds(HOUR_SECONDS);
    List<SessionCounts> whole =
        hours.stream().filter(hour -> !hour.begins().isBefore(next)).toList();
    long part = sessions(search.stats(SessionQuery.of(begin, next), HOUR_SECONDS));
    return new Watched(begin, older ? Watched.SESSIONS : Watched.ACTION, sessions(whole) + part);
  }

  private static long sessions(List<SessionCounts> hours) {
    return hours.stream().mapToLong(SessionCounts::sessions).sum();
  }

  private Cost cost(String name, Instant since, GatewayStatus now) {
    FeedStatus status =
        now.feedStates().stream().filter(feed -> feed.feed().equals(name)).findFirst().orElse(null);
    Instant success = status == null ? null : status.success();
    return new Cost(
        success == null ? null : Math.max(0, Duration.between(success, now.at()).toDays()),
        status == null ? null : status.entries(),
        lists.get().health().fetchedOctets(name, since).orElse(null),
        lists.get().health().memory(name).orElse(null));
  }

  /** Entries of commands and of files; those that are older than every hit are left out. */
  private List<OperatorEntry> allowedSince(Instant since, List<String> problems) {
    List<OperatorEntry> young = new ArrayList<>();
    try {
      OperatorLists operator = lists.get().operator();
      OperatorLists.Page<OperatorEntry> page = operator.page(ListKind.ALLOW, "", 0);
      while (true) {
        for (OperatorEntry entry : page.items()) {
          if (entry.created().isAfter(since)) {
            if (young.size() == MAX_ALLOWED) {
              problems.add("allow entries beyond the first " + MAX_ALLOWED + " are not counted");
              return young;
            }
            young.add(entry);
          }
        }
        if (page.end()) {
          return young;
        }
        page = operator.page(ListKind.ALLOW, "", page.last());
      }
    } catch (OperatorListsException e) {
      problems.add("allow entries are not counted: " + e.userMessage());
      return young;
    }
  }

  /**
   * The reason why a feed must not act more strongly as it is now, whatever its past says: what it
   * lists is not what its publisher says today. A clause; empty when nothing is wrong.
   */
  static String trouble(String name, List<FeedStatus> feeds, List<DnsListAnswers.State> dnsLists) {
    for (FeedStatus feed : feeds) {
      if (feed.feed().equals(name)) {
        boolean isDisabled = feed.state() == FeedState.DISABLED;
        return isDisabled || feed.alarms()
            ? (isDisabled ? "it is disabled" : "it has an alarm")
                + ": `bloomgate feeds show "
                + name
                + "` says more"
            : "";
      }
    }
    for (DnsListAnswers.State list : dnsLists) {
      if (list.list().name().equals(name)) {
        return !list.enabled()
            ? "it is disabled"
            : list.problem().isEmpty() ? "" : "it is off: " + list.problem();
      }
    }
    return "it is not in force";
  }
}

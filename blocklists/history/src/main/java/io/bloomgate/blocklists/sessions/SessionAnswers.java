package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.control.ControlRequest.OfSessions;
import io.bloomgate.config.control.ControlRequest.SessionsList;
import io.bloomgate.config.control.ControlRequest.SessionsShow;
import io.bloomgate.config.control.ControlRequest.SessionsStats;
import io.bloomgate.config.control.ControlRequest.SessionsTop;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Answers {@code sessions}, {@code top} and {@code stats} with objects of JSON. Called by the
 * gateway, and by the command line where no gateway runs, each on a thread that may take a second.
 *
 * @param oldest sessions before are not known any more
 * @param now the end of every question
 * @param lost sessions that this process could not keep; 0 where it keeps none
 * @param trouble why not all can be kept now; empty when they can
 */
public record SessionAnswers(
    SessionSearch search, Instant oldest, Instant now, long lost, String trouble) {

  /** Makes the answers of a process that keeps no sessions. */
  public SessionAnswers(SessionSearch search, Instant oldest, Instant now) {
    this(search, oldest, now, 0, "");
  }

  /** Sessions that are kept for less are not kept. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Zones differ from UTC by quarters of an hour. */
  private static final Duration QUARTER = Duration.ofMinutes(15);

  /** Takes the objects of an answer; stops the answer by throwing. */
  @FunctionalInterface
  public interface Items {
    void take(JsonObject item) throws IOException;
  }

  /**
   * The reason why there is no answer.
   *
   * @param usage the question is wrong; else nothing is known
   */
  public record Refusal(boolean usage, String message, String hint) {}

  /**
   * Answers a question.
   *
   * @return empty when it was answered
   * @throws IOException when the directory cannot be read, or by {@code items}
   */
  public Optional<Refusal> answer(OfSessions question, Items items) throws IOException {
    if (Duration.between(oldest, now).compareTo(SHORTEST) < 0) {
      return Optional.of(
          new Refusal(false, "sessions are not kept", "set sessions.retain in the settings"));
    }
    return switch (question) {
      case SessionsList asked -> list(asked, items);
      case SessionsShow(String id) -> show(id, items);
      case SessionsTop asked -> top(asked, items);
      case SessionsStats asked -> stats(asked, items);
    };
  }

  private Optional<Refusal> stats(SessionsStats asked, Items items) throws IOException {
    ZoneId zone;
    try {
      zone = asked.zone() == null ? ZoneOffset.UTC : ZoneId.of(asked.zone());
    } catch (DateTimeException e) {
      return usage("`" + asked.zone() + "` is no time zone", "write one such as Europe/Berlin");
    }
    Map<Instant, SessionCounts> rows = new TreeMap<>();
    for (SessionCounts row : search.stats(since(asked.since()), QUARTER.toSeconds())) {
      Instant begins =
          row.begins()
              .atZone(zone)
              .truncatedTo(asked.days() ? ChronoUnit.DAYS : ChronoUnit.HOURS)
              .toInstant();
      rows.merge(begins, SessionCounts.none(begins).plus(row), SessionCounts::plus);
    }
    for (SessionCounts row : rows.values()) {
      items.take(row.toJson());
    }
    return Optional.empty();
  }

  private SessionQuery since(Instant since) {
    return SessionQuery.of(since.isBefore(oldest) ? oldest : since, now);
  }

  private Optional<Refusal> list(SessionsList asked, Items items) throws IOException {
    IpPrefix client = null;
    if (asked.client() != null) {
      switch (IpPrefix.parse(asked.client())) {
        case Parsed.Ok<IpPrefix>(IpPrefix network, var ignored) -> client = network;
        case Parsed.Bad<IpPrefix>(String reason) -> {
          return usage("--client " + asked.client() + ": " + reason, "write an IP or a CIDR");
        }
      }
    }
    if (asked.verdict() != null && !SessionQuery.VERDICTS.contains(asked.verdict())) {
      return usage(
          "`" + asked.verdict() + "` is no verdict",
          "write one of "
              + SessionQuery.VERDICTS.stream().sorted().collect(Collectors.joining(", ")));
    }
    SessionQuery time = since(asked.since());
    Instant until = asked.until();
    long[] left = {asked.limit()};
    search.forEach(
        new SessionQuery(
            time.since(),
            until != null && until.isBefore(time.until()) ? until : time.until(),
            client,
            asked.from(),
            asked.to(),
            asked.verdict(),
            asked.feed(),
            asked.queueId(),
            asked.messageId()),
        session -> {
          items.take(SessionJson.of(session));
          return --left[0] > 0;
        });
    return Optional.empty();
  }

  private Optional<Refusal> show(String id, Items items) throws IOException {
    if (IncidentId.canonical(id).isEmpty()) {
      return usage("`" + id + "` is no id", "an id has 10 letters and digits, as in a refusal");
    }
    Optional<Evidence> found = search.find(id, oldest);
    if (found.isEmpty()) {
      return Optional.of(new Refusal(false, "no session " + id + " is known", whyUnknown()));
    }
    items.take(SessionJson.of(found.get()));
    return Optional.empty();
  }

  /**
   * Says why a session may be unknown, as a hint: too old, or one that could not be kept.
   *
   * @throws IOException when the directory cannot be read
   */
  public String whyUnknown() throws IOException {
    long missing = Math.max(lost, search.leftOut(oldest));
    return "sessions are kept for sessions.retain, and at most sessions.max_size of them; an id"
        + " behind `connection=` in the log is that of a connection: its lines there name its mails"
        + (trouble.isEmpty() ? "" : "; not all are kept now: " + trouble)
        + (missing == 0
            ? ""
            : "; "
                + missing
                + (missing == 1 ? " session was" : " sessions were")
                + " not kept, which may be why: the gateway's log says when and why");
  }

  private Optional<Refusal> top(SessionsTop asked, Items items) throws IOException {
    Optional<TopBy> by =
        Arrays.stream(TopBy.values()).filter(each -> each.key().equals(asked.by())).findFirst();
    if (by.isEmpty()) {
      return usage(
          "`" + asked.by() + "` cannot be counted",
          "write one of "
              + Arrays.stream(TopBy.values()).map(TopBy::key).collect(Collectors.joining(", ")));
    }
    int limit = (int) Math.min(SessionSearch.MAX_GROUPS, asked.limit());
    for (SessionSearch.Count count : search.top(since(asked.since()), by.get(), limit)) {
      items.take(
          JsonValue.object()
              .put("by", asked.by())
              .put("what", count.what())
              .put("sessions", count.sessions())
              .build());
    }
    return Optional.empty();
  }

  private static Optional<Refusal> usage(String message, String hint) {
    return Optional.of(new Refusal(true, message, hint));
  }
}

package io.bloomgate.gateway.page;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.html.Templates.Filled;
import io.bloomgate.gateway.page.Exchange.Params;
import io.bloomgate.gateway.page.Show.ProfileRow;
import io.bloomgate.gateway.page.Show.TopRows;
import io.bloomgate.gateway.page.Show.VerdictChart;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pages that show something: each asks what the command line asks, and gives a template the
 * answers. Called on the threads of HTTP requests; reads only.
 */
final class PageViews {

  /** Sessions of one page, so that it stays small whatever senders say. */
  private static final int ROWS = 50;

  /** Entries of one page, whose reasons are shown to their end. */
  private static final int ENTRIES = 80;

  /** Entries about recipients of one page, with those of the settings. */
  private static final int RECIPIENTS = 200;

  /** Entries of a held version that come, and as many of the live one that go, each cut. */
  private static final int CHANGES = 50;

  /** Records of the audit, whose subjects are shown with their reasons. */
  private static final int RECORDS = 60;

  /** Rows of each table of what occurs most often. */
  private static final int TOP = 5;

  /** Senders of mail that lists would refuse. */
  private static final int SPARED = 10;

  /** The answer to what was not asked. */
  private static final Answer NOTHING = new Answer(List.of(), List.of(), 0, "");

  private static final Duration DAY = Duration.ofDays(1);

  private static final Map<String, Duration> SPANS =
      Map.of(
          "1h", Duration.ofHours(1),
          "24h", DAY,
          "7d", Duration.ofDays(7),
          "30d", Duration.ofDays(30));

  private final Questions questions;

  /**
   * Answers that take a reading of all kept sessions or of whole feeds: a page that is loaded again
   * and again must not read again and again.
   */
  private final Cache<String, Answer> remembered =
      CacheBuilder.newBuilder().expireAfterWrite(Duration.ofMinutes(1)).maximumSize(64).build();

  PageViews(Questions questions) {
    this.questions = questions;
  }

  /** The page of a path; empty when there is none. */
  Optional<Filled> of(String path, Params asked, Shell shell) {
    return Optional.ofNullable(
        switch (path) {
          case "/" -> overview(shell);
          case "/live" -> live(asked, shell, "live");
          case "/live/rows" -> live(asked, shell, "rows");
          case "/lookup" -> lookup(asked, shell);
          case "/feeds" -> feeds(shell);
          case "/feed" -> feed(asked, shell);
          case "/catalogue" -> catalogue(shell);
          case "/profiles" -> profiles(shell);
          case "/allow" -> list(ListKind.ALLOW, asked, shell);
          case "/block" -> list(ListKind.BLOCK, asked, shell);
          case "/recipients" -> recipients(shell);
          case "/sessions" -> sessions(asked, shell);
          case "/audit" -> audit(shell);
          default -> null;
        });
  }

  private Filled overview(Shell shell) {
    Instant since = shell.now().minus(DAY);
    Answer stats =
        remembered("stats", () -> ask(new ControlRequest.SessionsStats(since, false, null), shell));
    Answer newest =
        ask(new ControlRequest.SessionsList(since, null, null, null, null, null, ROWS), shell);
    return filled(
        "overview",
        shell,
        Map.of(
            "status", first(ask(new ControlRequest.Status(), shell)),
            "feeds", ask(new ControlRequest.FeedsList(), shell).items(),
            "fleet", ask(new ControlRequest.FleetStatus(), shell).items(),
            "chart", VerdictChart.svg(stats.items(), since, shell.now(), shell.zone()),
            "legend", VerdictChart.legend(stats.items()),
            "latency", latency(newest.items()),
            "tops",
                List.of(
                    top("Top clients", "client", "/sessions?client=", shell),
                    top("Top lists", "feed", "/feed?name=", shell),
                    top("Top sender domains", "sender-domain", "/lookup?subject=", shell)),
            "spared", spared(since, shell)));
  }

  private TopRows top(String title, String by, String link, Shell shell) {
    Answer answer =
        remembered(
            "top " + by,
            () -> ask(new ControlRequest.SessionsTop(by, shell.now().minus(DAY), TOP), shell));
    return new TopRows(title, link, answer.items());
  }

  private List<JsonObject> spared(Instant since, Shell shell) {
    return remembered("spared", () -> ask(new ControlRequest.SparedTop(since, SPARED), shell))
        .items();
  }

  /** The time that the newest sessions took, as the decision log has it in {@code ms}. */
  private static String latency(List<JsonObject> sessions) {
    long[] took = sessions.stream().mapToLong(s -> s.number("ms").orElse(0)).sorted().toArray();
    return took.length == 0
        ? "\u2013"
        : took[took.length / 2] + " ms, longest " + took[took.length - 1] + " ms";
  }

  private Filled live(Params asked, Shell shell, String template) {
    Instant since = moment(asked.text("since")).orElse(shell.now().minus(DAY));
    Answer answer = ask(search(asked, since, null), shell);
    return filled(
        template, shell, Map.of("asked", asked, "answer", answer, "sessions", answer.items()));
  }

  private Filled sessions(Params asked, Shell shell) {
    Duration span = SPANS.getOrDefault(asked.text("span"), DAY);
    Instant until = until(asked.text("until"), shell);
    Instant end = until == null ? shell.now() : until;
    Instant since = moment(asked.text("since")).orElseGet(() -> end.minus(span));
    Answer answer = ask(search(asked, since, until), shell);
    List<JsonObject> items = answer.items();
    String older = items.size() < ROWS ? "" : Show.raw(items.getLast(), "time");
    return filled(
        "sessions",
        shell,
        Map.of(
            "asked",
            asked,
            "answer",
            answer,
            "sessions",
            items,
            "older",
            older.isEmpty()
                ? ""
                : "/sessions?" + asked.with(Map.of("since", since.toString(), "until", older))));
  }

  /** A moment of ours, or the local time of a form. */
  private static @Nullable Instant until(String text, Shell shell) {
    try {
      return text.isEmpty() || text.endsWith("Z") ? moment(text).orElse(null) : at(text, shell);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static ControlRequest search(Params asked, Instant since, @Nullable Instant until) {
    return new ControlRequest.SessionsList(
        since,
        asked.orNull("client"),
        asked.orNull("from"),
        asked.orNull("to"),
        asked.orNull("verdict"),
        asked.orNull("feed"),
        ROWS,
        until,
        asked.orNull("queue"),
        asked.orNull("message"));
  }

  private Filled lookup(Params asked, Shell shell) {
    String subject = asked.text("subject");
    Answer answer = NOTHING;
    if (!subject.isEmpty()) {
      try {
        answer =
            ask(
                new ControlRequest.Explain(
                    IncidentId.inRefusal(subject),
                    asked.orNull("helo"),
                    asked.orNull("from"),
                    asked.orNull("ip"),
                    asked.orNull("to"),
                    null,
                    at(asked.orNull("at"), shell)),
                shell);
      } catch (DateTimeException e) {
        answer = new Answer(List.of(), List.of(), 2, "the time is not YYYY-MM-DDTHH:MM");
      }
    }
    return filled("lookup", shell, Map.of("asked", asked, "answer", answer));
  }

  /** A browser sends a local time without a zone. */
  private static @Nullable Instant at(@Nullable String text, Shell shell) {
    return text == null ? null : LocalDateTime.parse(text).atZone(shell.zone()).toInstant();
  }

  private Filled feeds(Shell shell) {
    Answer answer = ask(new ControlRequest.FeedsList(), shell);
    return filled("feeds", shell, Map.of("feeds", answer.items()));
  }

  private Filled catalogue(Shell shell) {
    Set<String> used =
        ask(new ControlRequest.FeedsList(), shell).items().stream()
            .map(feed -> Show.raw(feed, "feed"))
            .collect(Collectors.toUnmodifiableSet());
    return filled(
        "catalogue", shell, Map.of("entries", Catalogue.builtIn().entries(), "used", used));
  }

  private Filled profiles(Shell shell) {
    Answer values = ask(new ControlRequest.ConfigEffective(), shell);
    Answer recipients = ask(new ControlRequest.RecipientList(), shell);
    return filled(
        "profiles", shell, Map.of("profiles", ProfileRow.of(values.items(), recipients.items())));
  }

  private Filled feed(Params asked, Shell shell) {
    String name = asked.text("name");
    Answer answer = ask(new ControlRequest.FeedsShow(name), shell);
    Answer score = NOTHING;
    if (answer.failure().isEmpty() && asked.has("score")) {
      score =
          remembered(
              "score " + name,
              () -> ask(new ControlRequest.FeedsScore(Instant.EPOCH, List.of(name)), shell));
    }
    return filled(
        "feed",
        shell,
        Map.of(
            "answer", answer,
            "score", score,
            "changes", heldChanges(name, first(answer), shell),
            "name", name));
  }

  /** The changes that accepting would make; nothing where no whole version is held. */
  private Answer heldChanges(String name, JsonObject feed, Shell shell) {
    if (!Show.raw(feed, "state").equals("held")) {
      return NOTHING;
    }
    String versions = feed.get("versions").map(Json::write).orElse("");
    return remembered(
        "held " + name + " " + versions,
        () -> ask(new ControlRequest.FeedsHeldChanges(name, CHANGES), shell));
  }

  private Filled list(ListKind list, Params asked, Shell shell) {
    Answer answer =
        ask(new ControlRequest.ListShow(list, asked.text("match"), ENTRIES + 1, null), shell);
    return rows("list", shell, answer, ENTRIES, Map.of("list", list.key(), "asked", asked));
  }

  /** A page of the first rows of an answer. */
  private static Filled rows(
      String template, Shell shell, Answer answer, int most, Map<String, Object> more) {
    Map<String, Object> values = new HashMap<>(more);
    values.put("entries", answer.items().stream().limit(most).toList());
    values.put("more", answer.items().size() > most);
    values.put("notes", answer.failure().isEmpty() ? answer.notes() : List.of(answer.failure()));
    return filled(template, shell, values);
  }

  /** Entries come before the lines of the settings, which no form can change. */
  private Filled recipients(Shell shell) {
    Answer answer = ask(new ControlRequest.RecipientList(), shell);
    return rows("recipients", shell, answer, RECIPIENTS, Map.of());
  }

  private Filled audit(Shell shell) {
    Answer answer = ask(new ControlRequest.Audit(null, RECORDS), shell);
    return filled("audit", shell, Map.of("records", answer.items()));
  }

  private Answer ask(ControlRequest request, Shell shell) {
    return questions.ask(request, shell.user(), shell.role());
  }

  private Answer remembered(String name, Supplier<Answer> question) {
    Answer known = remembered.getIfPresent(name);
    Answer answer = known == null ? question.get() : known;
    if (known == null && answer.failure().isEmpty()) {
      remembered.put(name, answer);
    }
    return answer;
  }

  private static JsonObject first(Answer answer) {
    return answer.items().isEmpty() ? JsonValue.object().build() : answer.items().getFirst();
  }

  private static Optional<Instant> moment(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Filled filled(String template, Shell shell, Map<String, Object> values) {
    Map<String, Object> all = new HashMap<>(values);
    all.put("shell", shell);
    return new Filled(template, all);
  }
}

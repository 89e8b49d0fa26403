package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.sessions.SessionAnswers.Refusal;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.CampaignsTop;
import io.bloomgate.config.control.ControlRequest.OfSessions;
import io.bloomgate.config.control.ControlRequest.SessionsShow;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.report.GatewayReport;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
import io.bloomgate.gateway.score.FeedScores;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * {@code sessions}, {@code top}, {@code stats}, {@code report}, {@code feeds score} and {@code
 * feeds promote}: answers from the kept sessions. A search may take a second of computing, which
 * would keep a carrier thread from sessions: it runs on a platform thread that gives way to mail,
 * while the thread of the control connection waits.
 *
 * @param turns of searches at the same time; more wait
 */
record SessionsHandler(GatewayControl gateway, FleetHandler fleet, Semaphore turns) {
  private static final int MAX_SEARCHES = 2;

  SessionsHandler(GatewayControl gateway, FleetHandler fleet) {
    this(gateway, fleet, new Semaphore(MAX_SEARCHES));
  }

  void answer(OfSessions question, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    List<String> problems = new ArrayList<>();
    // Sends what it finds, and shows no progress: most answers come at once.
    Optional<Refusal> refusal =
        answer.readingSome(() -> {
          turns.acquire();
          try {
            return gateway.kept().answers(problems::add).answer(question, answer::item);
          } finally {
            turns.release();
          }
        });
    answer.warn(problems);
    if (refusal.isPresent()) {
      Refusal why = refusal.get();
      if (why.usage()) {
        throw RefusedException.usage(why.message(), why.hint());
      }
      throw RefusedException.no(
          why.message(),
          question instanceof SessionsShow(String id) ? fleet.hint(id, why.hint()) : why.hint());
    }
  }

  /** Answers with the mails of which most copies came, from the memory of the gateway. */
  void top(CampaignsTop asked, ReplySender answer) throws RefusedException {
    Campaigns counted = gateway.campaigns().get();
    if (counted == null) {
      throw RefusedException.no(
          "copies of mails are not counted",
          "set content.bulk, for example `content: {bulk: {networks: 20}}`, and reload");
    }
    int limit = Math.clamp(asked.limit(), 0, Integer.MAX_VALUE);
    List<JsonObject> rows = counted.heaviest(limit).stream().map(JsonRecords::of).toList();
    answer.items(rows);
    if (rows.isEmpty() && limit > 0) {
      answer.note(
          "no campaigns: a mail is one from about "
              + counted.heavyFrom()
              + " copies on within content.bulk.window; a restart forgets what was counted");
    }
  }

  // ---- reports

  void report(ControlRequest.Report asked, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    ZoneId zone;
    try {
      zone = asked.zone() == null ? null : ZoneId.of(asked.zone());
    } catch (DateTimeException e) {
      throw RefusedException.usage(
          "`" + asked.zone() + "` is no time zone", "write one such as Europe/Berlin");
    }
    String to = asked.mailTo();
    if (to != null) {
      send(asked, to, answer);
      return;
    }
    GatewayReport made =
        answer.reading(() -> gateway.reports().reports().since(asked.since(), zone));
    answer.item(
        switch (asked.form()) {
          case DATA -> made.json();
          case TEXT -> JsonValue.object().put("text", made.text(asked.columns())).build();
          case HTML -> JsonValue.object().put("html", made.html()).build();
        });
  }

  private void send(ControlRequest.Report asked, String to, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    try {
      ReportSettings.recipient(to);
    } catch (BadValueException e) {
      throw RefusedException.usage(e.problem(), e.hint());
    }
    try {
      String reply = answer.reading(() -> gateway.reports().send(asked.since(), to));
      answer.item(JsonValue.object().put("mailed_to", to).put("reply", reply));
    } catch (NotSentException e) {
      throw RefusedException.no(
          "the report was not sent: " + e.getMessage(),
          "`bloomgate doctor` looks at the mail server");
    }
  }

  // ---- scores of feeds

  void score(ControlRequest.FeedsScore asked, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    requireKnown(asked.names());
    List<String> names = asked.names().isEmpty() ? gateway.scores().names() : asked.names();
    show(asked.since(), names, answer);
  }

  /** Refuses names of which one is no feed that has a score. */
  private void requireKnown(List<String> names) throws RefusedException {
    List<String> known = gateway.scores().names();
    for (String name : names) {
      if (!known.contains(name)) {
        throw RefusedException.usage(
            "`" + name + "` is no feed that lists mail" + NoFeed.meant(name, known),
            "`bloomgate feeds score` without a name shows all");
      }
    }
  }

  private void show(Instant since, List<String> names, ReplySender answer)
      throws IOException, InterruptedException {
    FeedScores.Scores answered = answer.reading(() -> gateway.scores().since(since, names));
    answered.json().forEach(answer::item);
    answer.warn(answered.problems());
  }

  /** Answers with senders of mail that only mode observe let pass. */
  void spared(ControlRequest.SparedTop asked, ReplySender answer)
      throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    answer.items(
        answer.reading(() -> gateway.scores().spared(asked.since(), asked.limit(), problems::add)));
    answer.warn(problems);
  }

  /** Answers with the score as it is after that. */
  void promote(ControlRequest.FeedsPromote asked, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    String feed = asked.name();
    requireKnown(List.of(feed));
    Action applied = asked.applied();
    try {
      answer.warnUnless(
          applied != null
              ? gateway.promoter().applied(feed, applied, answer.user())
              : asked.auto()
                  ? gateway.promoter().begin(feed, gateway.scores().action(feed), answer.user())
                  : gateway.promoter().end(feed, answer.user()));
    } catch (IOException e) {
      throw RefusedException.no(
          "nothing was changed: " + e.getMessage(),
          "check space and owner of the state directory, then give the command again");
    }
    if (applied == null) {
      show(Instant.EPOCH, List.of(feed), answer);
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.sessions.SessionAnswers;
import io.bloomgate.blocklists.sessions.SessionAnswers.Refusal;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.CampaignsTop;
import io.bloomgate.config.control.ControlRequest.OfSessions;
import io.bloomgate.config.control.ControlRequest.SessionsShow;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * {@code sessions}, {@code top} and {@code stats}. A search may take a second of computing, which
 * would keep a carrier thread from sessions: it runs on a platform thread that gives way to mail
 * and sends what it finds, while the thread of the control connection waits.
 */
final class SessionsHandler {

  /** Searches at the same time; more wait for their turn. */
  private static final int MAX_SEARCHES = 2;

  /** Shown nowhere: most answers come at once. */
  private static final JsonObject SIGN_OF_LIFE = JsonValue.object().build();

  private final GatewayControl gateway;
  private final SessionStore sessions;
  private final ThreadFactory threads;
  private final FleetHandler fleet;
  private final Semaphore turns = new Semaphore(MAX_SEARCHES);

  /**
   * Answers from these sessions.
   *
   * @param threads makes platform threads for searches
   * @param fleet knows what other nodes have
   */
  SessionsHandler(
      GatewayControl gateway, SessionStore sessions, ThreadFactory threads, FleetHandler fleet) {
    this.gateway = gateway;
    this.fleet = fleet;
    this.sessions = sessions;
    this.threads = threads;
  }

  End answer(OfSessions question, ReplySender answer) throws IOException, InterruptedException {
    sessions.catchUp();
    List<String> problems = new ArrayList<>();
    SessionAnswers answers = sessions.answers(problems::add);
    Optional<Refusal> refusal =
        LongWork.await(
            threads,
            () -> inTurn(answers, question, answer),
            () -> answer.progress("", SIGN_OF_LIFE));
    problems.forEach(problem -> answer.note("warning: " + problem));
    if (refusal.isEmpty()) {
      return ReplySender.DONE;
    }
    Refusal why = refusal.get();
    String hint =
        !why.usage() && question instanceof SessionsShow(String id)
            ? fleet.hint(id, why.hint())
            : why.hint();
    return new Failed(why.usage() ? ReplySender.USAGE : ReplySender.NO, why.message(), hint);
  }

  /** Answers with the mails of which most copies came, from the memory of the gateway. */
  End top(CampaignsTop asked, ReplySender answer) {
    Campaigns counted = gateway.campaigns().get();
    if (counted == null) {
      return new Failed(
          ReplySender.NO,
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
    return ReplySender.DONE;
  }

  private Optional<Refusal> inTurn(SessionAnswers answers, OfSessions question, ReplySender answer)
      throws IOException, InterruptedException {
    turns.acquire();
    try {
      return answers.answer(question, answer::item);
    } finally {
      turns.release();
    }
  }
}

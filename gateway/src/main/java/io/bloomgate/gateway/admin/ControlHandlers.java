package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlClient.Collected;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.ReplySender.ClientGoneException;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.page.Questions;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers control requests: one switch over the closed family, a handler for each concern. Called
 * on the threads of control connections, and of HTTP requests: what a page shows is what the
 * command line gets.
 */
public final class ControlHandlers implements RequestHandler, Questions {

  private static final Logger LOG = LoggerFactory.getLogger(ControlHandlers.class);

  private final StatusHandler status;
  private final ExplainHandler explain;
  private final FeedHandlers feeds;
  private final ListHandlers lists;
  private final ListImporter importer;
  private final RecipientHandlers recipients;
  private final RunHandlers run;
  private final SessionsHandler sessions;
  private final ReportHandler report;
  private final AlarmsHandler alarms;
  private final ScoreHandler score;
  private final SupportHandler support;
  private final SpamHandler spam;
  private final FleetHandler fleet;
  private final AddedFeeds added;
  private final RoleRefusals refusals;

  /**
   * Handlers that see and change this gateway.
   *
   * @param shared what nodes of a fleet share by way of Redis; {@code null} when nothing is
   * @param together what they count together
   * @param nanoTime monotonic time in nanoseconds
   * @param searches makes platform threads for work that computes for long and gives way to mail
   * @param reloads makes platform threads for reloads, which others wait for
   */
  public ControlHandlers(
      GatewayControl gateway,
      SessionStore kept,
      VerdictCounts counts,
      TailHub tail,
      ThreadFactory searches,
      ThreadFactory reloads,
      ReportHandler report,
      AlarmsHandler alarms,
      ScoreHandler score,
      SupportHandler support,
      SpamHandler spam,
      @Nullable SharedLists shared,
      FleetHandler.Counts together,
      LongSupplier nanoTime) {
    refusals = new RoleRefusals(gateway, nanoTime);
    fleet = new FleetHandler(Optional.ofNullable(shared), together, gateway);
    status = new StatusHandler(gateway, counts, fleet, alarms);
    explain = new ExplainHandler(gateway, kept, fleet);
    fleet.actBy(new FleetActs(gateway));
    feeds = new FeedHandlers(gateway, counts, fleet);
    lists = new ListHandlers(gateway, kept, explain::remedy, fleet);
    importer = new ListImporter(gateway, fleet);
    recipients = new RecipientHandlers(gateway, fleet);
    run = new RunHandlers(gateway, tail, fleet, reloads);
    added = new AddedFeeds(gateway, run, feeds);
    sessions = new SessionsHandler(gateway, kept, searches, fleet);
    this.report = report;
    this.alarms = alarms;
    this.score = score;
    this.support = support;
    this.spam = spam;
  }

  @Override
  public void answer(ControlRequest request, Caller caller, ReplySink replies) throws IOException {
    ReplySender answer = new ReplySender(caller, replies);
    try {
      answer.send(end(request, answer));
    } catch (ClientGoneException e) {
      throw e.getCause();
    }
  }

  @Override
  public Answer ask(ControlRequest request, String user, Role role) {
    Collected collected = new Collected();
    ReplySender answer =
        new ReplySender(new Caller(user, role), replies -> replies.forEach(collected::take));
    answer.send(end(request, answer));
    return collected.answer();
  }

  private End end(ControlRequest request, ReplySender answer) {
    try {
      Role needed = request.needed();
      return answer.role().covers(needed)
          ? handle(request, answer)
          : refusals.refuse(request, needed, answer);
    } catch (ClientGoneException e) {
      throw e;
    } catch (OperatorListsException e) {
      LOG.error("{}", e.getMessage());
      return new Failed(ReplySender.NO, e.userMessage(), e.hint());
    } catch (UsageException e) {
      return new Failed(ReplySender.USAGE, e.reason(), e.hint());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Failed(ReplySender.NO, "the gateway is stopping", "ask again when it is up");
    } catch (IOException | RuntimeException | InternalError e) {
      LOG.error("{} failed", request.getClass().getSimpleName(), e);
      return new Failed(ReplySender.NO, "the gateway failed at this request", "its log says why");
    }
  }

  private End handle(ControlRequest request, ReplySender answer)
      throws IOException, OperatorListsException, UsageException, InterruptedException {
    return switch (request) {
      case ControlRequest.Status() -> status.status(answer);
      case ControlRequest.Health() -> status.health(answer);
      case ControlRequest.Explain asked -> explain.explain(asked, answer);
      case ControlRequest.ExplainMail asked -> explain.explainMail(asked, answer);
      case ControlRequest.FeedsList() -> feeds.list(answer);
      case ControlRequest.FeedsShow asked -> feeds.show(asked, answer);
      case ControlRequest.FeedsHeldChanges asked -> feeds.heldChanges(asked, answer);
      case ControlRequest.FeedsScore asked -> score.score(asked, answer);
      case ControlRequest.FeedsPromote asked -> score.promote(asked, answer);
      case ControlRequest.FeedsAdd asked -> added.add(asked, answer);
      case ControlRequest.FeedsRefresh asked -> feeds.refresh(asked, answer);
      case ControlRequest.FeedsEnable asked -> feeds.enable(asked, answer);
      case ControlRequest.FeedsDisable asked -> feeds.disable(asked, answer);
      case ControlRequest.FeedsAccept asked -> feeds.accept(asked, answer);
      case ControlRequest.FeedsRollback asked -> feeds.rollback(asked, answer);
      case ControlRequest.ListAdd asked -> lists.add(asked, answer);
      case ControlRequest.ListShow asked -> lists.show(asked, answer);
      case ControlRequest.ListRemove asked -> lists.remove(asked, answer);
      case ControlRequest.ListEdit asked -> lists.edit(asked, answer);
      case ControlRequest.Audit asked -> lists.audit(asked, answer);
      case ControlRequest.ListCheck asked -> lists.check(asked, answer);
      case ControlRequest.ListImport asked -> importer.take(asked, answer);
      case ControlRequest.RecipientSet asked -> recipients.set(asked, answer);
      case ControlRequest.RecipientList() -> recipients.list(answer);
      case ControlRequest.RecipientRemove asked -> recipients.remove(asked, answer);
      case ControlRequest.RecipientCheck asked -> recipients.check(asked, answer);
      case ControlRequest.Tail asked -> run.tail(asked, answer);
      case ControlRequest.SessionsList asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsShow asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsTop asked -> sessions.answer(asked, answer);
      case ControlRequest.SparedTop asked -> score.spared(asked, answer);
      case ControlRequest.CampaignsTop asked -> sessions.top(asked, answer);
      case ControlRequest.SessionsStats asked -> sessions.answer(asked, answer);
      case ControlRequest.ConfigEffective() -> support.effective(answer);
      case ControlRequest.Support() -> support.support(answer);
      case ControlRequest.ConfigReload asked -> run.reload(asked, answer);
      case ControlRequest.AlarmsTest() -> alarms.test(answer);
      case ControlRequest.AlarmsSeen asked -> alarms.see(asked, answer);
      case ControlRequest.SetMode asked -> run.mode(asked, answer);
      case ControlRequest.Doctor asked -> status.doctor(asked, answer);
      case ControlRequest.Report asked -> report.report(asked, answer);
      case ControlRequest.SpamReport asked -> spam.report(asked, answer);
      case ControlRequest.Traps asked -> spam.traps(asked, answer);
      case ControlRequest.FleetStatus() -> fleet.status(answer);
      case ControlRequest.Drain() -> run.drain(answer);
      case ControlRequest.Resume() -> run.resume(answer);
    };
  }
}

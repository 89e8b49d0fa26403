package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlClient.Collected;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.ReplySender.ClientGoneException;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.page.Questions;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers control requests: one switch over the closed family, a handler for each concern. Called
 * on the threads of control connections, and of HTTP requests: what a page shows is what the
 * command line gets.
 */
public final class ControlHandlers implements RequestHandler, Questions {
  private static final Logger LOG = LoggerFactory.getLogger(ControlHandlers.class);

  private final GatewayControl gateway;
  private final FleetHandler fleet;
  private final SessionsHandler sessions;

  /** Handlers that see and change this gateway. */
  public ControlHandlers(GatewayControl gateway) {
    this.gateway = gateway;
    fleet = new FleetHandler(gateway);
    sessions = new SessionsHandler(gateway, fleet);
  }

  @Override
  public void answer(ControlRequest request, Caller caller, ReplySink replies) throws IOException {
    try {
      answer(request, new ReplySender(gateway, caller, replies));
    } catch (ClientGoneException e) {
      throw e.getCause();
    }
  }

  @Override
  public Answer ask(ControlRequest request, String user, Role role) {
    Collected collected = new Collected();
    ReplySink sink = replies -> replies.forEach(collected::take);
    answer(request, new ReplySender(gateway, new Caller(user, role), sink));
    return collected.answer();
  }

  private void answer(ControlRequest request, ReplySender answer) {
    try {
      Role needed = request.needed();
      if (!answer.role().covers(needed)) {
        new RoleRefusals(gateway).refuse(request, needed, answer);
      }
      handle(request, answer);
      answer.end();
    } catch (ClientGoneException e) {
      throw e;
    } catch (OperatorListsException e) {
      LOG.error("{}", e.getMessage());
      answer.send(RefusedException.of(e).reply());
    } catch (RefusedException e) {
      answer.send(e.reply());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.send(
          RefusedException.no("the gateway is stopping", "ask again when it is up").reply());
    } catch (IOException | RuntimeException | InternalError e) {
      LOG.error("{} failed", request.getClass().getSimpleName(), e);
      answer.send(
          RefusedException.no("the gateway failed at this request", "its log says why").reply());
    }
  }

  private void handle(ControlRequest request, ReplySender answer)
      throws IOException, OperatorListsException, RefusedException, InterruptedException {
    StatusHandler status = new StatusHandler(gateway, fleet);
    ExplainHandler explain = new ExplainHandler(gateway, fleet);
    FeedHandlers feeds = new FeedHandlers(gateway, fleet);
    ListHandlers lists = new ListHandlers(gateway, explain, fleet);
    RecipientHandlers recipients = new RecipientHandlers(gateway, fleet);
    RunHandlers run = new RunHandlers(gateway, fleet);
    SpamHandler spam = new SpamHandler(gateway);
    SupportHandler support = new SupportHandler(gateway);
    switch (request) {
      case ControlRequest.Status() -> status.status(answer);
      case ControlRequest.Health() -> status.health(answer);
      case ControlRequest.Explain asked -> explain.explain(asked, answer);
      case ControlRequest.ExplainMail asked -> explain.explainMail(asked, answer);
      case ControlRequest.FeedsList() -> feeds.list(answer);
      case ControlRequest.FeedsShow asked -> feeds.show(asked, answer);
      case ControlRequest.FeedsHeldChanges asked -> feeds.heldChanges(asked, answer);
      case ControlRequest.FeedsScore asked -> sessions.score(asked, answer);
      case ControlRequest.FeedsPromote asked -> sessions.promote(asked, answer);
      case ControlRequest.FeedsAdd asked -> feeds.add(asked, run, answer);
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
      case ControlRequest.ListImport asked -> new ListImporter(gateway, fleet).take(asked, answer);
      case ControlRequest.RecipientSet asked -> recipients.set(asked, answer);
      case ControlRequest.RecipientList() -> recipients.list(answer);
      case ControlRequest.RecipientRemove asked -> recipients.remove(asked, answer);
      case ControlRequest.RecipientCheck asked -> recipients.check(asked, answer);
      case ControlRequest.Tail asked -> run.tail(asked, answer);
      case ControlRequest.SessionsList asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsShow asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsTop asked -> sessions.answer(asked, answer);
      case ControlRequest.SparedTop asked -> sessions.spared(asked, answer);
      case ControlRequest.CampaignsTop asked -> sessions.top(asked, answer);
      case ControlRequest.SessionsStats asked -> sessions.answer(asked, answer);
      case ControlRequest.ConfigEffective() -> support.effective(answer);
      case ControlRequest.Support() -> support.support(answer);
      case ControlRequest.ConfigReload asked -> run.reload(asked, answer);
      case ControlRequest.AlarmsTest() -> status.testAlarms(answer);
      case ControlRequest.AlarmsSeen asked -> status.seeAlarm(asked, answer);
      case ControlRequest.SetMode asked -> run.mode(asked, answer);
      case ControlRequest.Doctor asked -> status.doctor(asked, answer);
      case ControlRequest.Report asked -> sessions.report(asked, answer);
      case ControlRequest.SpamReport asked -> spam.report(asked, answer);
      case ControlRequest.Traps asked -> spam.traps(asked, answer);
      case ControlRequest.FleetStatus() -> fleet.status(answer);
      case ControlRequest.Drain() -> run.drain(answer);
      case ControlRequest.Resume() -> run.resume(answer);
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.admin.ReplySender.ClientGoneException;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.admin.TypedEntries.UsageException;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers control requests: one switch over the closed family, a handler for each concern. Called
 * on the threads of control connections.
 */
public final class ControlHandlers implements RequestHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ControlHandlers.class);

  private final StatusHandler status;
  private final ExplainHandler explain;
  private final FeedHandlers feeds;
  private final ListHandlers lists;
  private final ListImporter importer;
  private final RunHandlers run;
  private final DoctorHandler doctor;
  private final SessionsHandler sessions;
  private final CampaignsHandler campaigns;
  private final ReportHandler report;
  private final ScoreHandler score;
  private final SupportHandler support;
  private final FleetHandler fleet;

  /**
   * Handlers that see and change this gateway.
   *
   * @param shared what nodes of a fleet share by way of Redis; {@code null} when nothing is
   * @param together what they count together
   * @param searches makes platform threads for work that computes for long
   */
  public ControlHandlers(
      GatewayControl gateway,
      SessionStore kept,
      VerdictCounts counts,
      TailHub tail,
      ThreadFactory searches,
      ReportHandler report,
      ScoreHandler score,
      SupportHandler support,
      @Nullable SharedLists shared,
      FleetHandler.Counts together) {
    fleet = new FleetHandler(Optional.ofNullable(shared), together, gateway);
    status = new StatusHandler(gateway, counts, kept, fleet);
    explain = new ExplainHandler(gateway, kept, fleet);
    fleet.actBy(new FleetActs(gateway));
    feeds = new FeedHandlers(gateway, counts, fleet);
    lists = new ListHandlers(gateway, kept, explain::remedy, fleet);
    importer = new ListImporter(gateway, fleet);
    run = new RunHandlers(gateway, tail, fleet, searches);
    doctor = new DoctorHandler(gateway);
    sessions = new SessionsHandler(kept, searches, fleet);
    campaigns = new CampaignsHandler(gateway);
    this.report = report;
    this.score = score;
    this.support = support;
  }

  @Override
  public void answer(ControlRequest request, Caller caller, ReplySink replies) throws IOException {
    ReplySender answer = new ReplySender(replies);
    End end;
    try {
      end = handle(request, caller, answer);
    } catch (ClientGoneException e) {
      throw e;
    } catch (OperatorListsException e) {
      LOG.error("{}", e.getMessage());
      end = new Failed(ReplySender.NO, e.userMessage(), e.hint());
    } catch (UsageException e) {
      end = new Failed(ReplySender.USAGE, e.reason(), e.hint());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end = new Failed(ReplySender.NO, "the gateway is stopping", "ask again when it is up");
    } catch (IOException | RuntimeException | InternalError e) {
      if (e.getCause() instanceof ClientGoneException gone) {
        throw gone; // while progress was sent
      }
      LOG.error("{} failed", request.getClass().getSimpleName(), e);
      end = new Failed(ReplySender.NO, "the gateway failed at this request", "its log says why");
    }
    answer.send(end);
  }

  private End handle(ControlRequest request, Caller caller, ReplySender answer)
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
      case ControlRequest.FeedsPromote asked -> score.promote(asked, caller, answer);
      case ControlRequest.FeedsRefresh asked -> feeds.refresh(asked, caller, answer);
      case ControlRequest.FeedsEnable asked -> feeds.enable(asked, caller, answer);
      case ControlRequest.FeedsDisable asked -> feeds.disable(asked, caller, answer);
      case ControlRequest.FeedsAccept asked -> feeds.accept(asked, caller, answer);
      case ControlRequest.FeedsRollback asked -> feeds.rollback(asked, caller, answer);
      case ControlRequest.ListAdd asked -> lists.add(asked, caller, answer);
      case ControlRequest.ListShow asked -> lists.show(asked, answer);
      case ControlRequest.ListRemove asked -> lists.remove(asked, caller, answer);
      case ControlRequest.ListEdit asked -> lists.edit(asked, caller, answer);
      case ControlRequest.Audit asked -> lists.audit(asked, answer);
      case ControlRequest.ListCheck asked -> lists.check(asked, answer);
      case ControlRequest.ListImport asked -> importer.take(asked, caller, answer);
      case ControlRequest.Tail asked -> run.tail(asked, answer);
      case ControlRequest.SessionsList asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsShow asked -> sessions.answer(asked, answer);
      case ControlRequest.SessionsTop asked -> sessions.answer(asked, answer);
      case ControlRequest.CampaignsTop asked -> campaigns.top(asked, answer);
      case ControlRequest.SessionsStats asked -> sessions.answer(asked, answer);
      case ControlRequest.ConfigEffective() -> support.effective(answer);
      case ControlRequest.Support() -> support.support(answer);
      case ControlRequest.ConfigReload() -> run.reload(caller, answer);
      case ControlRequest.SetMode asked -> run.mode(asked, caller, answer);
      case ControlRequest.Doctor asked -> doctor.doctor(asked, answer);
      case ControlRequest.Report asked -> report.report(asked, answer);
      case ControlRequest.FleetStatus() -> fleet.status(answer);
      case ControlRequest.Drain() -> run.drain(caller, answer);
      case ControlRequest.Resume() -> run.resume(caller, answer);
    };
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.refresh.FeedCommands;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.FeedsAccept;
import io.bloomgate.config.control.ControlRequest.FeedsDisable;
import io.bloomgate.config.control.ControlRequest.FeedsEnable;
import io.bloomgate.config.control.ControlRequest.FeedsHeldChanges;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.control.ControlRequest.FeedsRollback;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.metrics.VerdictCounts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code feeds}. Called on the threads of control connections. */
final class FeedHandlers {

  private static final Logger LOG = LoggerFactory.getLogger(FeedHandlers.class);

  /**
   * Entries of a held and a live version together that the gateway compares. Larger ones are left
   * to the command line, which compares in a separate process.
   */
  private static final long MAX_COMPARED = 2_000_000;

  private final GatewayControl gateway;
  private final VerdictCounts counts;
  private final FleetHandler fleet;

  FeedHandlers(GatewayControl gateway, VerdictCounts counts, FleetHandler fleet) {
    this.gateway = gateway;
    this.counts = counts;
    this.fleet = fleet;
  }

  private FeedCommands feeds() {
    return gateway.blocklists().feeds();
  }

  End list(ReplySender answer) {
    for (FeedStatus feed : feeds().list()) {
      answer.item(withPromotion(feed.feed(), JsonRecords.of(feed)));
    }
    for (DnsListAnswers.State list : gateway.dnsLists().states()) {
      String name = list.list().name();
      answer.item(withPromotion(name, FeedJson.of(list, counts.feedHitsLastDay(name))));
    }
    return ReplySender.DONE;
  }

  /** A feed, or a list that is asked by DNS; empty when the settings have none of that name. */
  private Optional<JsonObject> details(String name) {
    return feeds()
        .show(name)
        .map(FeedJson::of)
        .or(() ->
            gateway.dnsLists().states().stream()
                .filter(list -> list.list().name().equals(name))
                .map(list -> FeedJson.details(list, counts.feedHitsLastDay(name)))
                .findFirst())
        .map(feed -> withPromotion(name, feed));
  }

  private JsonObject withPromotion(String name, JsonObject feed) {
    return FeedJson.with(feed, gateway.blocklists().promotions().of(name).orElse(null));
  }

  End show(FeedsShow request, ReplySender answer) throws UsageException {
    answer.item(details(request.name()).orElseThrow(() -> unknown(request.name())));
    return ReplySender.DONE;
  }

  End heldChanges(FeedsHeldChanges request, ReplySender answer) {
    String name = request.name();
    int shown = Math.clamp(request.limit(), 0, Integer.MAX_VALUE);
    return switch (feeds().heldChanges(name, shown, MAX_COMPARED)) {
      case HeldChanges.Compared found -> {
        answer.item(FeedJson.of(found));
        yield ReplySender.DONE;
      }
      case HeldChanges.NotCompared(String why) ->
          new Failed(
              ReplySender.NO, why, "`bloomgate feeds diff " + name + " --held` compares all");
    };
  }

  /** Answers when the new generation is live or refused. */
  End refresh(FeedsRefresh request, ReplySender answer)
      throws UsageException, InterruptedException {
    requireFeeds(request.names());
    LOG.info("refresh of feeds asked for by {}", answer.user());
    RefreshResult result =
        feeds()
            .refresh(
                request.names(),
                request.all(),
                request.force(),
                progress -> tell(progress, answer));
    result.feeds().forEach(answer::item);
    if (result.exitCode() == ReplySender.USAGE) {
      return new Failed(
          ReplySender.USAGE, result.message(), "`bloomgate feeds list` shows their names");
    }
    if (!result.message().isEmpty()) {
      answer.note(result.message());
    }
    return new Done(result.exitCode());
  }

  End enable(FeedsEnable request, ReplySender answer) throws UsageException {
    String name = request.name();
    return turn(() -> feeds().enable(name), name, "feeds enable", answer);
  }

  End disable(FeedsDisable request, ReplySender answer) throws UsageException {
    String name = request.name();
    return turn(() -> feeds().disable(name, request.duration()), name, "feeds disable", answer);
  }

  /** Switches a feed; false when there is none of that name. */
  @FunctionalInterface
  private interface Switch {
    boolean turn() throws IOException;
  }

  private End turn(Switch feed, String name, String command, ReplySender answer)
      throws UsageException {
    boolean known;
    try {
      known = feed.turn();
    } catch (IOException e) {
      return new Failed(
          ReplySender.NO,
          String.valueOf(e.getMessage()),
          "check space and owner of the state directory, then give the command again");
    }
    if (!known) {
      throw unknown(name);
    }
    LOG.info("{} {} by {}", command, name, answer.user());
    note(command, name, answer);
    return state(name, answer);
  }

  /** Answers when what was held is live. */
  End accept(FeedsAccept request, ReplySender answer)
      throws IOException, UsageException, InterruptedException {
    String name = request.name();
    requireFeeds(List.of(name));
    return request.note()
        ? noteAlarm(name, answer)
        : act(
            progress -> feeds().accept(name, answer.user(), progress),
            "feeds accept",
            name,
            answer);
  }

  private End noteAlarm(String name, ReplySender answer) throws IOException {
    Optional<String> noted = gateway.blocklists().noteAlarm(name, answer.user());
    if (noted.isEmpty()) {
      return new Failed(
          ReplySender.NO,
          "feed " + name + " has no alarm about good senders",
          "`bloomgate feeds show " + name + "` shows its state");
    }
    note("feeds accept --note", name, answer);
    answer.note("feed " + name + ": " + noted.get());
    return state(name, answer);
  }

  /** Answers when the older version is live. */
  End rollback(FeedsRollback request, ReplySender answer)
      throws UsageException, InterruptedException {
    String name = request.name();
    requireFeeds(List.of(name));
    return act(
        progress -> feeds().rollback(name, request.to(), answer.user(), progress),
        "feeds rollback",
        name,
        answer);
  }

  @FunctionalInterface
  private interface Act {
    ActResult carryOut(Consumer<RefreshProgress> progress) throws InterruptedException;
  }

  private End act(Act act, String command, String name, ReplySender answer)
      throws InterruptedException {
    return switch (act.carryOut(progress -> tell(progress, answer))) {
      case ActResult.Refused(int exitCode, String message, String hint) ->
          new Failed(exitCode, message, hint);
      case ActResult.Done done -> {
        note(command, name + " version " + done.version(), answer);
        answer.item(FeedJson.of(done));
        done.notes().forEach(answer::note);
        fleet.tell(FleetActs.of(done), answer);
        yield ReplySender.DONE;
      }
    };
  }

  /** Writes the act into the audit; the act is done even when that fails. */
  private void note(String command, String subject, ReplySender answer) {
    if (!RunActs.note(gateway, answer.user(), command, subject)) {
      answer.note(RunActs.NOT_AUDITED);
    }
  }

  private End state(String name, ReplySender answer) {
    answer.item(details(name).orElseGet(() -> JsonValue.object().put("feed", name).build()));
    return ReplySender.DONE;
  }

  /** Refuses names of which one is no feed that is fetched, but a DNS list, a sign or rule. */
  private void requireFeeds(List<String> names) throws UsageException {
    for (String name : names) {
      if (NoFeed.of(gateway.settings().get(), name).isPresent()) {
        throw unknown(name);
      }
    }
  }

  private UsageException unknown(String name) {
    return NoFeed.of(gateway.settings().get(), name)
        .map(other -> new UsageException(other.problem(), other.hint()))
        .orElseGet(() ->
            new UsageException(
                "there is no feed "
                    + name
                    + " in the settings in force"
                    + NoFeed.meant(gateway.settings().get(), name),
                "if you just added it: `bloomgate config reload`; `bloomgate feeds list` shows"
                    + " their names"));
  }

  /**
   * Sends the progress on the thread of the connection; a client that has gone ends the request.
   */
  private static void tell(RefreshProgress progress, ReplySender answer) {
    answer.progress(progress.text(), FeedJson.of(progress));
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.control.ControlRequest.FeedsAccept;
import io.bloomgate.config.control.ControlRequest.FeedsDisable;
import io.bloomgate.config.control.ControlRequest.FeedsEnable;
import io.bloomgate.config.control.ControlRequest.FeedsHeldChanges;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.control.ControlRequest.FeedsRollback;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.metrics.VerdictCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  void list(ReplySender answer) throws IOException {
    for (FeedStatus feed : gateway.blocklists().feeds().list()) {
      answer.item(withPromotion(feed.feed(), FeedJson.of(feed)));
    }
    for (DnsListAnswers.State list : gateway.dnsLists()) {
      String name = list.list().name();
      answer.item(withPromotion(name, FeedJson.of(list, counts.feedHitsLastDay(name))));
    }
    answer.done(ReplySender.OK);
  }

  /** A feed, or a list that is asked by DNS; empty when the settings have none of that name. */
  private Optional<JsonObject> details(String name) {
    return gateway
        .blocklists()
        .feeds()
        .show(name)
        .map(FeedJson::of)
        .or(() ->
            gateway.dnsLists().stream()
                .filter(list -> list.list().name().equals(name))
                .map(list -> FeedJson.details(list, counts.feedHitsLastDay(name)))
                .findFirst())
        .map(feed -> withPromotion(name, feed));
  }

  private JsonObject withPromotion(String name, JsonObject feed) {
    return FeedJson.with(feed, gateway.blocklists().promotions().of(name).orElse(null));
  }

  void show(FeedsShow request, ReplySender answer) throws IOException {
    Optional<JsonObject> feed = details(request.name());
    if (feed.isEmpty()) {
      unknown(request.name(), answer);
      return;
    }
    answer.item(feed.get());
    answer.done(ReplySender.OK);
  }

  void heldChanges(FeedsHeldChanges request, ReplySender answer) throws IOException {
    String name = request.name();
    int shown = Math.clamp(request.limit(), 0, Integer.MAX_VALUE);
    switch (gateway.blocklists().feeds().heldChanges(name, shown, MAX_COMPARED)) {
      case HeldChanges.Compared found -> {
        answer.item(FeedJson.of(found));
        answer.done(ReplySender.OK);
      }
      case HeldChanges.NotCompared(String why) ->
          answer.failed(
              ReplySender.NO, why, "`bloomgate feeds diff " + name + " --held` compares all");
    }
  }

  /** Answers when the new generation is live or refused. */
  void refresh(FeedsRefresh request, Caller caller, ReplySender answer) throws IOException {
    if (refusesAny(request.names(), answer)) {
      return;
    }
    LOG.info("refresh of feeds asked for by {}", caller.user());
    RefreshResult result;
    try {
      result =
          gateway
              .blocklists()
              .feeds()
              .refresh(
                  request.names(),
                  request.all(),
                  request.force(),
                  progress -> tell(progress, answer));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (InterruptedException e) {
      stopping(answer);
      return;
    }
    for (FeedStatus feed : result.feeds()) {
      answer.item(FeedJson.of(feed));
    }
    if (result.exitCode() == ReplySender.USAGE) {
      answer.failed(
          ReplySender.USAGE, result.message(), "`bloomgate feeds list` shows their names");
      return;
    }
    if (!result.message().isEmpty()) {
      answer.note(result.message());
    }
    answer.done(result.exitCode());
  }

  void enable(FeedsEnable request, Caller caller, ReplySender answer) throws IOException {
    String name = request.name();
    turn(() -> gateway.blocklists().feeds().enable(name), name, "feeds enable", caller, answer);
  }

  void disable(FeedsDisable request, Caller caller, ReplySender answer) throws IOException {
    String name = request.name();
    turn(
        () -> gateway.blocklists().feeds().disable(name, request.duration()),
        name,
        "feeds disable",
        caller,
        answer);
  }

  /** Switches a feed; false when there is none of that name. */
  @FunctionalInterface
  private interface Switch {
    boolean turn() throws IOException;
  }

  private void turn(Switch feed, String name, String command, Caller caller, ReplySender answer)
      throws IOException {
    boolean known;
    try {
      known = feed.turn();
    } catch (IOException e) {
      answer.failed(
          ReplySender.NO,
          String.valueOf(e.getMessage()),
          "check space and owner of the state directory, then give the command again");
      return;
    }
    if (!known) {
      unknown(name, answer);
      return;
    }
    LOG.info("{} {} by {}", command, name, caller.user());
    note(caller, command, name, answer);
    state(name, answer);
  }

  /** Answers when what was held is live. */
  void accept(FeedsAccept request, Caller caller, ReplySender answer) throws IOException {
    if (refusesAny(List.of(request.name()), answer)) {
      return;
    }
    if (request.note()) {
      noteAlarm(request.name(), caller, answer);
      return;
    }
    act(
        progress -> gateway.blocklists().feeds().accept(request.name(), caller.user(), progress),
        result -> outcome(result, caller, "feeds accept", request.name(), answer),
        answer);
  }

  private void noteAlarm(String name, Caller caller, ReplySender answer) throws IOException {
    Optional<String> noted = gateway.blocklists().noteAlarm(name, caller.user());
    if (noted.isEmpty()) {
      answer.failed(
          ReplySender.NO,
          "feed " + name + " has no alarm about good senders",
          "`bloomgate feeds show " + name + "` shows its state");
      return;
    }
    note(caller, "feeds accept --note", name, answer);
    answer.note("feed " + name + ": " + noted.get());
    state(name, answer);
  }

  /** Answers when the older version is live. */
  void rollback(FeedsRollback request, Caller caller, ReplySender answer) throws IOException {
    if (refusesAny(List.of(request.name()), answer)) {
      return;
    }
    act(
        progress ->
            gateway
                .blocklists()
                .feeds()
                .rollback(request.name(), request.to(), caller.user(), progress),
        result -> outcome(result, caller, "feeds rollback", request.name(), answer),
        answer);
  }

  @FunctionalInterface
  private interface Act {
    ActResult carryOut(Consumer<RefreshProgress> progress) throws InterruptedException;
  }

  @FunctionalInterface
  private interface Telling {
    void tell(ActResult result) throws IOException;
  }

  private static void act(Act act, Telling telling, ReplySender answer) throws IOException {
    try {
      telling.tell(act.carryOut(progress -> tell(progress, answer)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (InterruptedException e) {
      stopping(answer);
    }
  }

  private void outcome(
      ActResult result, Caller caller, String command, String name, ReplySender answer)
      throws IOException {
    switch (result) {
      case ActResult.Refused(int exitCode, String message, String hint) ->
          answer.failed(exitCode, message, hint);
      case ActResult.Done done -> {
        note(caller, command, name + " version " + done.version(), answer);
        answer.item(FeedJson.of(done));
        for (String note : done.notes()) {
          answer.note(note);
        }
        fleet.tell(FleetActs.of(done), caller.user(), answer);
        answer.done(ReplySender.OK);
      }
    }
  }

  /** Writes the act into the audit; the act is done even when that fails. */
  private void note(Caller caller, String command, String subject, ReplySender answer)
      throws IOException {
    if (!RunActs.note(gateway, caller.user(), command, subject)) {
      answer.note("warning: done, but this could not be written into the audit");
    }
  }

  private static void stopping(ReplySender answer) throws IOException {
    Thread.currentThread().interrupt();
    answer.failed(ReplySender.NO, "the gateway is stopping", "ask again when it is up");
  }

  private void state(String name, ReplySender answer) throws IOException {
    answer.item(details(name).orElseGet(() -> JsonValue.object().put("feed", name).build()));
    answer.done(ReplySender.OK);
  }

  /** Answers when one of these is no feed that is fetched, but a DNS list, a sign or a rule. */
  private boolean refusesAny(List<String> names, ReplySender answer) throws IOException {
    Optional<NoFeed> other =
        names.stream().flatMap(name -> NoFeed.of(gateway.settings(), name).stream()).findFirst();
    if (other.isPresent()) {
      answer.failed(ReplySender.USAGE, other.get().problem(), other.get().hint());
    }
    return other.isPresent();
  }

  private void unknown(String name, ReplySender answer) throws IOException {
    if (refusesAny(List.of(name), answer)) {
      return;
    }
    answer.failed(
        ReplySender.USAGE,
        "there is no feed " + name + " in the settings in force",
        "if you just added it: `bloomgate config reload`; `bloomgate feeds list` shows their"
            + " names");
  }

  /**
   * Sends the progress on this connection's own thread; a client that has gone ends the request.
   */
  private static void tell(RefreshProgress progress, ReplySender answer) {
    try {
      answer.progress(progress.text(), FeedJson.of(progress));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

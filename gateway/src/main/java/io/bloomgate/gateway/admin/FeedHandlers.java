package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.control.ControlRequest.ConfigReload;
import io.bloomgate.config.control.ControlRequest.FeedsAccept;
import io.bloomgate.config.control.ControlRequest.FeedsAdd;
import io.bloomgate.config.control.ControlRequest.FeedsDisable;
import io.bloomgate.config.control.ControlRequest.FeedsEnable;
import io.bloomgate.config.control.ControlRequest.FeedsHeldChanges;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.control.ControlRequest.FeedsRollback;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.SourcesText;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.dns.DnsListAnswers;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code feeds}. Called on the threads of control connections. */
record FeedHandlers(GatewayControl gateway, FleetHandler fleet) {

  private static final Logger LOG = LoggerFactory.getLogger(FeedHandlers.class);

  /**
   * Entries of a held and a live version together that the gateway compares. Larger ones are left
   * to the command line, which compares in a separate process.
   */
  private static final long MAX_COMPARED = 2_000_000;

  private FeedLoop feeds() {
    return gateway.blocklists().feeds();
  }

  void list(ReplySender answer) {
    for (FeedStatus feed : feeds().list()) {
      answer.item(withPromotion(feed.feed(), JsonRecords.of(feed)));
    }
    for (DnsListAnswers.State list : gateway.dnsLists().states()) {
      String name = list.list().name();
      answer.item(withPromotion(name, FeedJson.of(list, gateway.counts().feedHitsLastDay(name))));
    }
  }

  /** A feed, or a list that is asked by DNS; empty when the settings have none of that name. */
  private Optional<JsonObject> details(String name) {
    return feeds()
        .show(name)
        .map(FeedJson::of)
        .or(() ->
            gateway.dnsLists().states().stream()
                .filter(list -> list.list().name().equals(name))
                .map(list -> FeedJson.details(list, gateway.counts().feedHitsLastDay(name)))
                .findFirst())
        .map(feed -> withPromotion(name, feed));
  }

  private JsonObject withPromotion(String name, JsonObject feed) {
    return FeedJson.with(feed, gateway.blocklists().promotions().of(name).orElse(null));
  }

  void show(FeedsShow request, ReplySender answer) throws RefusedException {
    answer.item(details(request.name()).orElseThrow(() -> unknown(request.name())));
  }

  void heldChanges(FeedsHeldChanges request, ReplySender answer) throws RefusedException {
    String name = request.name();
    int shown = Math.clamp(request.limit(), 0, Integer.MAX_VALUE);
    switch (feeds().heldChanges(name, shown, MAX_COMPARED)) {
      case HeldChanges.Compared found -> answer.item(FeedJson.of(found));
      case HeldChanges.NotCompared(String why) ->
          throw RefusedException.no(why, "`bloomgate feeds diff " + name + " --held` compares all");
    }
  }

  /** Answers when the new generation is live or refused, or a list that is asked by DNS tested. */
  void refresh(FeedsRefresh request, ReplySender answer)
      throws RefusedException, InterruptedException {
    LOG.info("refresh of feeds asked for by {}", answer.user());
    if (request.names().size() == 1 && gateway.dnsLists().test(request.names().getFirst())) {
      JsonObject tested = state(request.names().getFirst(), answer);
      answer.exit(tested.text("problem").isEmpty() ? ReplySender.OK : ReplySender.NO);
      return;
    }
    requireFeeds(request.names());
    RefreshResult result =
        feeds()
            .refresh(
                request.names(),
                request.all(),
                request.force(),
                progress -> tell(progress, answer));
    result.feeds().forEach(answer::item);
    if (result.exitCode() == ReplySender.USAGE) {
      throw RefusedException.usage(result.message(), "`bloomgate feeds list` shows their names");
    }
    if (!result.message().isEmpty()) {
      answer.note(result.message());
    }
    answer.exit(result.exitCode());
  }

  void enable(FeedsEnable request, ReplySender answer) throws RefusedException {
    String name = request.name();
    turn(() -> feeds().enable(name), name, "feeds enable", answer);
  }

  void disable(FeedsDisable request, ReplySender answer) throws RefusedException {
    String name = request.name();
    turn(() -> feeds().disable(name, request.duration()), name, "feeds disable", answer);
  }

  /** Switches a feed; false when there is none of that name. */
  @FunctionalInterface
  private interface Switch {
    boolean turn() throws IOException;
  }

  private void turn(Switch feed, String name, String command, ReplySender answer)
      throws RefusedException {
    try {
      if (!feed.turn()) {
        throw unknown(name);
      }
    } catch (IOException e) {
      throw RefusedException.no(
          String.valueOf(e.getMessage()),
          "check space and owner of the state directory, then give the command again");
    }
    LOG.info("{} {} by {}", command, name, answer.user());
    answer.audit(command, name);
    state(name, answer);
  }

  /** Answers when what was held is live. */
  void accept(FeedsAccept request, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    String name = request.name();
    requireFeeds(List.of(name));
    if (request.note()) {
      noteAlarm(name, answer);
    } else {
      act(progress -> feeds().accept(name, answer.user(), progress), "feeds accept", name, answer);
    }
  }

  private void noteAlarm(String name, ReplySender answer) throws IOException, RefusedException {
    Optional<String> noted = gateway.blocklists().noteAlarm(name, answer.user());
    if (noted.isEmpty()) {
      throw RefusedException.no(
          "feed " + name + " has no alarm about good senders",
          "`bloomgate feeds show " + name + "` shows its state");
    }
    answer.audit("feeds accept --note", name);
    answer.note("feed " + name + ": " + noted.get());
    state(name, answer);
  }

  /** Answers when the older version is live. */
  void rollback(FeedsRollback request, ReplySender answer)
      throws RefusedException, InterruptedException {
    String name = request.name();
    requireFeeds(List.of(name));
    act(
        progress -> feeds().rollback(name, request.to(), answer.user(), progress),
        "feeds rollback",
        name,
        answer);
  }

  @FunctionalInterface
  private interface Act {
    ActResult carryOut(Consumer<RefreshProgress> progress) throws InterruptedException;
  }

  private void act(Act act, String command, String name, ReplySender answer)
      throws RefusedException, InterruptedException {
    switch (act.carryOut(progress -> tell(progress, answer))) {
      case ActResult.Refused(int exitCode, String message, String hint) ->
          throw new RefusedException(exitCode, message, hint);
      case ActResult.Done done -> {
        answer.audit(command, name + " version " + done.version());
        answer.item(FeedJson.of(done));
        done.notes().forEach(answer::note);
        fleet.tell(FleetActs.of(done), answer);
      }
    }
  }

  private JsonObject state(String name, ReplySender answer) {
    JsonObject feed = details(name).orElseGet(() -> JsonValue.object().put("feed", name).build());
    answer.item(feed);
    return feed;
  }

  /** Refuses names of which one is no feed that is fetched, but a DNS list, a sign or rule. */
  private void requireFeeds(List<String> names) throws RefusedException {
    for (String name : names) {
      if (NoFeed.of(gateway.settings(), name).isPresent()) {
        throw unknown(name);
      }
    }
  }

  private RefusedException unknown(String name) {
    return NoFeed.of(gateway.settings(), name)
        .map(other -> RefusedException.usage(other.problem(), other.hint()))
        .orElseGet(() ->
            RefusedException.usage(
                "there is no feed "
                    + name
                    + " in the settings in force"
                    + NoFeed.meant(gateway.settings(), name),
                "if you just added it: `bloomgate config reload`; `bloomgate feeds list` shows"
                    + " their names"));
  }

  /**
   * Sends the progress on the thread of the connection; a client that has gone ends the request.
   */
  private static void tell(RefreshProgress progress, ReplySender answer) {
    answer.progress(progress.text(), FeedJson.of(progress));
  }

  /**
   * Adds a list of the catalogue for the page: the same change of the settings file, the same
   * reload and the same fetch as {@code bloomgate feeds add}. Answers when the list is live or
   * refused.
   */
  void add(FeedsAdd asked, RunHandlers run, ReplySender answer)
      throws RefusedException, IOException, InterruptedException {
    String name = asked.name();
    CatalogueEntry entry =
        Catalogue.builtIn()
            .entry(name)
            .orElseThrow(() ->
                RefusedException.usage(
                    "there is no list of this name in the catalogue",
                    "`bloomgate feeds catalogue` shows their names"));
    String command = "on the machine of the gateway: `bloomgate feeds add " + name + "`";
    if (!entry.key().isEmpty()) {
      throw RefusedException.no("it needs a key: " + entry.key(), command);
    }
    try {
      String lines = entry.yaml().stripTrailing().stripIndent();
      gateway.editing().edit(text -> SourcesText.add(text, name, lines));
    } catch (BadValueException e) {
      throw RefusedException.no(e.problem(), e.hint());
    } catch (IOException e) {
      throw RefusedException.no(
          "the gateway may not change its settings file (" + Faults.reason(e) + ")", command);
    }
    answer.audit("feeds add", name);
    run.reload(new ConfigReload(false), answer);
    refresh(new FeedsRefresh(List.of(name), false, false), answer);
  }
}

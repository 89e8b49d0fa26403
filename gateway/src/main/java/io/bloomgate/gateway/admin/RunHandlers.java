package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlRequest.ConfigReload;
import io.bloomgate.config.control.ControlRequest.SetMode;
import io.bloomgate.config.control.ControlRequest.Tail;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.GatewayControl.Reload;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.log.TailHub;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code config reload}, {@code mode}, {@code drain}, {@code resume} and {@code tail}. Called on
 * the threads of control connections.
 */
record RunHandlers(GatewayControl gateway, FleetHandler fleet) {

  /**
   * The interval in which watchers of a quiet gateway get a line; well below the timeout of the
   * command line.
   */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private RunActs acts() {
    return new RunActs(gateway);
  }

  /** Large list files take longer than a client waits for a sign of life. */
  void reload(ConfigReload asked, ReplySender answer)
      throws IOException, RefusedException, InterruptedException {
    AtomicInteger signs = new AtomicInteger();
    RunActs.Acted<Reload> acted =
        LongWork.finish(
            gateway.works(),
            () -> acts().reload(answer.user(), asked.acceptDomains()),
            () ->
                answer.progress(
                    signs.getAndIncrement() == 0 ? "" : "still reading settings and list files",
                    JsonValue.object().build()));
    Reload reload = acted.outcome();
    answer.warnUnless(acted.audited());
    reload.problems().forEach(problem -> answer.note(problem.toString()));
    reload
        .restartNeeded()
        .forEach(setting -> answer.note(setting + " changed; it counts after a restart"));
    if (!reload.done()) {
      throw RefusedException.no(reload.failure(), "nothing was changed; fix it and reload again");
    }
    answer.item(JsonValue.object().put("reloaded", true).put("mode", modeWord()));
  }

  void mode(SetMode request, ReplySender answer) {
    answer.warnUnless(acts().mode(request.mode(), request.duration(), answer.user()));
    ModeState state = gateway.mode().state();
    answer.item(
        JsonValue.object()
            .put("mode", modeWord())
            .put("configured", state.configured().key())
            .put("until", EntryJson.text(state.until())));
    if (state.effective() != request.mode()) {
      answer.note("no lists are loaded: the effective mode is observe until there are");
    }
    fleet.tell(FleetActs.mode(request.mode(), state.until()), answer);
  }

  void drain(ReplySender answer) {
    answer.warnUnless(acts().drain(answer.user()));
    answer.item(draining());
    answer.note(
        "new and idle sessions get 421 4.3.2, messages in flight finish; `bloomgate status` counts"
            + " the sessions left, `bloomgate resume` ends it");
  }

  void resume(ReplySender answer) throws RefusedException {
    RunActs.Acted<Boolean> acted = acts().resume(answer.user());
    if (!acted.outcome()) {
      throw RefusedException.no("the gateway is stopping", "start it again");
    }
    answer.warnUnless(acted.audited());
    answer.item(draining());
  }

  private JsonValue.ObjectBuilder draining() {
    return JsonValue.object()
        .put("draining", gateway.sessions().draining())
        .put("sessions", gateway.sessions().count());
  }

  void tail(Tail request, ReplySender answer) throws RefusedException, InterruptedException {
    Optional<TailHub.Watcher> watching =
        gateway.tail().watch(request.verdict(), request.feed(), gateway.settings().log().privacy());
    if (watching.isEmpty()) {
      throw RefusedException.no(
          "too many watchers already", "end another `bloomgate tail` and try again");
    }
    try (TailHub.Watcher watcher = watching.get()) {
      watch(watcher, answer);
    }
  }

  /** Runs until the client goes, which is noticed when something is sent. */
  private static void watch(TailHub.Watcher watcher, ReplySender answer)
      throws InterruptedException {
    while (true) {
      Optional<JsonObject> decision = watcher.next(HEARTBEAT);
      long missed = watcher.missed();
      if (missed > 0) {
        answer.note(missed + " decisions were missed: too many to show");
      }
      if (decision.isPresent()) {
        answer.item(decision.get());
      } else {
        answer.progress("", JsonValue.object().put("event", "waiting").build());
      }
    }
  }

  private String modeWord() {
    return gateway.mode().effective().key();
  }
}

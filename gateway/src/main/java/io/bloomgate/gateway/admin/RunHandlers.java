package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.ConfigReload;
import io.bloomgate.config.control.ControlRequest.SetMode;
import io.bloomgate.config.control.ControlRequest.Tail;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.GatewayControl.Reload;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import io.bloomgate.gateway.log.TailHub;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code config reload}, {@code mode}, {@code drain}, {@code resume} and {@code tail}. Called on
 * the threads of control connections.
 */
final class RunHandlers {

  /**
   * The interval in which watchers of a quiet gateway get a line; well below the timeout of the
   * command line.
   */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private final GatewayControl gateway;
  private final RunActs acts;
  private final TailHub hub;
  private final FleetHandler fleet;
  private final ThreadFactory threads;

  RunHandlers(GatewayControl gateway, TailHub hub, FleetHandler fleet, ThreadFactory threads) {
    this.fleet = fleet;
    this.threads = threads;
    this.gateway = gateway;
    this.acts = new RunActs(gateway);
    this.hub = hub;
  }

  /** Large list files take longer than a client waits for a sign of life. */
  End reload(ConfigReload asked, ReplySender answer) throws IOException, InterruptedException {
    AtomicInteger signs = new AtomicInteger();
    RunActs.Acted<Reload> acted =
        LongWork.finish(
            threads,
            () -> acts.reload(answer.user(), asked.acceptDomains()),
            () ->
                answer.progress(
                    signs.getAndIncrement() == 0 ? "" : "still reading settings and list files",
                    JsonValue.object().build()));
    Reload reload = acted.outcome();
    warnUnless(acted.audited(), answer);
    reload.problems().forEach(problem -> answer.note(problem.toString()));
    reload
        .restartNeeded()
        .forEach(setting -> answer.note(setting + " changed; it counts after a restart"));
    if (!reload.done()) {
      return new Failed(
          ReplySender.NO, reload.failure(), "nothing was changed; fix it and reload again");
    }
    answer.item(JsonValue.object().put("reloaded", true).put("mode", modeWord()).build());
    return ReplySender.DONE;
  }

  End mode(SetMode request, ReplySender answer) {
    warnUnless(acts.mode(request.mode(), request.duration(), answer.user()), answer);
    ModeState state = gateway.mode().state();
    answer.item(
        JsonValue.object()
            .put("mode", modeWord())
            .put("configured", state.configured().key())
            .put("until", EntryJson.text(state.until()))
            .build());
    if (state.effective() != request.mode()) {
      answer.note("no lists are loaded: the effective mode is observe until there are");
    }
    fleet.tell(FleetActs.mode(request.mode(), state.until()), answer);
    return ReplySender.DONE;
  }

  End drain(ReplySender answer) {
    warnUnless(acts.drain(answer.user()), answer);
    answer.item(draining());
    answer.note(
        "new and idle sessions get 421 4.3.2, messages in flight finish; `bloomgate status` counts"
            + " the sessions left, `bloomgate resume` ends it");
    return ReplySender.DONE;
  }

  End resume(ReplySender answer) {
    RunActs.Acted<Boolean> acted = acts.resume(answer.user());
    if (!acted.outcome()) {
      return new Failed(ReplySender.NO, "the gateway is stopping", "start it again");
    }
    warnUnless(acted.audited(), answer);
    answer.item(draining());
    return ReplySender.DONE;
  }

  private static void warnUnless(boolean audited, ReplySender answer) {
    if (!audited) {
      answer.note(RunActs.NOT_AUDITED);
    }
  }

  private JsonObject draining() {
    return JsonValue.object()
        .put("draining", gateway.sessions().draining())
        .put("sessions", gateway.sessions().count())
        .build();
  }

  End tail(Tail request, ReplySender answer) {
    Optional<TailHub.Watcher> watching =
        hub.watch(request.verdict(), request.feed(), gateway.settings().get().log().privacy());
    if (watching.isEmpty()) {
      return new Failed(
          ReplySender.NO,
          "too many watchers already",
          "end another `bloomgate tail` and try again");
    }
    try (TailHub.Watcher watcher = watching.get()) {
      return watch(watcher, answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ReplySender.DONE;
    }
  }

  /** Runs until the client goes, which is noticed when something is sent. */
  private static End watch(TailHub.Watcher watcher, ReplySender answer)
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

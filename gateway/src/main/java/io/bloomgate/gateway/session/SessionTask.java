package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.ProbeTelemetry;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one accepted socket from permit to close. Called by {@link SubethaListener} on a session's
 * own thread; one a listener.
 */
final class SessionTask {

  private static final Logger LOG = LoggerFactory.getLogger(SessionTask.class);

  /** Stack traces a minute: a client that finds a bug could fill the log with them. */
  private static final int BUG_LINES = 5;

  private final Supplier<SessionEnvironment> environment;
  private final SessionRegistry registry;
  private final Admission admission;
  private final WarningPace bugWarnings;
  private volatile ListenerRules rules;

  SessionTask(Supplier<SessionEnvironment> environment, SessionRegistry registry) {
    this.environment = environment;
    this.registry = registry;
    this.rules = ListenerRules.of(environment.get());
    this.admission = new Admission(rules.environment().nanoTime());
    this.bugWarnings = new WarningPace(rules.environment().nanoTime(), BUG_LINES);
  }

  /** Runs the conversation and closes the socket. Never throws. */
  void run(WatchedSocket socket) {
    ListenerRules current = currentRules();
    if (registry.isProbe(socket.getRemoteSocketAddress())) {
      current = current.reportingTo(new ProbeTelemetry());
    }
    SessionEnvironment env = current.environment();
    long end = env.nanoTime().getAsLong() + env.settings().limits().sessionTimeout().toNanos();
    SessionControl control = new SessionControl(socket, Thread.currentThread(), end);
    Telemetry telemetry = env.telemetry();
    Admission.Place place = admission.place(env.listener());
    boolean admitted = place.enter();
    registry.enter(control);
    telemetry.sessionOpened();
    try {
      converse(socket, current, control, place, admitted);
    } finally {
      place.leave();
      telemetry.sessionClosed();
      registry.leave(control);
    }
  }

  /** Networks are parsed again only when a reload has brought another environment. */
  private ListenerRules currentRules() {
    SessionEnvironment now = environment.get();
    ListenerRules known = rules;
    if (!known.environment().equals(now)) {
      known = ListenerRules.of(now);
      rules = known;
    }
    return known;
  }

  private void converse(
      WatchedSocket socket,
      ListenerRules current,
      SessionControl control,
      Admission.Place place,
      boolean admitted) {
    SessionEnvironment env = current.environment();
    try (socket) {
      ClientWire wire = ClientWire.plain(socket, env.settings().limits().commandTimeout());
      SessionState session =
          new SessionState(
              current,
              control,
              place,
              registry.contentBudget(),
              ClientConnection.peerOf(socket),
              wire);
      try {
        new SmtpConversation(session, registry).run(admitted);
        Closing.linger(session);
        // Before the close: a client that has seen it finds its place free when it comes again.
        place.leave();
        Closing.close(session);
      } catch (RuntimeException | Error e) {
        bugWarnings.say(more ->
            LOG.error("session of {} ended by a bug{}", session.client().address(), more, e));
        Closing.afterBug(session, Replies.INTERNAL_ERROR);
      }
    } catch (IOException e) {
      LOG.debug("session ended: {}", e.toString());
    }
  }
}

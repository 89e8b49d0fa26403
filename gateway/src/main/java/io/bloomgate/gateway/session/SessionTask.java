package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.ProbeTelemetry;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.time.Duration;
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

  private final Supplier<SessionServices> services;
  private final SessionRegistry registry;
  private final Admission admission;
  private final WarningPace bugWarnings;

  SessionTask(Supplier<SessionServices> services, SessionRegistry registry) {
    this.services = services;
    this.registry = registry;
    SessionServices first = services.get();
    this.admission = new Admission(first.nanoTime(), first.listener());
    registry.pressure().add(admission);
    this.bugWarnings = new WarningPace(first.nanoTime(), BUG_LINES);
  }

  /** Runs the conversation and closes the socket. Never throws. */
  void run(WatchedSocket socket) {
    SessionServices current = services.get();
    if (registry.isProbe(socket.getRemoteSocketAddress())) {
      current = current.reportingTo(new ProbeTelemetry());
    }
    Duration limit = current.limits().sessionTimeout();
    long end = current.nanoTime().getAsLong() + limit.toNanos();
    SessionControl control =
        new SessionControl(socket, Thread.currentThread(), end, registry.pressure());
    Telemetry telemetry = current.reporting().telemetry();
    Admission.Place place = admission.place(current.listener());
    boolean admitted = place.enter(control);
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

  private void converse(
      WatchedSocket socket,
      SessionServices current,
      SessionControl control,
      Admission.Place place,
      boolean admitted) {
    try (socket) {
      ClientWire wire = ClientWire.plain(socket, current.limits().commandTimeout());
      Session session =
          new Session(
              current,
              control,
              place,
              registry.contentBudget(),
              ClientIdentity.peerOf(socket),
              wire);
      try {
        new SmtpConversation(session, registry).run(admitted);
        // Before the last reading: a client that sends on keeps no place, and one that has seen the
        // close finds its place free when it comes again.
        place.leave();
        session.dialog().wire().linger();
        session.dialog().wire().close();
      } catch (RuntimeException | Error e) {
        bugWarnings.say(more ->
            LOG.error("session of {} ended by a bug{}", session.client().address(), more, e));
        // 421 may be sent at any time, RFC 5321 section 3.8.
        session.dialog().answerAndEnd(Replies.INTERNAL_ERROR);
        session.dialog().wire().writer().flush();
      } finally {
        session.dialog().wire().abandon();
        session.reporter().ended();
      }
    } catch (IOException e) {
      LOG.debug("session ended: {}", e.toString());
    }
  }
}

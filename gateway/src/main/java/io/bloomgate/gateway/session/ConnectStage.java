package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.VerdictReplies;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.Deadline;
import io.bloomgate.gateway.wire.ProxyHeader;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything before the client's first command: PROXY header, limits on sessions, TLS where the
 * listener begins with it, early talkers, the verdict on the connection, the banner. Used by one
 * session's thread.
 */
final class ConnectStage {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectStage.class);

  /** Total time for a PROXY header; proxies send it with their first segment. */
  private static final Duration PROXY_HEADER_TIME = Duration.ofSeconds(5);

  private final SessionState session;

  ConnectStage(SessionState session) {
    this.session = session;
  }

  /**
   * Runs it; whether commands may follow is in the state then.
   *
   * @param admitted false when {@code max_sessions} are there already
   * @param draining true when the gateway is shutting down
   */
  void run(boolean admitted, boolean draining) throws IOException {
    // Nothing may be sent before the PROXY header: the proxy would take it for the end of the
    // connection, or the client for an answer.
    if (session.rules().expectsProxyHeader(session.peer().address()) && !readProxyHeader()) {
      session.end();
    } else if (session.environment().implicitTls()) {
      openUnderTls(admitted, draining);
    } else if (draining) {
      session.answerAndEnd(Replies.SHUTTING_DOWN);
    } else if (!admitted) {
      limit(Limit.SESSIONS, Replies.TOO_MANY_SESSIONS);
    } else if (!refusedAsEarly()) {
      welcome();
    }
  }

  /**
   * TLS from the first octet on, RFC 8314 section 3. A client that gets no place is closed without
   * a reply: a reply needs a handshake, which costs more than the place saves.
   */
  private void openUnderTls(boolean admitted, boolean draining) throws IOException {
    Limit denied = admitted ? null : Limit.SESSIONS;
    if (admitted && !draining) {
      denied = placeDenied();
    }
    if (denied != null) {
      session.environment().telemetry().limitReached(denied);
      // Without a handshake it would be sent.
      session.reporter().sent(Replies.TOO_MANY_SESSIONS, null);
    }
    if (denied != null || draining) {
      session.end();
      return;
    }
    // The handshake may have begun in the segment of the PROXY header.
    session.wire().plain().unread(session.wire().reader().takeBuffered());
    sendAtOnce();
    session.encrypted(TlsUpgrade.of(session));
    if (!refusedAsEarly()) {
      greet();
    }
  }

  private boolean refusedAsEarly() throws IOException {
    if (!talksEarly()) {
      return false;
    }
    if (session.environment().policy().get().signs().counts(Sign.EARLY_TALKER)) {
      session.environment().telemetry().limitReached(Limit.BANNER_DELAY);
      session.spokeEarly();
      return false;
    }
    Reply reply = session.judge().inMode(Replies.EARLY_TALKER);
    String id = session.environment().ids().get();
    session.reporter().report(Stage.CONNECT, id, null, Outcome.PROTOCOL, reply);
    limit(Limit.BANNER_DELAY, reply);
    return true;
  }

  /** Takes the client's place, asks the lists where the policy wants it here, and greets. */
  void welcome() throws IOException {
    Limit denied = placeDenied();
    if (denied == null) {
      greet();
    } else {
      limit(denied, replyTo(denied));
    }
  }

  private static Reply replyTo(Limit limit) {
    return switch (limit) {
      case CONNECTION_RATE -> Replies.TOO_MANY_CONNECTIONS;
      case SESSIONS_PER_NETWORK -> Replies.TOO_MANY_SESSIONS_PER_NETWORK;
      default -> Replies.TOO_MANY_SESSIONS_PER_IP;
    };
  }

  /** The limit that keeps the client out; {@code null} when it has its place. */
  private @Nullable Limit placeDenied() {
    ClientConnection client = session.client();
    // A peer that may send XCLIENT brings many clients; each is counted when it is named.
    boolean forwarder = session.mayForward() && client.address().equals(session.peer().address());
    boolean counted = client.known() && !forwarder;
    if (counted && !session.place().mayConnect(client.address())) {
      return Limit.CONNECTION_RATE;
    }
    return counted ? session.place().take(client.address()) : null;
  }

  private void greet() throws IOException {
    if (session.client().known()) {
      session.askAboutClient();
    }
    if (!refusedAtConnect()) {
      sendAtOnce();
      if (session.client().known()) {
        session.lookUpName();
      }
      session.own(Reply.of(220, "", session.hostname() + " ESMTP Bloomgate"));
    }
  }

  /**
   * Without this Nagle's algorithm and delayed ACK cost 40 ms where one write follows another. A
   * refusal is one write, and system calls are a good part of what it costs.
   */
  private void sendAtOnce() throws IOException {
    session.wire().socket().setTcpNoDelay(true);
  }

  private void limit(Limit limit, Reply reply) {
    session.environment().telemetry().limitReached(limit);
    session.answerAndEnd(reply);
  }

  private boolean refusedAtConnect() {
    Settings.Policy policy = session.environment().settings().policy();
    ClientConnection client = session.client();
    if (policy.rejectAt() != Settings.Policy.RejectAt.CONNECT || !client.known()) {
      return false;
    }
    Judge judge = session.judge();
    Judge.Ruling ruling = judge.rule(session.facts(), null, null, judge.currentSnapshot());
    Reply refusal = ruling.refusal();
    if (refusal == null) {
      // What mode observe lets pass is logged at RCPT, where sender and recipient are known.
      return false;
    }
    boolean permanent = refusal.permanentFailure();
    Reply sent = permanent ? refusal : VerdictReplies.closing(refusal);
    session.reporter().report(Stage.CONNECT, ruling.id(), ruling.verdict(), Outcome.REFUSED, sent);
    if (permanent) {
      // RFC 5321 section 3.1: after 554 the server waits for QUIT.
      session.own(sent);
      session.refuse();
    } else {
      session.answerAndEnd(sent);
    }
    return true;
  }

  /** True when input came while the banner was held back, before a client may send anything. */
  private boolean talksEarly() throws IOException {
    Duration delay = session.environment().listener().bannerDelay();
    if (delay.isZero()) {
      return false;
    }
    WireReader reader = session.wire().reader();
    if (reader.buffered() > 0) {
      return true;
    }
    return reader.comesBefore(session.within(delay.toNanos(), Limit.COMMAND_TIMEOUT));
  }

  /** False when there is no valid header; the connection is closed without a reply. */
  private boolean readProxyHeader() throws IOException {
    WireReader reader = session.wire().reader();
    Deadline deadline = session.within(PROXY_HEADER_TIME.toNanos(), Limit.COMMAND_TIMEOUT);
    Settings.Listener.ProxyProtocol accepted = session.environment().listener().proxyProtocol();
    while (true) {
      ProxyHeader.Progress progress =
          ProxyHeader.parse(reader.buffer(), reader.position(), reader.buffered(), accepted);
      switch (progress) {
        case ProxyHeader.Progress.NeedMore() -> {
          try {
            reader.fill(deadline);
          } catch (ClientTimeout e) {
            session.environment().telemetry().limitReached(e.limit());
            warn("no whole PROXY header", "it was not there in time");
            return false;
          }
        }
        case ProxyHeader.Progress.Bad(String reason) -> {
          warn("bad PROXY header", reason);
          return false;
        }
        case ProxyHeader.Progress.Done(ProxyHeader header, int octets) -> {
          reader.consumeTo(reader.position() + octets);
          session.peer(clientOf(header));
          return true;
        }
      }
    }
  }

  private void warn(String what, String why) {
    session
        .rules()
        .proxyHeaderWarnings()
        .say(more -> LOG.warn("{} from {}: {}{}", what, session.peer().address(), why, more));
  }

  private ClientConnection clientOf(ProxyHeader header) {
    return switch (header) {
      case ProxyHeader.Proxied proxied ->
          new ClientConnection(
              true,
              proxied.source(),
              proxied.sourcePort(),
              new ClientConnection.Destination.Reported(
                  proxied.destination(), proxied.destinationPort()));
      case ProxyHeader.Unknown() -> {
        ClientConnection peer = session.peer();
        yield new ClientConnection(false, peer.address(), peer.port(), peer.destination());
      }
    };
  }
}

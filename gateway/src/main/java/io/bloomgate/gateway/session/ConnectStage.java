package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.ArgumentException;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.VerdictReplies;
import io.bloomgate.gateway.smtp.XclientCommand;
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
 * listener begins with it, early talkers, the verdict on the connection, the banner; and again
 * where XCLIENT names another client. Used by one session's thread.
 */
final class ConnectStage {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectStage.class);

  /** Total time for a PROXY header; proxies send it with their first segment. */
  private static final Duration PROXY_HEADER_TIME = Duration.ofSeconds(5);

  /**
   * Time that the greeting waits for the first answer that a mail server ever gave; clients wait
   * for 5 minutes, RFC 5321 section 4.5.3.2.1.
   */
  private static final Duration OFFERS_TIME = Duration.ofSeconds(20);

  private final Session session;
  private final Dialog dialog;

  ConnectStage(Session session) {
    this.session = session;
    this.dialog = session.dialog();
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
    if (session.services().expectsProxyHeader(session.client().peer()) && !readProxyHeader()) {
      dialog.end();
    } else if (session.services().implicitTls()) {
      openUnderTls(admitted, draining);
    } else if (draining) {
      dialog.answerAndEnd(Replies.SHUTTING_DOWN);
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
      session.reporter().limitReached(denied);
      // Without a handshake it would be sent.
      session.reporter().sent(Replies.TOO_MANY_SESSIONS, null);
    }
    if (denied != null || draining) {
      dialog.end();
      return;
    }
    // The handshake may have begun in the segment of the PROXY header.
    dialog.wire().plain().unread(dialog.wire().reader().takeBuffered());
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
    if (session.services().policy().get().signs().counts(Sign.EARLY_TALKER)) {
      session.reporter().limitReached(Limit.BANNER_DELAY);
      session.client().spokeEarly();
      return false;
    }
    Reply reply = session.judge().inMode(Replies.EARLY_TALKER);
    String id = session.reporter().newId();
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
    SessionClient client = session.client();
    // A peer that may send XCLIENT brings many clients; each is counted when it is named.
    boolean forwarder = client.mayForward() && client.address().equals(client.peer());
    boolean counted = client.isKnown() && !forwarder;
    if (counted && !session.place().mayConnect(client.address())) {
      return Limit.CONNECTION_RATE;
    }
    return counted ? session.place().take(client.address()) : null;
  }

  private void greet() throws IOException {
    if (session.client().isKnown()) {
      session.judge().expectClient(session.client().facts());
    }
    if (!refusedAtConnect()) {
      sendAtOnce();
      if (!session.services().upstream().awaitOffers(OFFERS_TIME)) {
        session
            .reporting()
            .failedServers()
            .say(more ->
                LOG.warn(
                    "clients get 421, because no mail server has ever answered and what it offers"
                        + " is not known{}",
                    more));
        dialog.answerAndEnd(Replies.MAIL_SERVER_UNKNOWN);
        return;
      }
      if (session.client().isKnown()) {
        session.client().lookUpName();
      }
      String host = session.hostname();
      dialog.own(Reply.of(220, "", host + " ESMTP " + session.services().listener().bannerName()));
    }
  }

  /**
   * Switches off Nagle's algorithm, which with delayed ACK costs 40 ms where one write follows
   * another. A refusal is one write, and system calls are a good part of what it costs.
   */
  private void sendAtOnce() throws IOException {
    dialog.wire().plain().setTcpNoDelay(true);
  }

  private void limit(Limit limit, Reply reply) {
    session.reporter().limitReached(limit);
    dialog.answerAndEnd(reply);
  }

  private boolean refusedAtConnect() {
    Settings.Policy policy = session.services().settings().policy();
    if (policy.rejectAt() != Settings.Policy.RejectAt.CONNECT || !session.client().isKnown()) {
      return false;
    }
    Judge judge = session.judge();
    Ruling ruling = judge.rule(session.client().facts(), null, null, judge.currentSnapshot());
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
      dialog.own(sent);
      dialog.refuse();
    } else {
      dialog.answerAndEnd(sent);
    }
    return true;
  }

  /** True when input came while the banner was held back, before a client may send anything. */
  private boolean talksEarly() throws IOException {
    Duration delay = session.services().listener().bannerDelay();
    if (delay.isZero()) {
      return false;
    }
    WireReader reader = dialog.wire().reader();
    if (reader.buffered() > 0) {
      return true;
    }
    return reader.comesBefore(session.within(delay.toNanos(), Limit.COMMAND_TIMEOUT));
  }

  /** False when there is no valid header; the connection is closed without a reply. */
  private boolean readProxyHeader() throws IOException {
    WireReader reader = dialog.wire().reader();
    Deadline deadline = session.within(PROXY_HEADER_TIME.toNanos(), Limit.COMMAND_TIMEOUT);
    Settings.Listener.ProxyProtocol accepted = session.services().listener().proxyProtocol();
    while (true) {
      ProxyHeader.Progress progress =
          ProxyHeader.parse(reader.buffer(), reader.position(), reader.buffered(), accepted);
      switch (progress) {
        case ProxyHeader.Progress.NeedMore() -> {
          try {
            reader.fill(deadline);
          } catch (ClientTimeout e) {
            session.reporter().limitReached(e.limit());
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
          session.peerNamed(clientOf(header));
          return true;
        }
      }
    }
  }

  private void warn(String what, String why) {
    session
        .reporting()
        .unnamedPeers()
        .say(more -> LOG.warn("{} from {}: {}{}", what, session.client().peer(), why, more));
  }

  private static @Nullable ClientIdentity clientOf(ProxyHeader header) {
    return switch (header) {
      case ProxyHeader.Proxied(
              IpAddress source,
              int sourcePort,
              IpAddress destination,
              int destinationPort) ->
          new ClientIdentity(source, sourcePort, "", false, destination, destinationPort);
      case ProxyHeader.Unknown() -> null;
    };
  }

  // ---- XCLIENT

  /**
   * Postfix's XCLIENT_README: a trusted peer names its own client. The conversation starts over
   * with a banner for that client, as in Postfix.
   */
  static void xclient(Session session, String argument) throws IOException {
    if (!session.client().mayForward()) {
      session.dialog().own(Replies.UNKNOWN_COMMAND);
    } else if (session.transaction() != null) {
      session.dialog().own(Replies.NOT_IN_TRANSACTION);
    } else {
      XclientCommand named;
      try {
        named = XclientCommand.parse(argument);
      } catch (ArgumentException e) {
        refuse(session, e.reply());
        return;
      }
      take(session, named);
    }
  }

  /** Refuses and leaves the client unknown: a proxy that goes on must not pass for the client. */
  private static void refuse(Session session, Reply reply) {
    session.clientNamed(session.client().identity(), false);
    session.dialog().own(reply);
  }

  private static void take(Session session, XclientCommand named) throws IOException {
    SessionClient client = session.client();
    boolean known = !named.addressUnknown() && (named.address() != null || client.isKnown());
    session.clientNamed(merged(client.identity(), named), known);
    session.forgetHello();
    if (named.helo() != null && !named.helo().text().isEmpty()) {
      boolean extended = named.esmtp() == null || named.esmtp();
      session.greeted(named.helo(), extended, UpstreamExtensions.NONE);
    }
    new ConnectStage(session).welcome();
  }

  /** Attributes that were not sent keep what was known. */
  private static ClientIdentity merged(ClientIdentity old, XclientCommand named) {
    return new ClientIdentity(
        named.address() == null ? old.address() : named.address(),
        named.port() < 0 ? old.port() : named.port(),
        old.helo(),
        old.esmtp(),
        named.destination() == null ? old.destination() : named.destination(),
        named.destinationPort() < 0 ? old.destinationPort() : named.destinationPort());
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.ReversePath;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client of a session and its greeting, as lists, mail servers and log get them. Changed by
 * {@link Session}; used by its thread.
 */
final class SessionClient {

  private final SessionServices.Rules rules;
  private final SessionServices.Deciding deciding;
  private final Upstream upstream;
  private final ClientConnection socketPeer;
  private ClientConnection peer;
  private ClientConnection connection;
  private Supplier<ClientName> name = ClientNames.NOT_ASKED;

  private String front;

  /** The client's newest HELO or EHLO; {@code null} before that. */
  private @Nullable HeloName hello;

  /** The newest greeting was EHLO. */
  private boolean extended;

  private UpstreamExtensions offered = UpstreamExtensions.NONE;
  private boolean early;

  /**
   * The other end of the socket, until it names another one.
   *
   * @param socketPeer the two ends of the socket
   */
  SessionClient(SessionServices services, ClientConnection socketPeer) {
    this.rules = services.rules();
    this.deciding = services.deciding();
    this.upstream = services.upstream();
    this.socketPeer = socketPeer;
    this.peer = socketPeer;
    this.connection = socketPeer;
    this.front = rules.listener().address().toString();
  }

  /**
   * The peer of the SMTP dialog: the other end of the socket, or what a PROXY header put in its
   * place. XCLIENT changes the client, and never the peer that sent it.
   */
  ClientConnection peer() {
    return peer;
  }

  /** The client that the lists are asked about, and that the mail server learns. */
  ClientConnection connection() {
    return connection;
  }

  void peerNamed(ClientConnection byProxy) {
    peer = byProxy;
    standsFor(byProxy);
  }

  void named(ClientConnection byXclient) {
    standsFor(byXclient);
    name = ClientNames.NOT_ASKED;
    early = false;
  }

  private void standsFor(ClientConnection client) {
    connection = client;
    front = rules.listener().address() + " via " + socketPeer.address();
  }

  /** Returns the listener, and the proxy that reported the client, if one did. */
  String front() {
    return front;
  }

  /** True when this peer may send XCLIENT. */
  boolean mayForward() {
    return peer.known() && rules.allowsXclient(peer.address());
  }

  /** Begins to look up the client's name if the mail server will get it. */
  void lookUpName() {
    name = upstream.nameOf(connection.address());
  }

  /** The client spoke before the banner, and a sign says what follows. */
  void spokeEarly() {
    early = true;
  }

  /** Returns its newest HELO; {@code null} before that. */
  @Nullable HeloName hello() {
    return hello;
  }

  /** Returns what this session may use of the mail server's extensions; NONE after HELO. */
  UpstreamExtensions offered() {
    return offered;
  }

  /**
   * Notes a greeting and what we offered in return.
   *
   * @param byEhlo false for HELO
   */
  void greets(@Nullable HeloName newest, boolean byEhlo, UpstreamExtensions inReturn) {
    hello = newest;
    extended = byEhlo;
    offered = inReturn;
  }

  void forgetHello() {
    greets(null, false, UpstreamExtensions.NONE);
  }

  /** Returns its name as it said it in HELO; empty before that. */
  String helo() {
    return hello == null ? "" : hello.text();
  }

  /** The protocol of its session, as its Received fields name it. */
  String protocol(boolean encrypted, boolean smtpUtf8) {
    return TraceHeaders.protocol(extended, encrypted, smtpUtf8);
  }

  /** Returns what is known at MAIL. */
  Facts factsOf(ReversePath from) {
    MailAddress sender = from.address();
    return facts().withSender(sender == null ? List.of() : sender.askedForms(), from.domain());
  }

  /** Returns what is known before MAIL. */
  Facts facts() {
    HeloName said = hello;
    Facts facts = Facts.ofClient(connection.address()).withHelo(said == null ? null : said.key());
    Policy policy = deciding.policy().get();
    IpAddress forwarder = policy.isForwarder(connection.address()) ? connection.address() : null;
    Signs signs = policy.signs();
    return facts.withSeen(
        new Seen(
            ClientName.UNKNOWN,
            said == null ? null : HeloKeys.address(said.text()).orElse(null),
            signs.counts(Sign.OWN_NAME_IN_HELO) ? connection.destination() : null,
            early,
            forwarder));
  }

  /** Returns what the mail server gets to know about it. */
  ClientIdentity identity() {
    return new ClientIdentity(
        connection.address(),
        connection.port(),
        helo(),
        extended,
        connection.destination(),
        connection.destinationPort(),
        name);
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.MailCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client of a session and its greeting, as lists, mail servers and log get them. Changed by
 * {@link Session}; used by its thread.
 */
final class SessionClient {

  private final SessionServices services;
  private final IpAddress socketPeer;
  private IpAddress peer;
  private boolean peerKnown = true;
  private ClientIdentity identity;
  private boolean known = true;
  private String front;

  /** The client's newest HELO or EHLO; {@code null} before that. */
  private @Nullable HeloName hello;

  /** The keys of the client and its newest HELO. */
  private Facts greeted;

  private UpstreamExtensions offered = UpstreamExtensions.NONE;
  private boolean early;

  /**
   * The other end of the socket, until it names another one.
   *
   * @param socketPeer the two ends of the socket
   */
  SessionClient(SessionServices services, ClientIdentity socketPeer) {
    this.services = services;
    this.socketPeer = socketPeer.address();
    this.peer = socketPeer.address();
    this.identity = socketPeer;
    this.greeted = Facts.ofClient(peer);
    this.front = services.listener().address().toString();
  }

  /**
   * The peer of the SMTP dialog: the other end of the socket, or what a PROXY header put in its
   * place. XCLIENT changes the client, and never the peer that sent it.
   */
  IpAddress peer() {
    return peer;
  }

  /** The address that the lists are asked about (rules of decision in gateway/README.md). */
  IpAddress address() {
    return identity.address();
  }

  /** False when a trusted proxy gave no address; no mail is taken then. */
  boolean isKnown() {
    return known;
  }

  /** Returns what the mail server gets to know about it. */
  ClientIdentity identity() {
    return identity;
  }

  /** A PROXY header put this client in place of the peer; {@code null} for nobody it knows. */
  void peerNamed(@Nullable ClientIdentity byProxy) {
    standsFor(byProxy == null ? identity : byProxy, byProxy != null);
    peer = identity.address();
    peerKnown = known;
  }

  /**
   * XCLIENT put this client in place of the one before.
   *
   * @param isKnown false when it named none
   */
  void named(ClientIdentity byXclient, boolean isKnown) {
    standsFor(byXclient.withName(ClientNames.NOT_ASKED), isKnown);
    early = false;
  }

  private void standsFor(ClientIdentity client, boolean isKnown) {
    identity = client;
    greeted = keys();
    known = isKnown;
    front = services.listener().address() + " via " + socketPeer;
  }

  /** Returns the listener, and the proxy that reported the client, if one did. */
  String front() {
    return front;
  }

  /** True when this peer may send XCLIENT. */
  boolean mayForward() {
    return peerKnown && services.allowsXclient(peer);
  }

  /** Begins to look up the client's name if the mail server will get it. */
  void lookUpName() {
    identity = identity.withName(services.upstream().nameOf(address()));
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
    greeted = keys();
    identity = identity.greeting(newest == null ? "" : newest.text(), byEhlo);
    offered = inReturn;
  }

  void forgetHello() {
    greets(null, false, UpstreamExtensions.NONE);
  }

  /** Returns its name as it said it in HELO; empty before that. */
  String helo() {
    return identity.helo();
  }

  /** The protocol of its session, as its Received fields name it. */
  String protocol(boolean encrypted, boolean smtpUtf8) {
    return TraceHeaders.protocol(identity.esmtp(), encrypted, smtpUtf8);
  }

  /** Returns what is known at MAIL. */
  Facts factsOf(MailCommand mail) {
    MailAddress sender = mail.sender();
    return facts()
        .withSender(sender == null ? List.of() : sender.askedForms(), mail.senderDomain());
  }

  private Facts keys() {
    HeloName said = hello;
    Facts keys = Facts.ofClient(address());
    return said == null
        ? keys
        : keys.withHelo(said.key()).withSeen(Seen.NOTHING.withHelo(said.address()));
  }

  /** Returns what is known before MAIL. */
  Facts facts() {
    IpAddress client = address();
    Policy policy = services.policy().get();
    Signs signs = policy.signs();
    return greeted.withSeen(
        new Seen(
            ClientName.UNKNOWN,
            greeted.seen().heloAddress(),
            signs.counts(Sign.OWN_NAME_IN_HELO) ? identity.destination() : null,
            early,
            policy.isForwarder(client) ? client : null));
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.ReverseName;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one conversation, which its verbs read and change: who the client is, how it greeted
 * us, what transaction is open, whether the end has come. Made by {@link SmtpConversation}; used by
 * one session's thread.
 */
final class SessionState {

  /**
   * What the client's newest HELO or EHLO said, and what we offered in return. Immutable.
   *
   * @param extended true for EHLO
   * @param offered what this session may use of the mail server's extensions; NONE after HELO
   */
  record ClientHello(HeloName name, boolean extended, UpstreamExtensions offered) {}

  private final ListenerRules rules;
  private final SessionControl control;
  private final Admission.Place place;
  private ContentBudget contentBudget;
  private final long beganNanos;
  private final Judge judge;
  private final DecisionReporter reporter;
  private final SessionUpstreams upstream;
  private final Tally tally = new Tally();

  private final ClientConnection socketPeer;

  private ClientWire wire;
  private ClientConnection peer;
  private ClientConnection client;
  private ReverseName.Pending name = ReverseName.Pending.NONE;
  private @Nullable ClientHello hello;
  private @Nullable MailTransaction transaction;
  private boolean early;
  private boolean refused;
  private boolean ended;

  /**
   * A conversation that has not begun.
   *
   * @param socketPeer the two ends of the socket
   * @param place among the client's sessions; not taken yet
   * @param contentBudget what all sessions together may hold of messages
   */
  SessionState(
      ListenerRules rules,
      SessionControl control,
      Admission.Place place,
      ContentBudget contentBudget,
      ClientConnection socketPeer,
      ClientWire wire) {
    this.rules = rules;
    this.control = control;
    this.place = place;
    this.contentBudget = contentBudget.of(socketPeer.address());
    this.socketPeer = socketPeer;
    this.peer = socketPeer;
    this.client = socketPeer;
    this.wire = wire;
    SessionEnvironment env = rules.environment();
    this.beganNanos = env.nanoTime().getAsLong();
    this.judge = new Judge(env);
    this.reporter = new DecisionReporter(this);
    this.upstream =
        new SessionUpstreams(
            () -> new SessionUpstream(env.upstream(), env.nanoTime(), rules.upstreamWarnings()));
    control.uses(upstream);
    wire.reader().reportWaits(upstream);
  }

  // ---- what does not change

  SessionEnvironment environment() {
    return rules.environment();
  }

  ListenerRules rules() {
    return rules;
  }

  Settings.Limits limits() {
    return environment().settings().limits();
  }

  String hostname() {
    return environment().settings().hostname();
  }

  SessionControl control() {
    return control;
  }

  Admission.Place place() {
    return place;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** What messages may take in memory, with the share of this client's network. */
  ContentBudget contentBudget() {
    return contentBudget;
  }

  Judge judge() {
    return judge;
  }

  DecisionReporter reporter() {
    return reporter;
  }

  SessionUpstreams upstream() {
    return upstream;
  }

  Tally tally() {
    return tally;
  }

  // ---- what changes

  ClientWire wire() {
    return wire;
  }

  /** TLS has begun: everything that the client sent before is void (RFC 3207 section 4.2). */
  void encrypted(ClientWire over) {
    wire = over;
    wire.reader().reportWaits(upstream);
    forgetHello();
  }

  /**
   * The peer of the SMTP dialog: the other end of the socket, or what a PROXY header put in its
   * place. XCLIENT changes the client, and never the peer that sent it.
   */
  ClientConnection peer() {
    return peer;
  }

  /** A PROXY header named the peer. */
  void peer(ClientConnection named) {
    peer = named;
    client = named;
    contentBudget = contentBudget.of(named.address());
  }

  /** The client that the lists are asked about, and that the mail server learns. */
  ClientConnection client() {
    return client;
  }

  /** The listener, and the proxy that reported the client, if one did. */
  String front() {
    String listener = environment().listener().address().toString();
    return client.equals(socketPeer) ? listener : listener + " via " + socketPeer.address();
  }

  /** True when this peer may send XCLIENT. */
  boolean mayForward() {
    return peer.known() && rules.allowsXclient(peer.address());
  }

  void client(ClientConnection other) {
    client = other;
    contentBudget = contentBudget.of(other.address());
    name = ReverseName.Pending.NONE;
    early = false;
    judge.forgetDns();
  }

  /** Begins to look up the client's name if the mail server will get it. */
  void lookUpName() {
    name = environment().upstream().nameOf(client.address());
  }

  /** Begins to ask DNS about the client. */
  void askAboutClient() {
    judge.expectClient(facts());
  }

  /**
   * Begins to ask DNS what a decision on this mail needs. About the client and its HELO name it is
   * asked again: a list may be on that was off when these came, and an answer may be out of date.
   */
  void askForMail(Facts facts) {
    judge.expectClient(facts);
    judge.expect(facts, Check.HELO, facts.helo());
    countName(judge.expect(facts, Check.SENDER_DOMAIN, facts.senderDomain()));
  }

  private void countName(boolean asked) {
    if (asked) {
      tally.name();
    }
  }

  /** The client spoke before the banner, and a sign says what follows. */
  void spokeEarly() {
    early = true;
  }

  /** What is known at MAIL. */
  Facts factsOf(ReversePath from) {
    MailAddress sender = from.address();
    return facts().withSender(sender == null ? List.of() : sender.askedForms(), from.domain());
  }

  /** What is known before MAIL. */
  Facts facts() {
    HeloName said = hello == null ? null : hello.name();
    Facts facts = Facts.ofClient(client.address()).withHelo(said == null ? null : said.key());
    Signs signs = environment().policy().get().signs();
    if (signs.isEmpty()) {
      return facts;
    }
    return facts.withSeen(
        new Seen(
            ClientName.UNKNOWN,
            said == null ? null : HeloKeys.address(said.text()).orElse(null),
            signs.counts(Sign.OWN_NAME_IN_HELO) ? client.destination().address() : null,
            early));
  }

  @Nullable ClientHello hello() {
    return hello;
  }

  /** HELO and EHLO also do what RSET does (RFC 5321 section 4.1.4). */
  void hello(ClientHello newest) {
    resetTransaction();
    hello = newest;
    if (client.known()) {
      countName(judge.expect(facts(), Check.HELO, newest.name().key()));
    }
  }

  void forgetHello() {
    resetTransaction();
    hello = null;
  }

  @Nullable MailTransaction transaction() {
    return transaction;
  }

  void begin(MailTransaction opened) {
    transaction = opened;
    control.pins(opened.pin());
  }

  /** Drops an open transaction; the client was promised nothing of it. */
  void resetTransaction() {
    MailTransaction open = transaction;
    if (open != null) {
      open.close();
      transaction = null;
      control.pins(null);
    }
    upstream.transactionOver();
  }

  /** True while a recipient that was answered 250 waits for its message. */
  boolean owesDelivery() {
    return transaction != null && transaction.hasRecipients();
  }

  /** True when the connection itself was refused, and only QUIT may follow. */
  boolean refused() {
    return refused;
  }

  void refuse() {
    refused = true;
  }

  /** True when nothing more is read from the client. */
  boolean ended() {
    return ended;
  }

  void end() {
    ended = true;
  }

  // ---- replies

  /** Answers with a reply of ours; a refusal is reported, if no record has reported it yet. */
  void own(Reply reply) {
    own(reply, null);
  }

  /**
   * The same for a MAIL or RCPT.
   *
   * @param answered {@code null} for another command
   */
  void own(Reply reply, DecisionReporter.@Nullable Attempt answered) {
    Reply sent = judge.inMode(reply);
    reporter.sent(sent, answered);
    answer(sent);
  }

  /** Answers with a reply of ours that is logged elsewhere. */
  void ownKnown(Reply reply) {
    answer(judge.inMode(reply));
  }

  /** Answers with the reply of a mail server. */
  void relayed(Reply reply) {
    answer(reply);
  }

  void answer(Answer answer, DecisionReporter.Attempt answered) {
    if (answer.own()) {
      own(answer.reply(), answered);
    } else {
      relayed(answer.reply());
    }
  }

  /** Answers with a last reply. */
  void answerAndEnd(Reply reply) {
    own(reply);
    end();
  }

  private void answer(Reply reply) {
    if (!reply.positive()) {
      tally.error();
    }
    wire.writer().add(reply);
  }

  // ---- deadlines and identity

  /** This many nanoseconds from now, or the end of the session if that comes first. */
  Deadline within(long nanos, Limit limit) {
    long end = environment().nanoTime().getAsLong() + nanos;
    return Deadline.first(new Deadline(end, limit), sessionEnd());
  }

  Deadline sessionEnd() {
    return new Deadline(control.sessionDeadline(), Limit.SESSION_TIMEOUT);
  }

  /** What the mail server learns about the client. */
  ClientIdentity identity() {
    return new ClientIdentity(
        client.address(),
        client.port(),
        hello == null ? "" : hello.name().text(),
        hello != null && hello.extended(),
        client.destination().address(),
        client.destination().port(),
        name);
  }
}

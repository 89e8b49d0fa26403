package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one conversation, and the transaction that is open in it. What changes more than one
 * part goes through here. Made by {@link SubethaListener}; used by one session's thread.
 */
final class Session {

  private final SessionServices services;
  private final SessionServices.Reporting reporting;
  private final Settings.Limits limits;
  private final MimeLimits mimeLimits;
  private final String hostname;
  private final boolean remembers;
  private final boolean repairsLineEnds;
  private final @Nullable String reportsAddress;
  private final SessionControl control;
  private final Admission.Place place;
  private final SessionClient client;
  private final Judge judge;
  private final DecisionReporter reporter;
  private final Dialog dialog;
  private ContentBudget contentBudget;
  private @Nullable MailTransaction transaction;
  private int transactions;

  /**
   * A conversation that has not begun.
   *
   * @param reporting where it reports
   * @param place among the client's sessions; not taken yet
   * @param contentBudget what all sessions together may hold of messages
   * @param socketPeer the two ends of the socket
   */
  Session(
      SessionServices services,
      SessionServices.Reporting reporting,
      SessionControl control,
      Admission.Place place,
      ContentBudget contentBudget,
      ClientIdentity socketPeer,
      ClientWire wire) {
    this.services = services;
    this.reporting = reporting;
    this.repairsLineEnds =
        services.settings().policy().bareNewline() == Settings.Policy.BareNewline.NORMALIZE;
    this.reportsAddress = services.settings().reports().address();
    this.hostname = services.settings().hostname();
    this.remembers = services.settings().memory() != null;
    this.limits = services.settings().limits();
    Settings.Limits.Mime mime = limits.mime();
    this.mimeLimits =
        new MimeLimits(mime.depth(), mime.parts(), mime.parameters(), mime.addressFields());
    this.control = control;
    this.place = place;
    this.contentBudget = contentBudget.of(socketPeer.address());
    control.messagesTake(this.contentBudget);
    this.client = new SessionClient(services, socketPeer);
    this.judge = new Judge(services, reporting);
    this.reporter = new DecisionReporter(this);
    this.dialog = new Dialog(judge, reporter, wire, control);
  }

  // ---- its parts

  SessionServices services() {
    return services;
  }

  SessionServices.Reporting reporting() {
    return reporting;
  }

  Settings.Limits limits() {
    return limits;
  }

  /** Returns the shapes of mails that may pass. */
  MimeLimits mimeLimits() {
    return mimeLimits;
  }

  /** The name of this gateway. */
  String hostname() {
    return hostname;
  }

  /** True when it is kept what mails carry. */
  boolean remembers() {
    return remembers;
  }

  /** True when bare line ends of content are repaired, and not refused. */
  boolean repairsLineEnds() {
    return repairsLineEnds;
  }

  /** True for the address to which own users send reports of spam. */
  boolean isForReports(RcptCommand rcpt) {
    return reportsAddress != null && reportsAddress.equalsIgnoreCase(rcpt.to());
  }

  SessionControl control() {
    return control;
  }

  Admission.Place place() {
    return place;
  }

  /** Returns the budget of messages in memory, with the share of this client's network. */
  ContentBudget contentBudget() {
    return contentBudget;
  }

  SessionClient client() {
    return client;
  }

  Judge judge() {
    return judge;
  }

  DecisionReporter reporter() {
    return reporter;
  }

  Dialog dialog() {
    return dialog;
  }

  // ---- the client

  /** A PROXY header named the peer, or nobody. */
  void peerNamed(@Nullable ClientIdentity named) {
    client.peerNamed(named);
    countForClient();
  }

  /** XCLIENT named another client, or none; what was asked about the one before does not count. */
  void clientNamed(ClientIdentity other, boolean known) {
    client.named(other, known);
    countForClient();
    judge.forgetDns();
  }

  private void countForClient() {
    contentBudget = contentBudget.of(client.address());
    control.messagesTake(contentBudget);
  }

  /** HELO and EHLO also do what RSET does (RFC 5321 section 4.1.4). */
  void greeted(HeloName newest, boolean byEhlo, UpstreamExtensions offered) {
    resetTransaction();
    client.greets(newest, byEhlo, offered);
    if (client.isKnown() && judge.expect(client.facts(), Check.HELO, newest.key())) {
      dialog.nameAsked();
    }
  }

  void forgetHello() {
    resetTransaction();
    client.forgetHello();
  }

  /** TLS has begun: everything that the client sent before is void (RFC 3207 section 4.2). */
  void encrypted(ClientWire over) {
    dialog.encrypted(over);
    forgetHello();
  }

  // ---- the transaction

  @Nullable MailTransaction transaction() {
    return transaction;
  }

  /** Transactions that began. */
  int transactions() {
    return transactions;
  }

  void begin(MailTransaction opened) {
    transaction = opened;
    transactions++;
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
    control.transactionOver();
  }

  /** True while a recipient that was answered 250 waits for its message. */
  boolean owesDelivery() {
    return transaction != null && transaction.hasRecipients();
  }

  /** Returns how far the client has come on its way to a message: each step is one more. */
  int stage() {
    int greeted = (dialog.wire().encrypted() ? 2 : 0) + (client.hello() == null ? 0 : 1);
    return transaction == null ? greeted : greeted + 1 + transaction.recipients().size();
  }

  // ---- deadlines

  /** This many nanoseconds from now, or the end of the session if that comes first. */
  Deadline within(long nanos, Limit limit) {
    long end = services.nanoTime().getAsLong() + nanos;
    return Deadline.first(new Deadline(end, limit), end());
  }

  /** The end of the session. */
  Deadline end() {
    return new Deadline(control.sessionDeadline(), Limit.SESSION_TIMEOUT);
  }
}

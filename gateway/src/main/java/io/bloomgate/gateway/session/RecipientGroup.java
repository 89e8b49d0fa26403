package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.AnswerHint;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.session.KeptConnection.State;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a transaction that one mail server is offered on one connection. Its recipients share
 * what is remembered of them, so that the message is for all of them or for none. Made by {@link
 * RecipientGroups}; used by one session's thread.
 *
 * <p>It begins with the first recipient that passes, on a connection that is kept for further
 * messages of the same client and dropped after any doubt. Connections are few, so housekeeping may
 * take one while the client is waited for, also within a transaction; see {@link KeptConnection}.
 * The mail server may close it sooner. What the mail server had granted is kept then and asked for
 * again on another connection when the client goes on. When it grants less, the whole message fails
 * with 451, so that no recipient that was answered 250 is lost in silence.
 */
final class RecipientGroup {

  private interface Step<T> {
    T take() throws UpstreamException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(RecipientGroup.class);

  private final KeptConnection connection;
  private final Upstream route;
  private final @Nullable AnswerHint remembered;
  private final ClientIdentity identity;
  private final MailCommand mail;
  private final SessionServices.Reporting reporting;
  private final List<String> recipients = new ArrayList<>(1);
  private final Deque<RcptCommand> deferred = new ArrayDeque<>(0);

  /** True from the time at which the mail server took MAIL to the end of its transaction. */
  private boolean granted;

  /** Recipients that the mail server took since MAIL. */
  private final List<RcptCommand> taken = new ArrayList<>(1);

  private boolean inTransaction;
  private @Nullable Reply mailRefusal;
  private @Nullable Reply lost;

  /**
   * Nothing was sent yet.
   *
   * @param remembered what is remembered of each of these recipients; {@code null} for nothing
   * @param identity whose mail it is
   * @param reporting where a message is reported that the mail server failed
   */
  RecipientGroup(
      KeptConnection connection,
      Upstream route,
      @Nullable AnswerHint remembered,
      ClientIdentity identity,
      MailCommand mail,
      SessionServices.Reporting reporting) {
    this.connection = connection;
    this.route = route;
    this.remembered = remembered;
    this.identity = identity;
    this.mail = mail;
    this.reporting = reporting;
  }

  Upstream route() {
    return route;
  }

  @Nullable AnswerHint remembered() {
    return remembered;
  }

  /** Returns the contents for which answers to these recipients are remembered. */
  Set<AnswerMemory.Key> answered() {
    return remembered == null ? Set.of() : remembered.contents();
  }

  /** Recipients that were answered 250, in the order in which the mail server gets them. */
  List<String> recipients() {
    return recipients;
  }

  /** True when a recipient was answered 250. */
  boolean isUsed() {
    return !recipients.isEmpty();
  }

  /** Returns the number of those that the mail server was not asked about yet. */
  int deferred() {
    return deferred.size();
  }

  /** True once the mail server took MAIL. */
  boolean inTransaction() {
    return inTransaction;
  }

  /**
   * Its refusal of MAIL, which is the answer to all recipients; {@code null} when there is none.
   */
  @Nullable Reply mailRefusal() {
    return mailRefusal;
  }

  /** The reply when the mail server was lost in this transaction; {@code null} when it was not. */
  @Nullable Reply lost() {
    return lost;
  }

  void lose(Reply reply) {
    lost = reply;
  }

  // ---- the envelope

  /** Takes a recipient that the mail server must not be asked about yet. */
  void defer(RcptCommand rcpt) {
    deferred.add(rcpt);
    recipients.add(rcpt.to());
  }

  /**
   * Asks the mail server about this recipient, and notes its answer or the one to MAIL.
   *
   * @return that answer, or one that {@link Replies#isLack} where the mail server cannot be asked
   */
  Reply ask(RcptCommand rcpt) throws UpstreamException {
    // The deferred ones go first, so that the order stays.
    Reply refusal = sendDeferred();
    if (refusal != null) {
      throw UpstreamException.withdrawn(refusal);
    }
    Reply reply = send(rcpt);
    if (reply.positive()) {
      recipients.add(rcpt.to());
    }
    return reply;
  }

  /**
   * Sends the mail server what it has not got of the envelope yet.
   *
   * @return its refusal of a recipient that was answered 250, which is then its answer to the
   *     message; {@code null} when it takes all
   */
  @Nullable Reply sendDeferred() throws UpstreamException {
    while (!deferred.isEmpty()) {
      Reply reply = send(deferred.removeFirst());
      if (!reply.positive()) {
        return reply;
      }
    }
    return null;
  }

  private Reply send(RcptCommand rcpt) throws UpstreamException {
    if (inTransaction) {
      return orDiscard(() -> orOnAnother(() -> sendRcpt(rcpt), () -> true));
    }
    granted = false;
    connection.prepare(identity, route);
    Reply reply = orDiscard(() -> mailOnAnyConnection(rcpt));
    if (granted) {
      inTransaction = true;
    } else if (!Replies.isLack(reply)) {
      mailRefusal = reply;
    }
    return reply;
  }

  /**
   * Sends MAIL and the first RCPT on a connection that carries this identity. A connection that was
   * used before is replaced when it was closed in the meantime, or when its MAIL is refused for now
   * because the mail server has had enough messages on it: nothing of this message was offered on
   * it. When two of them refuse MAIL, that is the answer to the sender; one sender may not use up
   * all the connections that others wait for.
   */
  private Reply mailOnAnyConnection(RcptCommand rcpt) throws UpstreamException {
    boolean refused = false;
    while (true) {
      try {
        Reply reply = sendMail(rcpt);
        boolean forNow = !granted && reply.code() / 100 == 4;
        if (!connection.usedBefore() || !forNow || refused) {
          return reply;
        }
        refused = true;
      } catch (UpstreamException e) {
        if (!connection.usedBefore() || e.closedBehindRefusals()) {
          throw e;
        }
      }
      // Each turn uses up one that was kept, so the last turn is on a new one.
      connection.close();
    }
  }

  private Reply sendMail(RcptCommand rcpt) throws UpstreamException {
    UpstreamSession at = connection.openFor(identity);
    granted = false;
    Reply ofMail = at.extensions().lacking(mail);
    Reply lacking = ofMail == null ? at.extensions().lacking(rcpt) : ofMail;
    if (lacking != null) {
      return lacking;
    }
    connection.enters(State.IN_TRANSACTION);
    Reply reply = at.mailAndRcpt(mail, rcpt);
    connection.used();
    if (at.mailTaken()) {
      granted = true;
      taken.clear();
      note(rcpt, reply);
    }
    return reply;
  }

  private Reply sendRcpt(RcptCommand rcpt) throws UpstreamException {
    requireGranted();
    if (!connection.isOpen() && taken.isEmpty()) {
      // Only MAIL was granted: it is sent once more, with this recipient.
      return resumed(mailOnAnyConnection(rcpt));
    }
    UpstreamSession at = open();
    Reply lacking = at.extensions().lacking(rcpt);
    if (lacking != null) {
      return lacking;
    }
    Reply reply = at.rcpt(rcpt);
    connection.used();
    note(rcpt, reply);
    return reply;
  }

  private void note(RcptCommand rcpt, Reply reply) {
    if (reply.positive()) {
      taken.add(rcpt);
    }
  }

  // ---- the message

  /** DATA; when it is taken, what is held of the content goes on its way. */
  Reply data(OutgoingContent held) throws UpstreamException {
    return orDiscard(() -> {
      Reply reply = orOnAnother(() -> open().data(held), () -> !held.begun());
      connection.enters(reply.positive() ? State.IN_CONTENT : State.IN_TRANSACTION);
      connection.used();
      return reply;
    });
  }

  /** More content, behind what was held. */
  void content(byte[] octets, int offset, int length) throws UpstreamException {
    orDiscard(() -> {
      connection.session().content(octets, offset, length);
      return true;
    });
  }

  /** Sends the final dot and awaits the verdict; the next MAIL may follow it. */
  List<UpstreamSession.MessageReply> endOfData() throws UpstreamException {
    return orDiscard(() -> {
      List<UpstreamSession.MessageReply> verdict = connection.session().endOfData();
      connection.enters(State.CLEAN);
      granted = false;
      connection.used();
      return verdict;
    });
  }

  /** The message must not arrive, and nothing of it was sent: the connection is free for others. */
  void transactionOver() {
    granted = false;
    connection.transactionOver();
  }

  /** Drops the connection; inside content this is before the final dot. */
  void discard() {
    granted = false;
    connection.close();
  }

  // ---- failures

  private <T> T orDiscard(Step<T> step) throws UpstreamException {
    try {
      return step.take();
    } catch (UpstreamException e) {
      throw failed(e);
    }
  }

  /** Only the log learns why: the client gets a 451 that gives nothing away. */
  private UpstreamException failed(UpstreamException e) {
    if (connection.isOpen()) {
      reporting
          .failedServers()
          .say(more ->
              LOG.warn("{}; the message is answered {}{}", e.getMessage(), e.reply(), more));
    }
    discard();
    return e;
  }

  /**
   * Takes a step once more on a new connection when the mail server closed the old one: servers do
   * that to a client that takes its time, and nothing of the message was offered there yet.
   */
  private <T> T orOnAnother(Step<T> step, BooleanSupplier nothingOffered) throws UpstreamException {
    boolean waited = connection.isOpen();
    try {
      return step.take();
    } catch (UpstreamException e) {
      if (!waited || !e.connectionClosed() || !nothingOffered.getAsBoolean()) {
        throw e;
      }
      LOG.debug("{}; the transaction is begun again on another connection", e.getMessage());
    }
    connection.close();
    return step.take();
  }

  // ---- once more on another connection

  /** The connection in a transaction, begun again when it was closed as idle. */
  private UpstreamSession open() throws UpstreamException {
    requireGranted();
    if (!connection.isOpen()) {
      List<RcptCommand> before = List.copyOf(taken);
      requireTaken(resumed(mailOnAnyConnection(before.getFirst())));
      for (RcptCommand rcpt : before.subList(1, before.size())) {
        requireTaken(sendRcpt(rcpt));
      }
    }
    return connection.session();
  }

  /** The answer to the recipient; MAIL must be taken as it was before. */
  private Reply resumed(Reply again) throws UpstreamException {
    if (!granted) {
      throw UpstreamException.withdrawn(again);
    }
    return again;
  }

  private void requireGranted() {
    if (!granted) {
      throw new IllegalStateException("no transaction at the mail server");
    }
  }

  private static void requireTaken(Reply reply) throws UpstreamException {
    if (!reply.positive()) {
      throw UpstreamException.withdrawn(reply);
    }
  }
}

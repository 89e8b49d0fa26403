package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.session.KeptConnection.State;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the session's transactions at a mail server: begun with the first recipient that passes,
 * on a connection that is kept for further messages of the same client and dropped after any doubt.
 * Held by {@link SessionUpstreams}; used by one session's thread.
 *
 * <p>Connections are few, so housekeeping may take one while the client is waited for, also within
 * a transaction; see {@link KeptConnection}. The mail server may close it sooner. What the mail
 * server had granted is kept then and asked for again on another connection when the client goes
 * on. When it grants less, the whole message fails with 451, so that no recipient that was answered
 * 250 is lost in silence.
 */
final class SessionUpstream {

  /**
   * A reply to a recipient or a message, and whose it is. Immutable.
   *
   * @param own true for ours, which mode soft makes 4xx; replies of the mail server are passed on
   *     as they are
   */
  record Answer(Reply reply, boolean own) {

    static Answer own(Reply reply) {
      return new Answer(reply, true);
    }

    static Answer relayed(Reply reply) {
      return new Answer(reply, false);
    }
  }

  /** The part of the current transaction that the mail server has granted. */
  private static final class Granted {
    private final ClientIdentity client;
    private final MailCommand mail;
    private final List<RcptCommand> recipients = new ArrayList<>(1);

    Granted(ClientIdentity client, MailCommand mail) {
      this.client = client;
      this.mail = mail;
    }
  }

  private interface Step<T> {
    T take() throws UpstreamException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(SessionUpstream.class);

  private final Upstream upstream;
  private final WarningPace warnings;
  private final KeptConnection connection;
  private @Nullable Granted granted;

  /**
   * Starts without a connection.
   *
   * @param warnings of messages that the mail server failed
   */
  SessionUpstream(Upstream upstream, LongSupplier nanoTime, WarningPace warnings) {
    this.upstream = upstream;
    this.warnings = warnings;
    this.connection = new KeptConnection(upstream, nanoTime);
  }

  /** The connection, which may be parked and taken by others. */
  KeptConnection connection() {
    return connection;
  }

  /**
   * Sends MAIL and the first RCPT on a connection that carries this identity. A connection that was
   * used before is replaced when it was closed in the meantime, or when its MAIL is refused for now
   * because the mail server has had enough messages on it: nothing of this message was offered on
   * it. When two of them refuse MAIL, that is the answer to the sender; one sender may not use up
   * all the connections that others wait for.
   *
   * @return the answer to the recipient: that to MAIL where {@link #mailTaken} is false then
   */
  Answer begin(ClientIdentity client, MailCommand mail, RcptCommand rcpt) throws UpstreamException {
    granted = null;
    connection.prepare(client, upstream.route(rcpt.to().domain()));
    return orDiscard(() -> mailOnAnyConnection(client, mail, rcpt));
  }

  /** True from the time at which the mail server took MAIL to the end of the transaction. */
  boolean mailTaken() {
    return granted != null;
  }

  /** A further recipient on the same route. */
  Answer rcpt(RcptCommand rcpt) throws UpstreamException {
    return orDiscard(() -> orOnAnother(() -> sendRcpt(rcpt), () -> true));
  }

  /** DATA; when it is taken, what is held of the content goes on its way. */
  Reply data(OutgoingContent held) throws UpstreamException {
    return orDiscard(() -> {
      Reply reply = orOnAnother(() -> inTransaction().data(held), () -> !held.begun());
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
      granted = null;
      connection.used();
      return verdict;
    });
  }

  /** The client has given up its transaction, if there is one. */
  void transactionOver() {
    granted = null;
    connection.transactionOver();
  }

  /** Drops the connection; inside content this is before the final dot. */
  void discard() {
    granted = null;
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
      warnings.say(
          more -> LOG.warn("{}; the message is answered {}{}", e.getMessage(), e.reply(), more));
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

  // ---- commands

  private Answer mailOnAnyConnection(ClientIdentity client, MailCommand mail, RcptCommand rcpt)
      throws UpstreamException {
    boolean refused = false;
    while (true) {
      try {
        Answer answer = sendMail(client, mail, rcpt);
        boolean forNow = !mailTaken() && answer.reply().code() / 100 == 4;
        if (!connection.usedBefore() || !forNow || refused) {
          return answer;
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

  private Answer sendMail(ClientIdentity client, MailCommand mail, RcptCommand rcpt)
      throws UpstreamException {
    UpstreamSession at = connection.openFor(client);
    Reply ofMail = at.extensions().lacking(mail);
    Reply lacking = ofMail == null ? at.extensions().lacking(rcpt) : ofMail;
    if (lacking != null) {
      granted = null;
      return Answer.own(lacking);
    }
    connection.enters(State.IN_TRANSACTION);
    UpstreamSession.MailAndRcpt replies = at.mailAndRcpt(mail, rcpt);
    connection.used();
    if (!replies.mail().positive()) {
      granted = null;
      return Answer.relayed(replies.mail());
    }
    granted = new Granted(client, mail);
    note(rcpt, replies.rcpt());
    return Answer.relayed(replies.rcpt());
  }

  private Answer sendRcpt(RcptCommand rcpt) throws UpstreamException {
    Granted before = requireGranted();
    if (!connection.isOpen() && before.recipients.isEmpty()) {
      // Only MAIL was granted: it is sent once more, with this recipient.
      return Answer.relayed(resumed(mailOnAnyConnection(before.client, before.mail, rcpt)));
    }
    UpstreamSession at = inTransaction();
    Reply lacking = at.extensions().lacking(rcpt);
    if (lacking != null) {
      return Answer.own(lacking);
    }
    Reply reply = at.rcpt(rcpt);
    connection.used();
    note(rcpt, reply);
    return Answer.relayed(reply);
  }

  private void note(RcptCommand rcpt, Reply reply) {
    if (reply.positive()) {
      requireGranted().recipients.add(rcpt);
    }
  }

  // ---- once more on another connection

  /** The connection in a transaction, begun again when it was closed as idle. */
  private UpstreamSession inTransaction() throws UpstreamException {
    if (!connection.isOpen()) {
      resume(requireGranted());
    }
    return connection.session();
  }

  private void resume(Granted before) throws UpstreamException {
    List<RcptCommand> recipients = before.recipients;
    RcptCommand first = recipients.getFirst();
    requireTaken(resumed(mailOnAnyConnection(before.client, before.mail, first)));
    for (RcptCommand rcpt : recipients.subList(1, recipients.size())) {
      requireTaken(sendRcpt(rcpt).reply());
    }
  }

  /** The answer to the recipient; MAIL must be taken as it was before. */
  private Reply resumed(Answer again) throws UpstreamException {
    if (!mailTaken()) {
      throw UpstreamException.withdrawn(again.reply());
    }
    return again.reply();
  }

  private static void requireTaken(Reply reply) throws UpstreamException {
    if (!reply.positive()) {
      throw UpstreamException.withdrawn(reply);
    }
  }

  private Granted requireGranted() {
    Granted at = granted;
    if (at == null) {
      throw new IllegalStateException("no transaction at the mail server");
    }
    return at;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.AnswerHint;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a transaction that one mail server is offered on one connection. Its recipients share
 * what is remembered of them, so that the message is for all of them or for none. Made by {@link
 * RecipientGroups}; used by one session's thread.
 */
final class RecipientGroup {

  private final SessionUpstream connection;
  private final Upstream route;
  private final AnswerHint remembered;
  private final MailCommand mail;
  private final SessionClient client;
  private final List<ForwardPath> recipients = new ArrayList<>(1);
  private final Deque<RcptCommand> deferred = new ArrayDeque<>(0);
  private boolean inTransaction;
  private @Nullable Reply mailRefusal;
  private @Nullable Reply lost;

  /**
   * Nothing was sent yet.
   *
   * @param remembered what is remembered of each of these recipients
   * @param client whose mail it is, asked when the mail server has to know
   */
  RecipientGroup(
      SessionUpstream connection,
      Upstream route,
      AnswerHint remembered,
      MailCommand mail,
      SessionClient client) {
    this.connection = connection;
    this.route = route;
    this.remembered = remembered;
    this.mail = mail;
    this.client = client;
  }

  SessionUpstream connection() {
    return connection;
  }

  Upstream route() {
    return route;
  }

  AnswerHint remembered() {
    return remembered;
  }

  /** Returns the contents for which answers to these recipients are remembered. */
  Set<AnswerMemory.Key> answered() {
    return remembered.contents();
  }

  /** Recipients that were answered 250, in the order in which the mail server gets them. */
  List<ForwardPath> recipients() {
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

  /** Asks the mail server about this recipient, and notes its answer or the one to MAIL. */
  Answer ask(RcptCommand rcpt) throws UpstreamException {
    // The deferred ones go first, so that the order stays.
    Reply refusal = sendDeferred();
    if (refusal != null) {
      throw UpstreamException.withdrawn(refusal);
    }
    Answer answer = send(rcpt);
    if (answer.reply().positive()) {
      recipients.add(rcpt.to());
    }
    return answer;
  }

  /**
   * Sends the mail server what it has not got of the envelope yet.
   *
   * @return its refusal of a recipient that was answered 250, which is then its answer to the
   *     message; {@code null} when it takes all
   */
  @Nullable Reply sendDeferred() throws UpstreamException {
    while (!deferred.isEmpty()) {
      Answer answer = send(deferred.removeFirst());
      if (!answer.reply().positive()) {
        return answer.reply();
      }
    }
    return null;
  }

  private Answer send(RcptCommand rcpt) throws UpstreamException {
    if (inTransaction) {
      return connection.rcpt(rcpt);
    }
    Answer answer = connection.begin(client.identity(), mail, rcpt);
    if (connection.mailTaken()) {
      inTransaction = true;
    } else if (!answer.own()) {
      mailRefusal = answer.reply();
    }
    return answer;
  }
}

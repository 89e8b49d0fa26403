package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.AnswerHint;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.smtp.ForwardPath;
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
  private final List<ForwardPath> recipients = new ArrayList<>(1);
  private final Deque<RcptCommand> deferred = new ArrayDeque<>(0);
  private boolean inTransaction;
  private @Nullable Reply mailRefusal;
  private @Nullable Reply lost;

  /**
   * Nothing was sent yet.
   *
   * @param remembered what is remembered of each of these recipients
   */
  RecipientGroup(SessionUpstream connection, Upstream route, AnswerHint remembered) {
    this.connection = connection;
    this.route = route;
    this.remembered = remembered;
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

  void taken(ForwardPath recipient) {
    recipients.add(recipient);
  }

  /** Returns those that the mail server was not asked about yet. */
  Deque<RcptCommand> deferred() {
    return deferred;
  }

  boolean inTransaction() {
    return inTransaction;
  }

  /** The mail server took MAIL. */
  void mailTaken() {
    inTransaction = true;
  }

  /**
   * Its refusal of MAIL, which is the answer to all recipients; {@code null} when there is none.
   */
  @Nullable Reply mailRefusal() {
    return mailRefusal;
  }

  void mailRefused(Reply reply) {
    mailRefusal = reply;
  }

  /** The reply when the mail server was lost in this transaction; {@code null} when it was not. */
  @Nullable Reply lost() {
    return lost;
  }

  void lose(Reply reply) {
    lost = reply;
  }
}

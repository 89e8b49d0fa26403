package io.bloomgate.gateway.session;

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
  private final Set<AnswerMemory.Key> answered;
  private final List<ForwardPath> recipients = new ArrayList<>(1);
  private final Deque<RcptCommand> deferred = new ArrayDeque<>(0);
  private boolean mailSaid;
  private @Nullable Reply mailRefusal;
  private @Nullable Reply lost;

  /**
   * Nothing is said yet.
   *
   * @param answered contents for which answers to these recipients are remembered
   */
  RecipientGroup(SessionUpstream connection, Upstream route, Set<AnswerMemory.Key> answered) {
    this.connection = connection;
    this.route = route;
    this.answered = answered;
  }

  SessionUpstream connection() {
    return connection;
  }

  Upstream route() {
    return route;
  }

  Set<AnswerMemory.Key> answered() {
    return answered;
  }

  /** Recipients that heard 250, in the order in which the upstream hears of them. */
  List<ForwardPath> recipients() {
    return recipients;
  }

  void taken(ForwardPath recipient) {
    recipients.add(recipient);
  }

  /** Those of them of whom the upstream has not heard. */
  Deque<RcptCommand> deferred() {
    return deferred;
  }

  boolean mailSaid() {
    return mailSaid;
  }

  /** The upstream took MAIL. */
  void mailTaken() {
    mailSaid = true;
  }

  /** Its word on MAIL when it refused it: that is on all recipients. */
  @Nullable Reply mailRefusal() {
    return mailRefusal;
  }

  void mailRefused(Reply reply) {
    mailRefusal = reply;
  }

  /** What to say when the upstream was lost in this transaction; {@code null} when it was not. */
  @Nullable Reply lost() {
    return lost;
  }

  void lose(Reply reply) {
    lost = reply;
  }
}

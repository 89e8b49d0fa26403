package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerHint;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.AnswerRoom;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Divides the recipients of a transaction into groups: those of one mail server in one transaction
 * there, those with remembered answers apart. Where the answers after the final dot could differ,
 * {@link AnswerMemory} must promise room for them, until {@link #close}. When it cannot, and when
 * the answers are certain to differ, a recipient is put off, and the client sends that recipient a
 * separate message (RFC 5321 section 4.5.3.1.10). A recipient is also put off who needs a second
 * connection to the same server when none is free: a session that holds one must not wait for
 * another. Made by {@link MailTransaction}; used by one session's thread.
 */
final class RecipientGroups {

  /** Connections for one message. */
  private static final int MAX_GROUPS = 8;

  private final AnswerMemory memory;
  private final Upstream upstream;
  private final SessionUpstreams connections;
  private final MailCommand mail;
  private final AnswerMemory.Origin origin;
  private final AnswerRoom room;
  private final IpAddress client;
  private final List<RecipientGroup> groups = new ArrayList<>(1);
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);

  /** The first recipient with a remembered answer that was put off because others came first. */
  private @Nullable ForwardPath answeredPutOff;

  /** Starts without recipients. */
  RecipientGroups(
      SessionServices.Relaying relaying,
      SessionUpstreams connections,
      IpAddress client,
      MailCommand mail) {
    this.memory = relaying.answers();
    this.upstream = relaying.upstream();
    this.connections = connections;
    this.mail = mail;
    this.client = client;
    this.origin = AnswerMemory.Origin.of(client, mail.from());
    this.room = memory.room(origin);
  }

  /** Returns the group of the recipient; {@code null} when another transaction has to carry it. */
  @Nullable RecipientGroup of(RcptCommand rcpt) {
    AnswerHint hint = memory.hint(origin, rcpt.to());
    boolean waits = memory.takeTurn(origin, rcpt.to());
    if (!agrees(hint.kind()) || (waits && hint.kind() == Kind.NEW)) {
      return putOff(rcpt, hint);
    }
    Upstream route = upstream.route(rcpt.to().domain());
    RecipientGroup group = find(route, hint);
    boolean others = groups.stream().anyMatch(l -> l != group && !l.recipients().isEmpty());
    boolean companions = group != null && !group.recipients().isEmpty();
    if ((others || (companions && route.answersEach())) && !room.reach(recipients() + 1)) {
      return putOff(rcpt, hint);
    }
    if (group != null) {
      return group;
    }
    if (groups.size() == MAX_GROUPS) {
      return putOff(rcpt, hint);
    }
    boolean second = groups.stream().anyMatch(l -> l.route().equals(route) && l.inTransaction());
    if (second && !route.hasRoom(client)) {
      return putOff(rcpt, hint);
    }
    RecipientGroup fresh = new RecipientGroup(connections.next(), route, hint);
    groups.add(fresh);
    return fresh;
  }

  private @Nullable RecipientGroup putOff(RcptCommand rcpt, AnswerHint hint) {
    if (hint.kind() != Kind.NEW && answeredPutOff == null) {
      answeredPutOff = rcpt.to();
    }
    return null;
  }

  /**
   * A message that is tried again gets the remembered answers. So a recipient with a remembered
   * refusal shares a transaction with refused ones only, a recipient that was accepted does not
   * share one with a recipient that may be put off again, and a recipient with both answers, of
   * different contents, has a transaction to itself.
   */
  private boolean agrees(Kind kind) {
    if (kinds.contains(Kind.MIXED)) {
      return false;
    }
    return switch (kind) {
      case NEW -> !kinds.contains(Kind.REFUSED) && !kinds.contains(Kind.TRIED);
      case TAKEN -> !kinds.contains(Kind.REFUSED);
      case TRIED -> !kinds.contains(Kind.REFUSED) && !kinds.contains(Kind.NEW);
      case MIXED -> kinds.isEmpty();
      case REFUSED -> kinds.isEmpty() || kinds.equals(EnumSet.of(Kind.REFUSED));
    };
  }

  private @Nullable RecipientGroup find(Upstream route, AnswerHint remembered) {
    for (RecipientGroup group : groups) {
      if (group.route().equals(route) && group.remembered().equals(remembered)) {
        return group;
      }
    }
    return null;
  }

  /** Takes a recipient that the mail server must not be asked about yet. */
  void defer(RecipientGroup group, RcptCommand rcpt) {
    group.deferred().add(rcpt);
    taken(group, rcpt);
  }

  private int recipients() {
    return groups.stream().mapToInt(group -> group.recipients().size()).sum();
  }

  /** Room for the answers, promised at RCPT. */
  AnswerRoom room() {
    return room;
  }

  /** The transaction is over. */
  void close() {
    room.close();
  }

  /** The first recipient with a remembered answer that was put off because others came first. */
  @Nullable ForwardPath answeredPutOff() {
    return answeredPutOff;
  }

  /** Returns the number of recipients that the mail servers were not asked about yet. */
  int deferred() {
    return groups.stream().mapToInt(group -> group.deferred().size()).sum();
  }

  /**
   * Sends one mail server what it has not got of the envelope yet.
   *
   * @return its refusal of a recipient that was answered 250, which is then its answer to the
   *     message; {@code null} when it takes all
   */
  @Nullable Reply sendDeferred(RecipientGroup group, ClientIdentity client)
      throws UpstreamException {
    while (!group.deferred().isEmpty()) {
      Answer answer = send(group, client, group.deferred().removeFirst());
      if (!answer.reply().positive()) {
        return answer.reply();
      }
    }
    return null;
  }

  /** Asks the mail server about this recipient, and notes its answer or the one to MAIL. */
  Answer ask(RecipientGroup group, ClientIdentity client, RcptCommand rcpt)
      throws UpstreamException {
    // The deferred ones go first, so that the order stays.
    Reply refusal = sendDeferred(group, client);
    if (refusal != null) {
      throw UpstreamException.withdrawn(refusal);
    }
    Answer answer = send(group, client, rcpt);
    if (answer.reply().positive()) {
      taken(group, rcpt);
    }
    return answer;
  }

  private Answer send(RecipientGroup group, ClientIdentity client, RcptCommand rcpt)
      throws UpstreamException {
    if (group.inTransaction()) {
      return group.connection().rcpt(rcpt);
    }
    Answer answer = group.connection().begin(client, mail, rcpt);
    if (group.connection().mailTaken()) {
      group.mailTaken();
    } else if (!answer.own()) {
      group.mailRefused(answer.reply());
    }
    return answer;
  }

  private void taken(RecipientGroup group, RcptCommand rcpt) {
    group.taken(rcpt.to());
    kinds.add(group.remembered().kind());
  }

  /** The reply when a mail server was lost that had taken recipients; {@code null} when not. */
  @Nullable Reply lost() {
    for (RecipientGroup group : groups) {
      if (group.lost() != null && !group.recipients().isEmpty()) {
        return group.lost();
      }
    }
    return null;
  }

  /** Returns the groups that have recipients. */
  List<RecipientGroup> used() {
    return groups.stream().filter(group -> !group.recipients().isEmpty()).toList();
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.AnswerMemory.Hint;
import io.bloomgate.gateway.relay.AnswerMemory.Kind;
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
 * Which recipients of a transaction go together: those of one mail server in one transaction there,
 * those with remembered answers apart. Where the answers behind the final dot could differ, {@link
 * AnswerMemory} must be able to keep them; else, and where they would differ for sure, a recipient
 * is put off, and the client sends him a message of his own (RFC 5321 section 4.5.3.1.10). So is
 * one who needs another connection to the same server when none is free: who holds one shall not
 * wait for a second. Made by {@link MailTransaction}; used by one session's thread.
 */
final class RecipientGroups {

  /** Connections for one message. */
  private static final int MAX_GROUPS = 8;

  private final AnswerMemory memory;
  private final Upstream upstream;
  private final SessionUpstreams connections;
  private final MailCommand mail;
  private final AnswerMemory.Origin origin;
  private final IpAddress client;
  private final List<RecipientGroup> groups = new ArrayList<>(1);
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);

  /** The first with an answer who was put off, because others came before him. */
  private @Nullable ForwardPath answeredPutOff;

  /** Without recipients. */
  RecipientGroups(SessionState session, MailCommand mail) {
    this.memory = session.environment().answers();
    this.upstream = session.environment().upstream();
    this.connections = session.upstream();
    this.mail = mail;
    this.client = session.client().address();
    this.origin = AnswerMemory.Origin.of(client, mail.from());
  }

  /** A recipient's place in the transaction. */
  record Place(RecipientGroup group, Kind kind) {}

  /** Where he belongs; {@code null} when not into this transaction. */
  @Nullable Place of(RcptCommand rcpt) {
    Hint hint = memory.hint(origin, rcpt.to());
    boolean waits = memory.takeTurn(origin, rcpt.to());
    if (!agrees(hint.kind()) || (waits && hint.kind() == Kind.NEW)) {
      return putOff(rcpt, hint);
    }
    Upstream route = upstream.route(rcpt.to().domain());
    RecipientGroup group = find(route, hint.contents());
    boolean others = groups.stream().anyMatch(l -> l != group && !l.recipients().isEmpty());
    boolean companions = group != null && !group.recipients().isEmpty();
    if ((others || (companions && route.answersEach()))
        && !memory.usable(origin, recipients() + 1)) {
      return null;
    }
    if (group != null) {
      return new Place(group, hint.kind());
    }
    if (groups.size() == MAX_GROUPS) {
      return null;
    }
    boolean second = groups.stream().anyMatch(l -> l.route().equals(route) && l.mailSaid());
    if (second && !route.hasRoom(client)) {
      return putOff(rcpt, hint);
    }
    RecipientGroup fresh = new RecipientGroup(connections.next(), route, hint.contents());
    groups.add(fresh);
    return new Place(fresh, hint.kind());
  }

  private @Nullable Place putOff(RcptCommand rcpt, Hint hint) {
    if (hint.kind() != Kind.NEW && answeredPutOff == null) {
      answeredPutOff = rcpt.to();
    }
    return null;
  }

  /**
   * What waits to be tried again gets the answers that it got: a refusal goes with refusals only,
   * and what was taken no longer with what may be put off once more.
   */
  private boolean agrees(Kind kind) {
    return switch (kind) {
      case NEW -> !kinds.contains(Kind.REFUSED) && !kinds.contains(Kind.TRIED);
      case TAKEN -> !kinds.contains(Kind.REFUSED);
      case TRIED -> !kinds.contains(Kind.REFUSED) && !kinds.contains(Kind.NEW);
      case REFUSED -> kinds.isEmpty() || kinds.equals(EnumSet.of(Kind.REFUSED));
    };
  }

  private @Nullable RecipientGroup find(Upstream route, Set<AnswerMemory.Key> answered) {
    for (RecipientGroup group : groups) {
      if (group.route().equals(route) && group.answered().equals(answered)) {
        return group;
      }
    }
    return null;
  }

  /** Takes a recipient of whom the upstream shall not hear yet. */
  void defer(Place place, RcptCommand rcpt) {
    place.group().deferred().add(rcpt);
    taken(place, rcpt);
  }

  private int recipients() {
    return groups.stream().mapToInt(group -> group.recipients().size()).sum();
  }

  /** Whose mail it is, for {@link AnswerMemory}. */
  AnswerMemory.Origin origin() {
    return origin;
  }

  /** The first with an answer who had to wait for it, because others came before him. */
  @Nullable ForwardPath answeredPutOff() {
    return answeredPutOff;
  }

  /** How many upstreams have not heard of. */
  int deferred() {
    return groups.stream().mapToInt(group -> group.deferred().size()).sum();
  }

  /**
   * Says what one upstream has not heard of the envelope yet.
   *
   * @return its refusal of a recipient who heard 250, which is its word on the message then; {@code
   *     null} when it takes all
   */
  @Nullable Reply sayDeferred(RecipientGroup group, ClientIdentity client)
      throws UpstreamException {
    while (!group.deferred().isEmpty()) {
      Answer answer = say(group, client, group.deferred().removeFirst());
      if (!answer.reply().positive()) {
        return answer.reply();
      }
    }
    return null;
  }

  /** Asks the upstream for this recipient, and notes what it says of him or of MAIL. */
  Answer ask(Place place, ClientIdentity client, RcptCommand rcpt) throws UpstreamException {
    // Where others follow that it is asked about at once, it is asked about these before.
    Reply refusal = sayDeferred(place.group(), client);
    if (refusal != null) {
      throw UpstreamException.withdrawn(refusal);
    }
    Answer answer = say(place.group(), client, rcpt);
    if (answer.reply().positive()) {
      taken(place, rcpt);
    }
    return answer;
  }

  private Answer say(RecipientGroup group, ClientIdentity client, RcptCommand rcpt)
      throws UpstreamException {
    if (group.mailSaid()) {
      return group.connection().rcpt(rcpt);
    }
    SessionUpstream.Begun begun = group.connection().begin(client, mail, rcpt);
    if (begun.mailTaken()) {
      group.mailTaken();
    } else if (!begun.answer().own()) {
      group.mailRefused(begun.answer().reply());
    }
    return begun.answer();
  }

  private void taken(Place place, RcptCommand rcpt) {
    place.group().taken(rcpt.to());
    kinds.add(place.kind());
  }

  /** What to say when an upstream was lost that had taken recipients; {@code null} when not. */
  @Nullable Reply lost() {
    for (RecipientGroup group : groups) {
      if (group.lost() != null && !group.recipients().isEmpty()) {
        return group.lost();
      }
    }
    return null;
  }

  /** Those with recipients. */
  List<RecipientGroup> used() {
    return groups.stream().filter(group -> !group.recipients().isEmpty()).toList();
  }
}

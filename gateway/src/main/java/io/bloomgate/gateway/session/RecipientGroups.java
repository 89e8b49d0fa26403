package io.bloomgate.gateway.session;

import io.bloomgate.config.name.MailAddress;
import io.bloomgate.gateway.relay.AnswerHint;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Divides the recipients of a transaction into groups: those of one mail server in one transaction
 * there, those with remembered answers apart. Where the answers after the final dot could differ,
 * {@link AnswerMemory} must promise room for them, until {@link #close}. When it cannot, and when
 * the answers are certain to differ, a recipient is put off, and the client sends that recipient a
 * separate message (RFC 5321 section 4.5.3.1.10). A recipient is also put off who needs a second
 * connection when none is free: a session that holds one must not wait for another.
 *
 * <p>Holds the recipients that were answered 250, too, each once. The memory that they take counts
 * in the budget of content until {@link #close}: a client may name a thousand of them, with
 * parameters as long as a line, and then wait. Made by {@link MailTransaction}; used by one
 * session's thread.
 */
final class RecipientGroups {

  /** Connections for one message. */
  private static final int MAX_GROUPS = 8;

  /** Octets that a transaction may always have, however little memory is left. */
  static final int SMALL_ENVELOPE_OCTETS = 4 * 1024;

  /** Octets that the objects of one recipient take in addition to their texts. */
  private static final long OBJECT_OCTETS = 300;

  private final AnswerMemory memory;
  private final Upstream upstream;
  private final LongSupplier nanoTime;
  private final SessionControl connections;
  private final MailCommand mail;
  private final SessionClient client;
  private final SessionServices.Reporting reporting;
  private final ContentBudget budget;
  private final List<RecipientGroup> groups = new ArrayList<>(1);
  private final Set<String> texts = new LinkedHashSet<>(2);
  private long octets;

  /** The sender, with the room for answers that is promised; {@code null} until one matters. */
  private AnswerMemory.@Nullable Origin origin;

  /** The first recipient with a remembered answer that was put off because others came first. */
  private @Nullable String answeredPutOff;

  /** Starts without recipients. */
  RecipientGroups(Session session, MailCommand mail) {
    this.budget = session.contentBudget();
    this.memory = session.services().answers();
    this.upstream = session.services().upstream();
    this.nanoTime = session.services().nanoTime();
    this.connections = session.control();
    this.mail = mail;
    this.client = session.client();
    this.reporting = session.reporting();
  }

  /** Returns the group of the recipient; {@code null} when another transaction has to carry it. */
  @Nullable RecipientGroup of(RcptCommand rcpt) {
    boolean isNew = memory.isEmpty();
    AnswerHint hint = isNew ? null : memory.hint(origin(), rcpt.to());
    boolean waits = !isNew && memory.takeTurn(origin(), rcpt.to());
    if (!agrees(kind(hint)) || (waits && hint == null)) {
      return putOff(rcpt, hint);
    }
    Upstream route = upstream.route(rcpt.domain());
    RecipientGroup group = find(route, hint);
    boolean companions = group != null && group.isUsed();
    boolean others = used().size() > (companions ? 1 : 0);
    if ((others || (companions && route.answersEach()))
        && !memory.promise(origin(), recipients() + 1)) {
      return putOff(rcpt, hint);
    }
    if (group != null) {
      return group;
    }
    if (groups.size() == MAX_GROUPS) {
      return putOff(rcpt, hint);
    }
    if (!groups.isEmpty()
        && groups.stream().anyMatch(RecipientGroup::inTransaction)
        && !route.hasRoom(client.address())) {
      return putOff(rcpt, hint);
    }
    RecipientGroup fresh =
        new RecipientGroup(
            connections.nextConnection(upstream, nanoTime),
            route,
            hint,
            client.identity(),
            mail,
            reporting);
    groups.add(fresh);
    return fresh;
  }

  private @Nullable RecipientGroup putOff(RcptCommand rcpt, @Nullable AnswerHint hint) {
    if (hint != null && answeredPutOff == null) {
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
    if (groups.isEmpty()) {
      return true;
    }
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    used().forEach(group -> kinds.add(kind(group.remembered())));
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

  private static Kind kind(@Nullable AnswerHint hint) {
    return hint == null ? Kind.NEW : hint.kind();
  }

  private @Nullable RecipientGroup find(Upstream route, @Nullable AnswerHint remembered) {
    for (RecipientGroup group : groups) {
      if (group.route().equals(route) && Objects.equals(group.remembered(), remembered)) {
        return group;
      }
    }
    return null;
  }

  private int recipients() {
    return groups.stream().mapToInt(group -> group.recipients().size()).sum();
  }

  /** Returns the sender, with the room for answers that was promised at RCPT. */
  AnswerMemory.Origin origin() {
    AnswerMemory.Origin known = origin;
    if (known == null) {
      known = new AnswerMemory.Origin(client.address(), mail.from());
      origin = known;
    }
    return known;
  }

  /** The transaction is over, and keeps no memory. */
  void close() {
    if (origin != null) {
      memory.release(origin);
    }
    budget.give(octets);
    octets = 0;
  }

  /** The first recipient with a remembered answer that was put off because others came first. */
  @Nullable String answeredPutOff() {
    return answeredPutOff;
  }

  /** Returns the number of recipients that the mail servers were not asked about yet. */
  int deferred() {
    return groups.stream().mapToInt(RecipientGroup::deferred).sum();
  }

  /** The reply when a mail server was lost that had taken recipients; {@code null} when not. */
  @Nullable Reply lost() {
    for (RecipientGroup group : groups) {
      if (group.lost() != null && group.isUsed()) {
        return group.lost();
      }
    }
    return null;
  }

  /** Returns the groups that have recipients. */
  List<RecipientGroup> used() {
    List<RecipientGroup> used = new ArrayList<>(groups);
    used.removeIf(group -> !group.isUsed());
    return used;
  }

  // ---- recipients that were answered 250

  /** True when there is memory for one more. */
  boolean hasRoomFor(RcptCommand rcpt) {
    return octets + octetsOf(rcpt) <= SMALL_ENVELOPE_OCTETS || !budget.exhausted();
  }

  /**
   * True for one that was answered 250 already and is written as it was then: whether {@code Bob}
   * is {@code bob} is for the mail server to know.
   */
  boolean holds(RcptCommand rcpt) {
    return texts.contains(rcpt.to());
  }

  /** Notes a recipient that was answered 250. */
  void add(RcptCommand rcpt) {
    if (texts.add(rcpt.to())) {
      long more = octetsOf(rcpt);
      octets += more;
      budget.take(more);
    }
  }

  int size() {
    return texts.size();
  }

  /** Returns the texts as they were written, in the order in which they came. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** The first of them that are addresses; a bare {@code postmaster} is none. */
  List<MailAddress> firstAddresses(int most) {
    return texts.stream()
        .limit(most)
        .map(MailAddress::parse)
        .flatMap(parsed -> parsed.toOptional().stream())
        .toList();
  }

  /** Counts the path twice: it is kept in parts, too. */
  private static long octetsOf(RcptCommand rcpt) {
    return OBJECT_OCTETS
        + 2L * rcpt.to().length()
        + lengthOf(rcpt.orcpt())
        + lengthOf(rcpt.notifyOn());
  }

  private static int lengthOf(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession.MessageReply;
import io.bloomgate.gateway.relay.UpstreamSession.Source;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way to all mail servers that its recipients need, and the reply to the client:
 * the answer of the mail servers when they agree, else 451. Before 451 is sent, {@link
 * AnswerMemory} holds the answer to each recipient. A recipient whose answer to this content is
 * remembered is not offered it again. Used once, by one session's thread.
 */
final class MessageDelivery implements AutoCloseable {

  private final RecipientGroups recipients;
  private final LongSupplier nanoTime;
  private final Telemetry telemetry;
  private final AnswerMemory memory;
  private final List<ServerDelivery> parts = new ArrayList<>(1);
  private final @Nullable MessageDigest digest;

  /** The answers of mail servers to single recipients, now or before. */
  private final List<MessageReply> replies = new ArrayList<>(1);

  /** The recipient of each of them. */
  private final List<String> answered = new ArrayList<>(1);

  private AnswerMemory.@Nullable Key content;

  private final ContentBudget budget;
  private final SessionControl control;
  private final Upstream upstream;

  /** Nothing of the content was sent yet. */
  MessageDelivery(Session session, MailTransaction transaction) {
    this.recipients = transaction.recipients();
    this.nanoTime = session.services().nanoTime();
    this.telemetry = session.reporter().telemetry();
    SessionServices services = session.services();
    this.memory = services.answers();
    this.budget = session.contentBudget();
    this.control = session.control();
    this.upstream = services.upstream();
    List<RecipientGroup> groups = recipients.used();
    Appeal appeal =
        transaction.anyExempt()
            ? new Appeal(services.incidents(), session.client().address(), transaction::quotes)
            : null;
    for (RecipientGroup group : groups) {
      parts.add(new ServerDelivery(group, budget, telemetry, appeal));
    }
    this.digest = mayDiffer(groups) ? Fingerprint.sha256() : null;
  }

  /** True when recipients of this message may get different answers, now or by memory. */
  private static boolean mayDiffer(List<RecipientGroup> groups) {
    if (groups.isEmpty()) {
      return false;
    }
    RecipientGroup first = groups.getFirst();
    return groups.size() > 1
        || !first.answered().isEmpty()
        || (first.recipients().size() > 1 && first.route().answersEach());
  }

  // ---- while the client sends

  /** Content as the client sends it, without stuffed dots. */
  void received(byte[] octets, int offset, int length) {
    if (digest != null) {
      digest.update(octets, offset, length);
    }
  }

  /** Passes the head to all mail servers, as {@link ServerDelivery#head}. */
  void head(Supplier<byte[]> late) {
    parts.forEach(part -> part.head(late));
  }

  /** Takes content for the mail servers. */
  void put(byte[] octets, int offset, int length) {
    for (ServerDelivery part : parts) {
      part.put(octets, offset, length);
    }
  }

  /**
   * True while others wait for what this message takes: memory, or a connection to a mail server
   * that cannot be taken from it.
   */
  boolean isCrowded() {
    return budget.isUsedUp()
        || control.isMemoryFull()
        || (parts.stream().anyMatch(ServerDelivery::isStreamed) && upstream.isCrowded());
  }

  /** The message must not arrive: no mail server ever gets its final dot. */
  void abandon() {
    parts.forEach(ServerDelivery::abandon);
  }

  @Override
  public void close() {
    parts.forEach(ServerDelivery::close);
  }

  // ---- the end

  /**
   * Hands over what is left, with the final dot, awaits every answer, and counts how it went.
   *
   * @return the reply for the client
   */
  Reply verdict() {
    long sent = nanoTime.getAsLong();
    Reply reply = answers();
    Duration took = Duration.ofNanos(nanoTime.getAsLong() - sent);
    switch (outcome()) {
      case DELIVERED -> telemetry.downstream("accepted", took);
      case UPSTREAM_REFUSED -> telemetry.downstream("refused", took);
      case DROPPED -> {}
      default -> telemetry.downstream("failed", Duration.ZERO);
    }
    return reply;
  }

  private Reply answers() {
    if (parts.isEmpty()) {
      return Replies.OK;
    }
    if (digest != null) {
      content = memory.content(recipients.origin(), digest.digest());
    }
    List<ServerDelivery> asked = new ArrayList<>(parts.size());
    for (ServerDelivery part : parts) {
      if (content != null && part.group().answered().contains(content)) {
        part.abandon();
        recall(part.group(), content);
      } else {
        asked.add(part);
      }
    }
    asked.forEach(this::ask);
    leaveTurn();
    return isDiffering() ? differing() : common(replies.getFirst());
  }

  /** Recipients put off now must not always come first while one with an answer waits. */
  private void leaveTurn() {
    String answeredPutOff = recipients.answeredPutOff();
    if (answeredPutOff != null) {
      memory.putOff(recipients.origin(), answeredPutOff, recipients(each -> each.kind() == 4));
    }
  }

  /** Returns those who were answered like that. */
  private List<String> recipients(Predicate<MessageReply> like) {
    return IntStream.range(0, replies.size())
        .filter(i -> like.test(replies.get(i)))
        .mapToObj(answered::get)
        .toList();
  }

  private void add(String to, MessageReply reply) {
    answered.add(to);
    replies.add(reply);
  }

  private void recall(RecipientGroup group, AnswerMemory.Key of) {
    for (String to : group.recipients()) {
      // What was forgotten a moment ago is asked at the next try.
      Reply reply =
          memory.answer(recipients.origin(), to, of).orElse(Replies.NO_RECIPIENTS_FOR_NOW);
      add(to, new MessageReply(reply, Source.REMEMBERED));
    }
  }

  private void ask(ServerDelivery part) {
    List<String> its = part.group().recipients();
    try {
      List<MessageReply> answers = part.verdict();
      for (int i = 0; i < its.size(); i++) {
        add(its.get(i), answers.get(answers.size() == its.size() ? i : 0));
      }
    } catch (UpstreamException e) {
      Source source = e.outcomeUnknown() ? Source.UNKNOWN : Source.FAILED;
      its.forEach(to -> add(to, new MessageReply(e.reply(), source)));
    }
  }

  /**
   * The answer to all, with the lines of all replies of its code; an unknown outcome comes first.
   */
  private Reply common(MessageReply first) {
    if (replies.size() == 1) {
      return first.reply();
    }
    Reply chosen =
        replies.stream()
            .filter(each -> each.source() == Source.UNKNOWN)
            .findFirst()
            .orElse(first)
            .reply();
    List<String> lines =
        replies.stream()
            .map(MessageReply::reply)
            .filter(r -> r.code() == chosen.code() && r.enhanced().equals(chosen.enhanced()))
            .flatMap(r -> r.lines().stream())
            .distinct()
            .limit(Math.max(MAX_LINES, chosen.lines().size()))
            .toList();
    return new Reply(chosen.code(), chosen.enhanced(), lines);
  }

  /** Lines of a reply that joins several answers. */
  private static final int MAX_LINES = 20;

  private boolean isDiffering() {
    int kind = replies.getFirst().kind();
    return replies.size() > 1 && replies.stream().anyMatch(each -> each.kind() != kind);
  }

  /** The outcome of {@link #verdict}. */
  Outcome outcome() {
    if (replies.isEmpty()) {
      return Outcome.DROPPED;
    }
    boolean differing = isDiffering();
    if (!differing && replies.getFirst().reply().positive()) {
      return Outcome.DELIVERED;
    }
    if (any(Source.UNKNOWN)) {
      return Outcome.UNKNOWN;
    }
    return !differing && any(Source.FAILED) ? Outcome.UPSTREAM_FAILED : Outcome.UPSTREAM_REFUSED;
  }

  private boolean any(Source source) {
    return replies.stream().anyMatch(each -> each.source() == source);
  }

  private Reply differing() {
    boolean kept = remember();
    if (content != null && any(Source.REMEMBERED)) {
      memory.triedInVain(content);
    }
    int taken = (int) replies.stream().filter(each -> each.reply().positive()).count();
    return Replies.differingAnswers(taken, replies.size(), kept);
  }

  /** False when it failed, which is logged. */
  private boolean remember() {
    AnswerMemory.Key of = content;
    if (of == null) {
      return true;
    }
    Map<String, Reply> answers = new LinkedHashMap<>();
    for (int i = 0; i < replies.size(); i++) {
      MessageReply each = replies.get(i);
      if (each.source() == Source.NOW && each.kind() != 4) {
        answers.merge(answered.get(i), each.reply(), (a, b) -> a.positive() ? a : b);
      }
    }
    return memory.remember(recipients.origin(), of, answers);
  }

  /** The client got the reply of {@link #verdict}, or is gone and will try again. */
  void answered(Reply reply, boolean arrived) {
    AnswerMemory.Key of = content;
    if (of == null || reply.transientFailure()) {
      return;
    }
    if (arrived) {
      // What is remembered by now of the others is what a later try heard, while this one went on.
      memory.heard(recipients.origin(), of, recipients(each -> each.source() == Source.REMEMBERED));
    } else {
      // Whether this works or not, the client tries again; a failure is logged.
      boolean _ = remember();
    }
  }
}

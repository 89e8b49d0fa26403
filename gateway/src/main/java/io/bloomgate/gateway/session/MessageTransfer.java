package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.message.FieldSieve;
import io.bloomgate.gateway.message.HeadReader;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.ContentReader;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Carries one message from DATA to its verdict: head gathered and judged, trace fields put above
 * it, the rest handed to its {@link MessageDelivery}. The client gets 250 only after the mail
 * server sent it (promise P1). When anything is wrong the mail server never gets the final dot, and
 * the client's content is still read to its own final dot. Used once, by one session's thread.
 */
final class MessageTransfer implements ContentReader.Sink {

  /** Octets of its header that a message may always have, however little memory is left. */
  private static final int SMALL_HEAD_OCTETS = 16 * 1024;

  private final SessionState session;
  private final MailTransaction transaction;
  private final Settings.Limits limits;
  private final ContentBudget budget;
  private final MessageDelivery delivery;
  private final ContentPace pace;
  private @Nullable HeadReader head;
  private @Nullable FieldSieve sieve;
  private final String id;

  private long headOctets;
  private int removedFields;
  private boolean offered;
  private @Nullable Reply refusal;

  MessageTransfer(SessionState session, MailTransaction transaction) {
    this.session = session;
    this.transaction = transaction;
    this.limits = session.limits();
    this.budget = session.contentBudget();
    this.delivery = new MessageDelivery(session, transaction);
    this.pace = new ContentPace(limits, session.sessionEnd(), session.environment().nanoTime());
    this.head = new HeadReader(limits.headerSizeOctets());
    Judge.Ruling ruling = transaction.ruling();
    this.id =
        ruling == null || ruling.id().isEmpty() ? session.environment().ids().get() : ruling.id();
  }

  /**
   * Runs the whole transfer and answers the client.
   *
   * @throws IOException when the client is gone or too slow; the transaction was concluded then
   */
  void run() throws IOException {
    ContentReader content = contentReader();
    try (delivery) {
      session.own(Replies.START_CONTENT);
      finish(readContent(content), content.octets());
    } catch (RuntimeException | Error bug) {
      Outcome outcome = offered ? Outcome.UNKNOWN : Outcome.ABANDONED;
      transaction.conclude(id, outcome, Replies.INTERNAL_ERROR, content.octets());
      throw bug;
    } finally {
      forgetHead();
    }
  }

  /** It was sent or refused, and is not needed any more. */
  private void forgetHead() {
    head = null;
    budget.give(headOctets);
    headOctets = 0;
  }

  private ContentReader contentReader() {
    boolean normalize =
        session.environment().settings().policy().bareNewline()
            == Settings.Policy.BareNewline.NORMALIZE;
    return new ContentReader(
        session.wire().reader(), pace, limits.messageSizeOctets(), normalize, this);
  }

  private ContentReader.Result readContent(ContentReader content) throws IOException {
    WireReader reader = session.wire().reader();
    reader.expectContent();
    try {
      return content.read();
    } catch (IOException e) {
      delivery.abandon();
      Reply last = e instanceof ClientTimeout ? Replies.TIMEOUT : Replies.CLIENT_GONE;
      transaction.conclude(id, Outcome.ABANDONED, last, content.octets());
      throw e;
    } finally {
      reader.expectCommands();
    }
  }

  // ---- content on its way

  @Override
  public void accept(byte[] octets, int offset, int length) {
    delivery.received(octets, offset, length);
    if (refusal != null) {
      return;
    }
    HeadReader unsent = head;
    int taken = unsent == null ? 0 : takeHead(unsent, octets, offset, length);
    if (head == null && refusal == null) {
      passOn(octets, offset + taken, length - taken);
    }
  }

  private void passOn(byte[] octets, int offset, int length) {
    FieldSieve unsure = sieve;
    if (unsure == null || unsure.ended()) {
      deliver(octets, offset, length);
      return;
    }
    byte[] kept = unsure.pass(octets, offset, length);
    if (!tooManyHops(unsure.receivedFields())) {
      deliver(kept, 0, kept.length);
    }
  }

  /** The time of the mail server does not count as the client's: its dot may be here already. */
  private void deliver(byte[] octets, int offset, int length) {
    SessionControl control = session.control();
    long begin = session.environment().nanoTime().getAsLong();
    control.awaitsUpstream(true);
    try {
      delivery.put(octets, offset, length);
    } finally {
      long taken = session.environment().nanoTime().getAsLong() - begin;
      pace.exempt(taken);
      control.prolong(taken);
      control.awaitsUpstream(false);
    }
  }

  /** The mail server is released at once, without waiting for the client's dot. */
  @Override
  public void doomed() {
    delivery.abandon();
    forgetHead();
  }

  /** Gathers the head, and sends it once it is whole and passed. */
  private int takeHead(HeadReader unsent, byte[] octets, int offset, int length) {
    int taken = unsent.take(octets, offset, length);
    headOctets += taken;
    budget.take(taken);
    switch (unsent.state()) {
      case READING -> {
        if (headOctets > SMALL_HEAD_OCTETS && budget.exhausted()) {
          refuse(Replies.NO_MEMORY, Limit.HELD_CONTENT);
        }
      }
      case TOO_LARGE -> refuse(Replies.HEADER_TOO_LARGE, Limit.HEADER_SIZE);
      case COMPLETE -> sendHead(unsent);
    }
    return taken;
  }

  private void sendHead(HeadReader unsent) {
    MessageHead block = unsent.head();
    if (tooManyHops(block.receivedFields())) {
      return;
    }
    Judge.Ruling ruling = transaction.ruling();
    boolean tagged = ruling != null && ruling.tags();
    removedFields = block.removedFields(tagged);
    byte[] relayed = block.forRelay(OwnFields.of(session, transaction, id), tagged);
    sieve = block.sieve(tagged).orElse(null);
    forgetHead();
    deliver(relayed, 0, relayed.length);
  }

  private boolean tooManyHops(int receivedFields) {
    boolean tooMany = receivedFields > limits.hops();
    if (tooMany) {
      refuse(Replies.TOO_MANY_HOPS, Limit.HOPS);
    }
    return tooMany;
  }

  private void refuse(Reply reply, Limit limit) {
    refusal = reply;
    session.environment().telemetry().limitReached(limit);
    doomed();
  }

  // ---- the end

  private void finish(ContentReader.Result result, long octets) throws IOException {
    switch (result) {
      case ContentReader.Result.Malformed(String what, long line) ->
          answer(Answer.own(Replies.malformedContent(what, line)), Outcome.PROTOCOL, octets);
      case ContentReader.Result.TooLarge() -> {
        refuse(Replies.TOO_LARGE, Limit.MESSAGE_SIZE);
        answer(Answer.own(Replies.TOO_LARGE), Outcome.PROTOCOL, octets);
      }
      case ContentReader.Result.Complete(var ignored) -> finishWhole(octets);
    }
  }

  private void finishWhole(long octets) throws IOException {
    HeadReader unsent = head;
    if (unsent != null) {
      // Content that ended inside its header block.
      sendHead(unsent);
    }
    FieldSieve unsure = sieve;
    if (unsure != null && refusal == null) {
      byte[] rest = unsure.rest();
      deliver(rest, 0, rest.length);
      removedFields += unsure.removedFields();
    }
    if (removedFields > 0) {
      session.reporter().fieldsRemoved(id, removedFields);
    }
    if (refusal != null) {
      answer(Answer.own(refusal), Outcome.PROTOCOL, octets);
    } else {
      // The client has sent everything: no deadline of ours may cut the wait for the verdict.
      session.control().awaitsUpstream(true);
      try {
        awaitVerdict(octets);
      } finally {
        session.control().awaitsUpstream(false);
      }
    }
  }

  private void awaitVerdict(long octets) throws IOException {
    long sent = session.environment().nanoTime().getAsLong();
    offered = true;
    MessageDelivery.Result result = delivery.verdict();
    Duration took = Duration.ofNanos(session.environment().nanoTime().getAsLong() - sent);
    switch (result.outcome()) {
      case DELIVERED -> session.environment().telemetry().downstream("accepted", took);
      case UPSTREAM_REFUSED -> session.environment().telemetry().downstream("refused", took);
      default -> session.environment().telemetry().downstream("failed", Duration.ZERO);
    }
    boolean arrived = false;
    try {
      answer(Answer.relayed(result.reply()), result.outcome(), octets);
      arrived = true;
    } finally {
      delivery.answered(result, arrived);
    }
    if (result.outcome() == Outcome.DELIVERED) {
      session.tally().reset();
    }
  }

  /** Answers the client and then logs: a 250 that could not be sent is an unknown outcome. */
  private void answer(Answer answer, Outcome outcome, long octets) throws IOException {
    Reply sent = answer.own() ? session.judge().inMode(answer.reply()) : answer.reply();
    if (answer.own()) {
      session.ownKnown(sent);
    } else {
      session.relayed(sent);
    }
    try {
      session.wire().writer().flush();
    } catch (IOException e) {
      Outcome unsent = outcome == Outcome.DELIVERED ? Outcome.UNKNOWN : outcome;
      transaction.conclude(id, unsent, sent, octets);
      throw new ClientGone("while it was sent: " + sent);
    }
    transaction.conclude(id, outcome, sent, octets);
  }
}

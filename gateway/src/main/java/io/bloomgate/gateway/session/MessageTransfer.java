package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.message.FieldSieve;
import io.bloomgate.gateway.message.HeadReader;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.ContentReader;
import io.bloomgate.gateway.wire.WireReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
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
  private final ContentStage stage;
  private @Nullable HeadReader head;
  private @Nullable FieldSieve sieve;
  private final String id;

  /** The head, until the first mail server gets it, because it may have to report the content. */
  private @Nullable MessageHead waiting;

  private byte @Nullable [] relayedHead;

  /** What came below a malformed header line, until it is known whether forged marks have to go. */
  private @Nullable ByteArrayOutputStream unsifted;

  private long heldOctets;

  private long headOctets;
  private int removedFields;
  private boolean offered;
  private @Nullable Reply refusal;

  /** How the refusal is recorded. */
  private Outcome refused = Outcome.PROTOCOL;

  MessageTransfer(SessionState session, MailTransaction transaction) {
    this.session = session;
    this.transaction = transaction;
    this.limits = session.limits();
    this.budget = session.contentBudget();
    this.delivery = new MessageDelivery(session, transaction);
    this.pace =
        new ContentPace(
            limits, session.sessionEnd(), session.environment().nanoTime(), delivery::isCrowded);
    this.head = new HeadReader(limits.headerSizeOctets());
    Judge.Ruling ruling = transaction.ruling();
    this.id =
        ruling == null || ruling.id().isEmpty() ? session.environment().ids().get() : ruling.id();
    this.stage = new ContentStage(session, transaction, id);
  }

  /**
   * Runs the whole transfer and answers the client.
   *
   * @throws IOException when the client is gone or too slow; the transaction was concluded then
   */
  void run() throws IOException {
    ContentReader content = contentReader();
    try (stage;
        delivery) {
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

  private void forgetHead() {
    head = null;
    waiting = null;
    unsifted = null;
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
    boolean read = refusal == null || refused == Outcome.REFUSED; // whose copies are counted, too
    ContentStage.Refusal shown = read ? stage.put(octets, offset, length) : null;
    if (refusal != null || isRefused(shown)) {
      return;
    }
    HeadReader unsent = head;
    int taken = unsent == null ? 0 : takeHead(unsent, octets, offset, length);
    if (head == null && refusal == null) {
      passOn(octets, offset + taken, length - taken);
    }
  }

  /** True when the content refuses the message: the mail server gets no dot. */
  private boolean isRefused(ContentStage.@Nullable Refusal by) {
    if (by == null) {
      return false;
    }
    refusal = by.reply();
    refused = by.outcome();
    doomed();
    return true;
  }

  private void passOn(byte[] octets, int offset, int length) {
    if (unsifted != null) {
      holdBack(unsifted, octets, offset, length);
      return;
    }
    FieldSieve unsure = sieve;
    if (unsure == null || unsure.ended()) {
      passHeld(octets, offset, length);
      return;
    }
    byte[] kept = unsure.pass(octets, offset, length);
    if (!tooManyHops(unsure.receivedFields())) {
      passHeld(kept, 0, kept.length);
    }
  }

  private void holdBack(ByteArrayOutputStream held, byte[] octets, int offset, int length) {
    held.write(octets, offset, length);
    headOctets += length;
    budget.take(length);
    boolean mustGo = held.size() > OutgoingContent.HELD_OCTETS || budget.exhausted();
    if (mustGo && !isRefused(stage.soFar())) {
      sift(held);
    }
  }

  /** Makes the head, which settles whether the message is tagged, and passes on what waited. */
  private void sift(ByteArrayOutputStream held) {
    lateHead();
    passOn(held.toByteArray(), 0, held.size());
  }

  /**
   * What is about to be too large to be held is ruled on by what was read until now, before a mail
   * server gets the first octet.
   */
  private void passHeld(byte[] octets, int offset, int length) {
    heldOctets += length;
    if (waiting != null && heldOctets > OutgoingContent.HELD_OCTETS && isRefused(stage.soFar())) {
      return;
    }
    deliver(octets, offset, length);
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
    if (stage.isWanted()) {
      waiting = block;
      head = null;
      unsifted = block.sieve(false).isPresent() ? new ByteArrayOutputStream() : null;
      delivery.head(this::lateHead);
    } else {
      byte[] relayed = forRelay(block);
      forgetHead();
      deliver(relayed, 0, relayed.length);
    }
  }

  private byte[] forRelay(MessageHead block) {
    Judge.Ruling ruling = transaction.ruling();
    boolean tagged = ruling != null && ruling.tags();
    removedFields += block.removedFields(tagged);
    sieve = block.sieve(tagged).orElse(null);
    return block.forRelay(OwnFields.of(session, transaction, id), tagged);
  }

  /**
   * The head, made when the first mail server gets DATA: of a message that is held, all of the
   * content is known by then; of a larger one, what was read until now.
   */
  private byte[] lateHead() {
    MessageHead block = waiting;
    if (block != null) {
      stage.sendHead();
      relayedHead = forRelay(block);
      forgetHead();
    }
    return Objects.requireNonNull(relayedHead, "no mail server gets DATA before the head is read");
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
    if (refused == Outcome.REFUSED) {
      stage.countCopies();
    } else if (refusal == null && !isRefused(stage.whole())) {
      passRest();
    }
    if (refusal == null) {
      // The client has sent everything: no deadline of ours may cut the wait for the verdict.
      session.control().awaitsUpstream(true);
      try {
        awaitVerdict(octets);
      } finally {
        session.control().awaitsUpstream(false);
      }
    }
    if (refusal != null) {
      reportRemovedFields();
      answer(Answer.own(refusal), refused, octets);
    }
  }

  /** What waited for the end of the content. */
  private void passRest() {
    if (unsifted != null) {
      sift(unsifted);
    }
    FieldSieve unsure = sieve;
    if (unsure != null && refusal == null) {
      byte[] rest = unsure.rest();
      deliver(rest, 0, rest.length);
      removedFields += unsure.removedFields();
    }
  }

  private void reportRemovedFields() {
    if (removedFields > 0) {
      session.reporter().fieldsRemoved(id, removedFields);
    }
  }

  private void awaitVerdict(long octets) throws IOException {
    long sent = session.environment().nanoTime().getAsLong();
    offered = true;
    MessageDelivery.Result result = delivery.verdict();
    reportRemovedFields();
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
      transaction.conclude(recordId(), unsent, sent, octets);
      throw new ClientGone("while it was sent: " + sent);
    }
    transaction.conclude(recordId(), outcome, sent, octets);
  }

  /** The id of a refusal is in its reply; a message that is relayed has its own. */
  private String recordId() {
    Judge.Ruling ruling = transaction.ruling();
    return refused == Outcome.REFUSED && ruling != null ? ruling.id() : id;
  }
}

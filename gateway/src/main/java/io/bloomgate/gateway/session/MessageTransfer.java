package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.ContentReader;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries one message from DATA to its verdict: head gathered and judged, trace fields put above
 * it, the rest handed to its {@link MessageDelivery}. The client gets 250 only after the mail
 * server sent it (promise P1). When anything is wrong the mail server never gets the final dot, and
 * the client's content is still read to its own final dot. Used once, by one session's thread.
 *
 * <pre>
 *   GATHERED --whole--> WAITING --a mail server gets DATA--> SENT
 *   any --refusal--> REFUSED (the mail server is released, and the rest is dropped)
 * </pre>
 *
 * <p>GATHERED has {@code head}, WAITING has {@code waiting}, REFUSED has {@code refusal}, SENT none
 * of them.
 */
final class MessageTransfer implements ContentReader.Sink {

  /** Octets of its header that a message may always have, however little memory is left. */
  private static final int SMALL_HEAD_OCTETS = 16 * 1024;

  private final Session session;
  private final MailTransaction transaction;
  private final MessageDelivery delivery;
  private final ContentPace pace;
  private final ContentStage stage;
  private final @Nullable NoticedMail noticed;
  private @Nullable MessageHead head;
  private final String id;

  /** The head, until the first mail server gets it, because it may have to report the content. */
  private @Nullable MessageHead waiting;

  private byte @Nullable [] relayedHead;

  private long heldOctets;

  private long headOctets;
  private int removedFields;
  private boolean offered;
  private @Nullable Reply refusal;

  /** Outcome by which the refusal is recorded. */
  private Outcome refused = Outcome.PROTOCOL;

  MessageTransfer(Session session, MailTransaction transaction) {
    this.session = session;
    this.transaction = transaction;
    this.delivery = new MessageDelivery(session, transaction);
    this.pace =
        new ContentPace(
            session.limits(), session.end(), session.services().nanoTime(), delivery::isCrowded);
    this.head = new MessageHead(session.limits().headerSizeOctets());
    Ruling ruling = transaction.ruling();
    this.id = ruling == null || ruling.id().isEmpty() ? session.reporter().newId() : ruling.id();
    this.stage = new ContentStage(session, transaction, id);
    this.noticed = transaction.spam();
  }

  /**
   * Runs the whole transfer and answers the client.
   *
   * @throws IOException when the client is gone or too slow; the transaction was concluded then
   */
  void run() throws IOException {
    ContentReader content = contentReader();
    if (noticed != null) {
      noticed.begin();
    }
    try (stage;
        noticed;
        delivery) {
      session.dialog().own(Replies.START_CONTENT);
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
    session.contentBudget().give(headOctets);
    headOctets = 0;
  }

  private ContentReader contentReader() {
    return new ContentReader(
        session.dialog().wire().reader(),
        pace,
        session.limits().messageSizeOctets(),
        session.repairsLineEnds(),
        this);
  }

  private ContentReader.@Nullable Fault readContent(ContentReader content) throws IOException {
    WireReader reader = session.dialog().wire().reader();
    byte[] room = session.contentBudget().takeFirstBlock();
    reader.expectContent(room);
    try {
      return content.read();
    } catch (IOException e) {
      delivery.abandon();
      Reply last = SmtpConversation.lastReply(e);
      transaction.conclude(id, Outcome.ABANDONED, last, content.octets());
      throw e;
    } finally {
      reader.expectCommands();
      session.contentBudget().giveBlock(room);
    }
  }

  // ---- content on its way

  @Override
  public void accept(byte[] octets, int offset, int length) {
    delivery.received(octets, offset, length);
    if (noticed != null) {
      noticed.put(octets, offset, length);
    }
    if (refusal == null || refused == Outcome.REFUSED) { // whose copies are counted, too
      refuse(stage.put(octets, offset, length));
    }
    if (refusal != null) {
      return;
    }
    int taken = head == null ? 0 : takeHead(head, octets, offset, length);
    if (head == null && refusal == null) {
      passHeld(octets, offset + taken, length - taken);
    }
  }

  /** The content refuses the message, if anything does and did not before: no dot is sent. */
  private void refuse(ContentStage.@Nullable Refusal by) {
    if (by != null && refusal == null) {
      refusal = by.reply();
      refused = by.outcome();
      doomed();
    }
  }

  /**
   * Rules by what was read until now on a message that is about to be too large to be held, before
   * a mail server gets the first octet.
   */
  private void passHeld(byte[] octets, int offset, int length) {
    heldOctets += length;
    if (waiting != null && stage.isWanted() && heldOctets > OutgoingContent.HELD_OCTETS) {
      refuse(apart(stage::soFar));
    }
    if (refusal == null) {
      apart(() -> {
        delivery.put(octets, offset, length);
        return null;
      });
    }
  }

  /** The time that others take does not count as the client's: its dot may be here already. */
  private <T extends @Nullable Object> T apart(Supplier<T> work) {
    SessionControl control = session.control();
    long begin = session.services().nanoTime().getAsLong();
    control.awaitsUpstream(true);
    try {
      return work.get();
    } finally {
      long taken = session.services().nanoTime().getAsLong() - begin;
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
  private int takeHead(MessageHead unsent, byte[] octets, int offset, int length) {
    int taken = unsent.take(octets, offset, length);
    headOctets += taken;
    session.contentBudget().take(taken);
    switch (unsent.state()) {
      case READING -> {
        if (headOctets > SMALL_HEAD_OCTETS && session.contentBudget().exhausted()) {
          refuse(Replies.NO_MEMORY, Limit.HELD_CONTENT);
        }
      }
      case TOO_LARGE -> refuse(Replies.HEADER_TOO_LARGE, Limit.HEADER_SIZE);
      case COMPLETE -> sendHead(unsent);
    }
    return taken;
  }

  private void sendHead(MessageHead unsent) {
    unsent.end();
    transaction.messageId(unsent.messageId());
    countHops(unsent.receivedFields());
    if (refusal == null) {
      refuse(apart(() -> stage.header(unsent)));
    }
    if (refusal != null) {
      return;
    }
    waiting = unsent;
    head = null;
    delivery.head(this::lateHead);
  }

  private byte[] forRelay(MessageHead block) {
    Ruling ruling = transaction.ruling();
    boolean tagged = ruling != null && ruling.tags();
    removedFields += block.removedFields(tagged);
    return block.forRelay(ownFields(ruling), tagged);
  }

  /** The header fields that go above the message: Received, and those that report a verdict. */
  private byte[] ownFields(@Nullable Ruling ruling) {
    SessionClient client = session.client();
    boolean encrypted = session.dialog().wire().encrypted();
    byte[] fields =
        TraceHeaders.received(
            client.helo(),
            client.address(),
            session.hostname(),
            client.protocol(encrypted, transaction.mail().smtpUtf8()),
            id,
            transaction.recipients().size() == 1
                ? transaction.recipients().texts().getFirst()
                : null,
            session.services().clock().instant());
    if (ruling != null && (ruling.tags() || ruling.spared())) {
      fields = TraceHeaders.join(fields, verdictFields(ruling));
    }
    if (transaction.shown().isPartlyRead()) {
      fields = TraceHeaders.join(fields, TraceHeaders.partlyRead(id));
    }
    Bulk bulk = transaction.shown().bulk();
    return bulk == null ? fields : TraceHeaders.join(fields, TraceHeaders.bulk(bulk));
  }

  private byte[] verdictFields(Ruling ruling) {
    Ground ground = ruling.verdict().decidedBy();
    if (ground == null) {
      return new byte[0];
    }
    String source = ground instanceof Ground.Found exact ? exact.source() : "none";
    TraceHeaders.Finding finding =
        new TraceHeaders.Finding(ground.check().key(), ground.subject().toString(), source, id);
    return ruling.tags()
        ? TraceHeaders.tagged(finding)
        : TraceHeaders.observed(ruling.verdict().key(), finding);
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

  private void countHops(int receivedFields) {
    if (receivedFields > session.limits().hops()) {
      refuse(Replies.TOO_MANY_HOPS, Limit.HOPS);
    }
  }

  private void refuse(Reply reply, Limit limit) {
    refusal = reply;
    session.reporter().limitReached(limit);
    doomed();
  }

  private void finish(ContentReader.@Nullable Fault fault, long octets) throws IOException {
    switch (fault) {
      case ContentReader.Fault.Malformed(String what, long line) ->
          answerOwn(Replies.malformedContent(what, line), Outcome.PROTOCOL, octets);
      case ContentReader.Fault.TooLarge() -> {
        refuse(Replies.TOO_LARGE, Limit.MESSAGE_SIZE);
        answerOwn(Replies.TOO_LARGE, Outcome.PROTOCOL, octets);
      }
      case null -> {
        finishWhole(octets);
        if (noticed != null) {
          noticed.handOn(id, transaction.mail().from(), stage.trapped());
        }
      }
    }
  }

  private void finishWhole(long octets) throws IOException {
    if (head != null) {
      // Content that ended inside its header block.
      sendHead(head);
    }
    if (refused == Outcome.REFUSED) {
      stage.countCopies();
    } else if (refusal == null) {
      refuse(apart(stage::whole));
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
      answerOwn(refusal, refused, octets);
    }
  }

  private void reportRemovedFields() {
    if (removedFields > 0) {
      session.reporter().fieldsRemoved(id, removedFields);
    }
  }

  private void awaitVerdict(long octets) throws IOException {
    offered = true;
    Reply reply = delivery.verdict();
    Outcome outcome = delivery.outcome();
    reportRemovedFields();
    boolean arrived = false;
    try {
      answer(reply, outcome, octets);
      arrived = true;
    } finally {
      delivery.answered(reply, arrived);
    }
    if (outcome == Outcome.DELIVERED || outcome == Outcome.DROPPED) {
      session.dialog().accepted();
      if (noticed != null) {
        session.reporter().endedHere(id, noticed.endingHere());
      }
    }
  }

  private void answerOwn(Reply own, Outcome outcome, long octets) throws IOException {
    answer(session.judge().inMode(own), outcome, octets);
  }

  /** Answers the client and then logs: a 250 that could not be sent is an unknown outcome. */
  private void answer(Reply sent, Outcome outcome, long octets) throws IOException {
    session.dialog().logged(sent);
    try {
      session.dialog().wire().flush();
    } catch (IOException e) {
      Outcome unsent = outcome == Outcome.DELIVERED ? Outcome.UNKNOWN : outcome;
      transaction.conclude(recordId(), unsent, sent, octets);
      throw new ClientGone("while it was sent: " + sent);
    }
    transaction.conclude(recordId(), outcome, sent, octets);
  }

  /** The id of a refusal is in its reply; a message that is relayed has its own. */
  private String recordId() {
    Ruling ruling = transaction.ruling();
    return refused == Outcome.REFUSED && ruling != null ? ruling.id() : id;
  }
}

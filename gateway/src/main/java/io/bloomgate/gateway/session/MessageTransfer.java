package io.bloomgate.gateway.session;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.decision.Ground;
import io.bloomgate.gateway.decision.Verdict;
import io.bloomgate.gateway.message.HeadReader;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.observe.DecisionRecord.Outcome;
import io.bloomgate.gateway.observe.Limit;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Carries one message from DATA to its verdict: head gathered and judged, trace fields put above
 * it, the rest streamed. The client hears 250 only after the upstream said it (promise P1). When
 * anything is wrong the upstream is dropped before its final dot, and the client's content is read
 * to its own final dot all the same. Used once, by one session's thread.
 */
final class MessageTransfer implements ContentReader.Sink {

  private final Dialog dialog;
  private final MailTransaction transaction;
  private final UpstreamSession upstream;
  private final Settings.Limits limits;
  private final HeadReader head;
  private final String id;

  private boolean headSent;
  private @Nullable Reply refusal;
  private @Nullable UpstreamException failure;

  MessageTransfer(Dialog dialog, MailTransaction transaction) {
    this.dialog = dialog;
    this.transaction = transaction;
    this.upstream = dialog.upstream().open();
    this.limits = dialog.limits();
    this.head = new HeadReader(limits.headerSizeOctets());
    Judge.Ruling ruling = transaction.ruling();
    this.id =
        ruling == null || ruling.id().isEmpty() ? dialog.environment().ids().get() : ruling.id();
  }

  /**
   * Runs the whole transfer and answers the client.
   *
   * @throws IOException when the client is gone or too slow; the transaction was concluded then
   */
  void run() throws IOException {
    try {
      Reply ready = upstream.data();
      if (!ready.positive()) {
        answer(Answer.relayed(ready), Outcome.UPSTREAM_REFUSED, 0);
        return;
      }
    } catch (UpstreamException e) {
      failed(e, 0);
      return;
    }
    dialog.own(Replies.START_CONTENT);
    ContentReader content = contentReader();
    finish(readContent(content), content.octets());
  }

  private ContentReader contentReader() {
    boolean normalize =
        dialog.environment().settings().policy().bareNewline()
            == Settings.Policy.BareNewline.NORMALIZE;
    return new ContentReader(
        dialog.wire().reader(),
        new ContentPace(limits, dialog.sessionEnd(), dialog.environment().nanoTime()),
        limits.messageSizeOctets(),
        normalize,
        this);
  }

  private ContentReader.Result readContent(ContentReader content) throws IOException {
    WireReader reader = dialog.wire().reader();
    reader.expectContent();
    try {
      return content.read();
    } catch (IOException e) {
      dialog.upstream().discard();
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
    if (refusal != null || failure != null) {
      return;
    }
    int taken = 0;
    if (!headSent) {
      taken = head.take(octets, offset, length);
      switch (head.state()) {
        case READING -> {
          return;
        }
        case TOO_LARGE -> {
          refuse(Replies.HEADER_TOO_LARGE, Limit.HEADER_SIZE);
          return;
        }
        case COMPLETE -> sendHead();
      }
    }
    send(octets, offset + taken, length - taken);
  }

  private void sendHead() {
    headSent = true;
    MessageHead block = head.head();
    if (block.receivedFields() > limits.hops()) {
      refuse(Replies.TOO_MANY_HOPS, Limit.HOPS);
      return;
    }
    Judge.Ruling ruling = transaction.ruling();
    boolean tagged = ruling != null && ruling.tags();
    byte[] relayed = block.forRelay(ourFields(ruling), tagged);
    send(relayed, 0, relayed.length);
  }

  private byte[] ourFields(Judge.@Nullable Ruling ruling) {
    byte[] received = TraceHeaders.received(transmission());
    if (ruling == null || !(ruling.tags() || ruling.spared())) {
      return received;
    }
    byte[] verdict = verdictFields(ruling);
    byte[] both = new byte[verdict.length + received.length];
    System.arraycopy(received, 0, both, 0, received.length);
    System.arraycopy(verdict, 0, both, received.length, verdict.length);
    return both;
  }

  private TraceHeaders.Transmission transmission() {
    Greeting greeting = dialog.greeting();
    return new TraceHeaders.Transmission(
        greeting == null ? "" : greeting.name().text(),
        dialog.client().address(),
        dialog.hostname(),
        dialog.reporter().protocol(transaction.mail().parameters().smtpUtf8()),
        id,
        transaction.recipients().size() == 1 ? transaction.recipients().getFirst() : null,
        dialog.environment().clock().instant());
  }

  private byte[] verdictFields(Judge.Ruling ruling) {
    Verdict verdict = ruling.verdict();
    Ground ground = groundOf(verdict);
    if (ground == null) {
      return new byte[0];
    }
    String source = ground instanceof Ground.Exact exact ? exact.source() : "none";
    TraceHeaders.Finding finding =
        new TraceHeaders.Finding(ground.check().key(), ground.subject().toString(), source, id);
    return ruling.tags()
        ? TraceHeaders.tagged(finding)
        : TraceHeaders.observed(verdict.key(), finding);
  }

  private static @Nullable Ground groundOf(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accept ignored -> null;
      case Verdict.Tag tag -> tag.ground();
      case Verdict.Tempfail tempfail -> tempfail.ground();
      case Verdict.Reject reject -> reject.ground();
    };
  }

  private void send(byte[] octets, int offset, int length) {
    if (length == 0 || refusal != null || failure != null) {
      return;
    }
    try {
      upstream.content(octets, offset, length);
    } catch (UpstreamException e) {
      failure = e;
      dialog.upstream().discard();
    }
  }

  private void refuse(Reply reply, Limit limit) {
    refusal = reply;
    dialog.environment().telemetry().limitReached(limit);
    dialog.upstream().discard();
  }

  // ---- the end

  private void finish(ContentReader.Result result, long octets) throws IOException {
    switch (result) {
      case ContentReader.Result.Malformed(String what, long line) -> {
        dialog.upstream().discard();
        answer(Answer.own(Replies.malformedContent(what, line)), Outcome.PROTOCOL, octets);
      }
      case ContentReader.Result.TooLarge() -> {
        refuse(Replies.TOO_LARGE, Limit.MESSAGE_SIZE);
        answer(Answer.own(Replies.TOO_LARGE), Outcome.PROTOCOL, octets);
      }
      case ContentReader.Result.Complete(var ignored) -> finishWhole(octets);
    }
  }

  private void finishWhole(long octets) throws IOException {
    if (!headSent && refusal == null) {
      // Content that ended inside its header block.
      sendHead();
    }
    if (refusal != null) {
      answer(Answer.own(refusal), Outcome.PROTOCOL, octets);
    } else if (failure != null) {
      failed(failure, octets);
    } else {
      awaitVerdict(octets);
    }
  }

  private void awaitVerdict(long octets) throws IOException {
    long sent = dialog.environment().nanoTime().getAsLong();
    dialog.handle().awaitsVerdict(true);
    Reply verdict;
    try {
      verdict = upstream.endOfData();
    } catch (UpstreamException e) {
      failed(e, octets);
      return;
    } finally {
      dialog.handle().awaitsVerdict(false);
    }
    Duration took = Duration.ofNanos(dialog.environment().nanoTime().getAsLong() - sent);
    boolean taken = verdict.positive();
    dialog.environment().telemetry().downstream(taken ? "accepted" : "refused", took);
    dialog.upstream().concluded();
    answer(Answer.relayed(verdict), taken ? Outcome.DELIVERED : Outcome.UPSTREAM_REFUSED, octets);
    if (taken) {
      dialog.tally().forgive();
    }
  }

  private void failed(UpstreamException e, long octets) throws IOException {
    dialog.upstream().discard();
    dialog.environment().telemetry().downstream("failed", Duration.ZERO);
    Outcome outcome = e.outcomeUnknown() ? Outcome.UNKNOWN : Outcome.UPSTREAM_FAILED;
    answer(Answer.relayed(e.reply()), outcome, octets);
  }

  /** Tells the client and then the log: a 250 that could not be told is an unknown outcome. */
  private void answer(Answer answer, Outcome outcome, long octets) throws IOException {
    Reply spoken = answer.own() ? dialog.judge().inMode(answer.reply()) : answer.reply();
    dialog.say(answer);
    try {
      dialog.wire().writer().flush();
    } catch (IOException e) {
      Outcome untold = outcome == Outcome.DELIVERED ? Outcome.UNKNOWN : outcome;
      transaction.conclude(id, untold, spoken, octets);
      throw new ClientGone("while it was told: " + spoken);
    }
    transaction.conclude(id, outcome, spoken, octets);
  }
}

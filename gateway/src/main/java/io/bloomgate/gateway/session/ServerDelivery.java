package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.message.TraceHeaders;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession.MessageReply;
import io.bloomgate.gateway.relay.UpstreamSession.Source;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One mail server's side of one message. A message of up to {@link OutgoingContent#HELD_OCTETS} is
 * held until the client has sent it whole, so that a slow client keeps no mail server inside DATA.
 * A larger one is sent on as soon as no more may be held. The answer of the mail server to DATA is
 * then its answer to the message, because the client has got 354 already. Used once, by one
 * session's thread.
 */
final class ServerDelivery implements AutoCloseable {

  private final RecipientGroup group;
  private final Telemetry telemetry;
  private final @Nullable Appeal appeal;
  private final OutgoingContent content;
  private Supplier<byte[]> head = () -> NOTHING;
  private boolean begun;
  private boolean over;
  private @Nullable Reply refusal;
  private @Nullable UpstreamException failure;

  private static final byte[] NOTHING = {};

  /**
   * Nothing of the content was sent yet.
   *
   * @param appeal what this mail may be; {@code null} for mail without an exempt recipient
   */
  ServerDelivery(
      RecipientGroup group, ContentBudget budget, Telemetry telemetry, @Nullable Appeal appeal) {
    this.group = group;
    this.telemetry = telemetry;
    this.appeal = appeal;
    this.content = new OutgoingContent(budget);
  }

  /** Its recipients. */
  RecipientGroup group() {
    return group;
  }

  /**
   * The head of the message is made when DATA is sent, because it says what the content showed.
   *
   * @param late gives whole lines with CRLF; asked at most once
   */
  void head(Supplier<byte[]> late) {
    head = late;
  }

  /** Takes content; refusals and failures are reported by {@link #verdict}. */
  void put(byte[] octets, int offset, int length) {
    if (over || length == 0) {
      return;
    }
    if (begun) {
      send(octets, offset, length);
      return;
    }
    content.hold(octets, offset, length);
    if (content.mustGo()) {
      if (!content.large()) {
        telemetry.limitReached(Limit.HELD_CONTENT);
      }
      begin();
    }
  }

  /** True from DATA until it is over. */
  boolean isStreamed() {
    return begun && !over;
  }

  private void begin() {
    begun = true;
    content.putAbove(above());
    try {
      Reply refused = group.sendDeferred();
      Reply reply = refused == null ? group.data(content) : refused;
      if (!reply.positive()) {
        refusal = reply;
        end();
      }
    } catch (UpstreamException e) {
      fail(e);
    }
  }

  private byte[] above() {
    byte[] own = head.get();
    byte[] fields = appeal == null ? NOTHING : appeal.fields(own, content);
    return fields.length == 0 ? own : TraceHeaders.join(fields, own);
  }

  private void send(byte[] octets, int offset, int length) {
    try {
      group.content(octets, offset, length);
    } catch (UpstreamException e) {
      fail(e);
    }
  }

  private void fail(UpstreamException e) {
    failure = e;
    end();
  }

  /** Nothing more is sent; what is held is dropped. */
  private void end() {
    over = true;
    content.close();
  }

  /**
   * Hands over what is left, with the final dot.
   *
   * @return the mail server's answer to the message, or to DATA; one for all recipients, or one for
   *     each
   */
  List<MessageReply> verdict() throws UpstreamException {
    if (!begun) {
      begin();
    }
    if (failure != null) {
      throw failure;
    }
    return refusal != null ? List.of(new MessageReply(refusal, Source.NOW)) : group.endOfData();
  }

  /**
   * The message must not arrive: a mail server that is inside its content never gets the dot, and
   * one that has not got DATA is free for others while the client goes on sending.
   */
  void abandon() {
    if (!begun) {
      group.transactionOver();
    } else if (!over) {
      group.discard();
    }
    end();
  }

  @Override
  public void close() {
    content.close();
  }
}

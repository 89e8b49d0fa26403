package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession.MessageReply;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One upstream's side of one message. A message of up to {@link OutgoingContent#HELD_OCTETS} is
 * held until the client has sent it whole, so that one that trickles keeps no upstream inside DATA;
 * of a larger one the upstream hears as soon as no more may be held. Whatever it answers to DATA by
 * then is its word on the message, for the client has its 354 already. Used once, by one session's
 * thread.
 */
final class ServerDelivery implements AutoCloseable {

  private final SessionUpstream connection;
  private final Envelope envelope;
  private final Telemetry telemetry;
  private final OutgoingContent content;
  private boolean begun;
  private boolean over;
  private @Nullable Reply refusal;
  private @Nullable UpstreamException failure;

  /** What must go before DATA. */
  interface Envelope {
    /** Says what the upstream has not heard of it; its refusal, or {@code null}. */
    @Nullable Reply complete() throws UpstreamException;
  }

  /** The upstream has heard nothing yet of the content. */
  ServerDelivery(
      SessionUpstream connection, Envelope envelope, ContentBudget budget, Telemetry telemetry) {
    this.connection = connection;
    this.envelope = envelope;
    this.telemetry = telemetry;
    this.content = new OutgoingContent(budget);
  }

  /** Takes content; what the upstream says or fails to say of it is told by {@link #verdict}. */
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

  private void begin() {
    begun = true;
    try {
      Reply refused = envelope.complete();
      Reply reply = refused == null ? connection.data(content) : refused;
      if (!reply.positive()) {
        refusal = reply;
        end();
      }
    } catch (UpstreamException e) {
      fail(e);
    }
  }

  private void send(byte[] octets, int offset, int length) {
    try {
      connection.content(octets, offset, length);
    } catch (UpstreamException e) {
      fail(e);
    }
  }

  private void fail(UpstreamException e) {
    failure = e;
    end();
  }

  /** Nothing more is sent; what is held is of no use. */
  private void end() {
    over = true;
    content.close();
  }

  /**
   * Hands over what is left, with the final dot.
   *
   * @return the upstream's word on the message, be it that on DATA; one for all recipients, or one
   *     for each
   */
  List<MessageReply> verdict() throws UpstreamException {
    if (!begun) {
      begin();
    }
    if (failure != null) {
      throw failure;
    }
    return refusal != null ? List.of(new MessageReply(refusal, false)) : connection.endOfData();
  }

  /**
   * The message shall not arrive: an upstream that is inside its content never sees its dot, and
   * one that has not heard DATA is free for others while the client goes on sending.
   */
  void abandon() {
    if (!begun) {
      connection.transactionOver();
    } else if (!over) {
      connection.discard();
    }
    end();
  }

  @Override
  public void close() {
    content.close();
  }
}

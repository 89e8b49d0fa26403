package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.relay.ReplyReader.RawReply;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of one message on its way to the mail server, from 354 to the final dot. A mail
 * server may answer before the message is complete, and close the connection; that answer counts,
 * and no final dot is sent. Made by {@link UpstreamDialog} for each message, used on its session's
 * thread.
 */
final class ContentTransfer {

  private final UpstreamClient client;
  private final OutgoingContent held;
  private final Duration timeout;
  private @Nullable Reply earlyRefusal;
  private boolean ending;
  private boolean dotMayBeOut;

  /**
   * Nothing is sent yet.
   *
   * @param held octets that came before the 354, and the form of what follows
   * @param timeout for one write
   */
  ContentTransfer(UpstreamClient client, OutgoingContent held, Duration timeout) {
    this.client = client;
    this.held = held;
    this.timeout = timeout;
  }

  /** Sends what was held until now. */
  void begin() throws IOException {
    held.connect(this::send);
  }

  /** Sends more of the content. */
  void write(byte[] octets, int offset, int length) throws IOException {
    if (earlyRefusal != null) {
      // The answer is known; the rest of the message is not needed.
      return;
    }
    held.write(octets, offset, length);
  }

  /**
   * Ends the content with the final dot.
   *
   * @return the reply by which the mail server refused the message before the final dot, which is
   *     then not sent; {@code null} when there is none
   */
  @Nullable Reply finish() throws IOException {
    if (earlyRefusal == null) {
      ending = true;
      held.finish();
    }
    return earlyRefusal;
  }

  /** True when the mail server may have got the final dot, and so the message. */
  boolean dotMayBeOut() {
    return dotMayBeOut;
  }

  /** Sends a block, unless the mail server has answered before the message was complete. */
  private void send(byte[] octets, int offset, int length) throws IOException {
    if (earlyRefusal != null) {
      return;
    }
    if (client.replyPending()) {
      earlyRefusal = readEarlyRefusal();
      return;
    }
    dotMayBeOut = ending;
    try {
      client.write(timeout, octets, offset, length);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      earlyRefusal = readLastWord(e);
    }
  }

  private Reply readEarlyRefusal() throws IOException {
    RawReply raw = client.await(UpstreamDialog.LAST_REPLY);
    return UpstreamReplies.earlyRefusal(raw)
        .orElseThrow(() ->
            new ReplyReader.MalformedReplyException(
                "mail server answered inside the content with " + raw.forLog()));
  }

  /** The reply of a mail server that closed the connection while it got our content. */
  private Reply readLastWord(IOException writeFailure) throws IOException {
    try {
      Optional<Reply> refusal =
          UpstreamReplies.earlyRefusal(client.await(UpstreamDialog.LAST_REPLY));
      if (refusal.isPresent()) {
        return refusal.get();
      }
    } catch (IOException e) {
      writeFailure.addSuppressed(e);
    }
    throw writeFailure;
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;

/**
 * One answer of a mail server to one recipient of one message. Kept by {@link AnswerMemory}.
 * Immutable.
 *
 * @param place sender and recipient
 * @param content sender and content
 * @param expiresSeconds since 1970; not remembered from then on
 * @param reply 2xx or 5xx
 */
record RememberedAnswer(
    AnswerMemory.Key place, AnswerMemory.Key content, long expiresSeconds, Reply reply) {

  /** Characters of the text that are kept; enough to say which mailbox and why. */
  static final int MAX_TEXT = 300;

  /** Makes an answer with as much of the reply as is kept: one line. */
  static RememberedAnswer of(
      AnswerMemory.Key place, AnswerMemory.Key content, long expiresSeconds, Reply reply) {
    String text = reply.lines().getFirst();
    String kept = text.substring(0, Math.min(text.length(), MAX_TEXT));
    return new RememberedAnswer(
        place, content, expiresSeconds, Reply.of(reply.code(), reply.enhanced(), kept));
  }
}

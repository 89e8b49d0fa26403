package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Reply;

/**
 * A reply and whose it is. Immutable.
 *
 * @param own true for ours, which mode soft makes 4xx; the upstream's are passed on as they are
 */
record RecipientAnswer(Reply reply, boolean own) {

  static RecipientAnswer own(Reply reply) {
    return new RecipientAnswer(reply, true);
  }

  static RecipientAnswer relayed(Reply reply) {
    return new RecipientAnswer(reply, false);
  }
}

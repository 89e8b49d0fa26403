package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Reply;

/**
 * A reply and whose it is. Immutable.
 *
 * @param own true for ours, which mode soft makes 4xx; the upstream's are passed on as they are
 */
record Answer(Reply reply, boolean own) {

  static Answer own(Reply reply) {
    return new Answer(reply, true);
  }

  static Answer relayed(Reply reply) {
    return new Answer(reply, false);
  }
}

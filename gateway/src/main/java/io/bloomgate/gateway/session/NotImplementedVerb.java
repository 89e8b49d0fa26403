package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** AUTH and EXPN: known, and not for a gateway (RFC 5321 section 4.2.4). */
final class NotImplementedVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    session.own(Replies.NOT_IMPLEMENTED);
  }
}

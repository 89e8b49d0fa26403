package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** RSET, RFC 5321 section 4.1.1.5. */
final class RsetVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    if (!argument.isEmpty()) {
      session.own(Replies.NO_ARGUMENT);
      return;
    }
    session.resetTransaction();
    session.own(Replies.OK);
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** QUIT, RFC 5321 section 4.1.1.10. */
final class QuitVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    if (argument.isEmpty()) {
      session.farewell(Replies.BYE);
    } else {
      session.own(Replies.NO_ARGUMENT);
    }
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

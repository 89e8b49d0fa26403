package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** HELP, RFC 5321 section 4.1.1.8. */
final class HelpVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    session.own(Replies.HELP);
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

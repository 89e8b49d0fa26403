package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;

/** NOOP, RFC 5321 section 4.1.1.9: an argument is ignored. */
final class NoopVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    session.own(Replies.OK);
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

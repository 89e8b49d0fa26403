package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;

/** STARTTLS, RFC 3207. */
final class StartTlsVerb implements Verbs.Verb {

  @Override
  public void run(SessionState session, String argument) throws IOException {
    if (!argument.isEmpty()) {
      session.own(Replies.NO_ARGUMENT);
    } else if (session.wire().encrypted()) {
      session.own(Replies.TLS_ACTIVE);
    } else if (!session.environment().startTlsOffered()) {
      session.own(Replies.TLS_NOT_OFFERED);
    } else if (session.wire().reader().hasPending()) {
      // What a client sends in plain text behind STARTTLS must never be read as if it came under
      // TLS.
      session.answerAndEnd(Replies.TLS_INJECTION);
    } else {
      session.own(Replies.READY_FOR_TLS);
      session.wire().writer().flush();
      session.encrypted(TlsUpgrade.of(session));
    }
  }
}

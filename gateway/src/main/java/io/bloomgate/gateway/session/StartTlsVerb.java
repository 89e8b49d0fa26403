package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;

/** STARTTLS, RFC 3207. */
final class StartTlsVerb implements Verb {

  @Override
  public void run(SessionState dialog, String argument) throws IOException {
    if (!argument.isEmpty()) {
      dialog.own(Replies.NO_ARGUMENT);
    } else if (dialog.wire().encrypted()) {
      dialog.own(Replies.TLS_ACTIVE);
    } else if (!dialog.environment().startTlsOffered()) {
      dialog.own(Replies.TLS_NOT_OFFERED);
    } else if (dialog.wire().reader().hasPending()) {
      // What stands behind STARTTLS in plaintext must never count as said under TLS.
      dialog.farewell(Replies.TLS_INJECTION);
    } else {
      dialog.own(Replies.READY_FOR_TLS);
      dialog.wire().writer().flush();
      dialog.encrypted(TlsUpgrade.of(dialog));
    }
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Reply;

/** HELO, RFC 5321 section 4.1.1.1: greets a client that uses no extensions. */
final class HeloVerb implements Verb {

  @Override
  public void run(SessionState dialog, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> dialog.own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> {
        dialog.greeting(new ClientHello(name, false, UpstreamExtensions.NONE));
        dialog.own(Reply.of(250, "", dialog.hostname()));
      }
    }
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

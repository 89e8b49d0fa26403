package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Reply;

/** HELO, RFC 5321 section 4.1.1.1: greets a client that uses no extensions. */
final class HeloVerb implements Verb {

  @Override
  public void run(SessionState session, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> session.own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> {
        session.hello(new ClientHello(name, false, UpstreamExtensions.NONE));
        session.own(Reply.of(250, "", session.hostname()));
      }
    }
  }

  @Override
  public boolean allowedBeforeTls() {
    return true;
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import java.io.IOException;

/**
 * XCLIENT (Postfix's XCLIENT_README): a trusted peer names its own client. The conversation starts
 * over with a banner for that client, as in Postfix.
 */
final class XclientVerb implements Verbs.Verb {

  @Override
  public void run(SessionState session, String argument) throws IOException {
    if (!session.mayForward()) {
      session.own(Replies.UNKNOWN_COMMAND);
    } else if (session.transaction() != null) {
      session.own(Replies.NOT_IN_TRANSACTION);
    } else {
      switch (XclientCommand.parse(argument)) {
        case Argument.Invalid<XclientCommand>(Reply reply) -> refuse(session, reply);
        case Argument.Valid<XclientCommand>(XclientCommand named) -> take(session, named);
      }
    }
  }

  /** Who the client is stays unknown: a proxy that goes on must not pass for the client. */
  private static void refuse(SessionState session, Reply reply) throws IOException {
    ClientConnection old = session.client();
    session.client(new ClientConnection(false, old.address(), old.port(), old.destination()));
    session.own(reply);
  }

  private static void take(SessionState session, XclientCommand named) throws IOException {
    session.client(merged(session.client(), named));
    session.forgetHello();
    if (named.helo() != null && !named.helo().text().isEmpty()) {
      boolean extended = named.esmtp() == null || named.esmtp();
      session.hello(new SessionState.ClientHello(named.helo(), extended, UpstreamExtensions.NONE));
    }
    new ConnectStage(session).welcome();
  }

  /** Attributes that were not sent keep what was known. */
  private static ClientConnection merged(ClientConnection old, XclientCommand named) {
    return new ClientConnection(
        !named.addressUnknown() && (named.address() != null || old.known()),
        named.address() == null ? old.address() : named.address(),
        named.port() < 0 ? old.port() : named.port(),
        merged(old.destination(), named));
  }

  private static ClientConnection.Destination merged(
      ClientConnection.Destination old, XclientCommand named) {
    if (named.destination() == null && named.destinationPort() < 0) {
      return old;
    }
    return new ClientConnection.Destination.Reported(
        named.destination() == null ? old.address() : named.destination(),
        named.destinationPort() < 0 ? old.port() : named.destinationPort());
  }
}

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
        case Argument.Invalid<XclientCommand>(Reply reply) -> session.own(reply);
        case Argument.Valid<XclientCommand>(XclientCommand said) -> become(session, said);
      }
    }
  }

  private static void become(SessionState session, XclientCommand said) throws IOException {
    session.client(merged(session.client(), said));
    session.forgetHello();
    if (said.helo() != null && !said.helo().text().isEmpty()) {
      boolean extended = said.esmtp() == null || said.esmtp();
      session.hello(new SessionState.ClientHello(said.helo(), extended, UpstreamExtensions.NONE));
    }
    new ConnectStage(session).welcome();
  }

  /** Attributes that were not sent keep what was known. */
  private static ClientConnection merged(ClientConnection old, XclientCommand said) {
    return new ClientConnection(
        !said.addressUnknown() && (said.address() != null || old.known()),
        said.address() == null ? old.address() : said.address(),
        said.port() < 0 ? old.port() : said.port(),
        merged(old.destination(), said));
  }

  private static ClientConnection.Destination merged(
      ClientConnection.Destination old, XclientCommand said) {
    if (said.destination() == null && said.destinationPort() < 0) {
      return old;
    }
    return new ClientConnection.Destination.Reported(
        said.destination() == null ? old.address() : said.destination(),
        said.destinationPort() < 0 ? old.port() : said.destinationPort());
  }
}

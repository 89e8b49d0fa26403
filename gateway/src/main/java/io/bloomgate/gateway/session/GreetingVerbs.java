package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The verbs that say who the client is, and begin the dialog again: EHLO, HELO, STARTTLS, XCLIENT.
 * Rows of {@link Verbs}.
 */
final class GreetingVerbs {

  private GreetingVerbs() {}

  // ---- EHLO and HELO

  /** RFC 5321 section 4.1.1.1. */
  static void helo(Session session, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> session.dialog().own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> {
        session.greeted(new SessionClient.Hello(name, false, UpstreamExtensions.NONE));
        session.dialog().own(Reply.of(250, "", session.rules().settings().hostname()));
      }
    }
  }

  /**
   * The reply to EHLO names the extensions that the client may use. The gateway itself provides
   * PIPELINING, SIZE, STARTTLS, XCLIENT and ENHANCEDSTATUSCODES; the others are those that the mail
   * server offered last.
   */
  static void ehlo(Session session, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> session.dialog().own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> {
        UpstreamExtensions offered = session.services().relaying().upstream().lastExtensions();
        session.greeted(new SessionClient.Hello(name, true, offered));
        session.dialog().own(new Reply(250, "", keywords(session, offered)));
      }
    }
  }

  private static List<String> keywords(Session session, UpstreamExtensions offered) {
    List<String> lines = new ArrayList<>();
    lines.add(session.rules().settings().hostname());
    lines.add("PIPELINING");
    lines.add("SIZE " + offered.sizeLimit(session.limits().messageSizeOctets()));
    if (session.rules().startTlsOffered() && !session.dialog().wire().encrypted()) {
      lines.add("STARTTLS");
    }
    if (session.client().mayForward()) {
      lines.add("XCLIENT " + XclientCommand.ATTRIBUTES);
    }
    lines.add("ENHANCEDSTATUSCODES");
    if (offered.eightBitMime()) {
      lines.add("8BITMIME");
    }
    if (offered.smtpUtf8()) {
      lines.add("SMTPUTF8");
    }
    if (offered.dsn()) {
      lines.add("DSN");
    }
    return lines;
  }

  // ---- STARTTLS

  /** RFC 3207. */
  static void startTls(Session session, String argument) throws IOException {
    Dialog dialog = session.dialog();
    if (!argument.isEmpty()) {
      dialog.own(Replies.NO_ARGUMENT);
    } else if (dialog.wire().encrypted()) {
      dialog.own(Replies.TLS_ACTIVE);
    } else if (!session.rules().startTlsOffered()) {
      dialog.own(Replies.TLS_NOT_OFFERED);
    } else if (dialog.wire().reader().hasPending()) {
      // What a client sends in plain text behind STARTTLS must never be read as if it came under
      // TLS.
      dialog.answerAndEnd(Replies.TLS_INJECTION);
    } else if (session.control().isMemoryFull()) {
      session.reporter().limitReached(Limit.SESSIONS);
      dialog.answerAndEnd(Replies.TOO_MANY_SESSIONS);
    } else {
      dialog.own(Replies.READY_FOR_TLS);
      dialog.wire().writer().flush();
      session.encrypted(TlsUpgrade.of(session));
    }
  }

  // ---- XCLIENT

  /**
   * Postfix's XCLIENT_README: a trusted peer names its own client. The conversation starts over
   * with a banner for that client, as in Postfix.
   */
  static void xclient(Session session, String argument) throws IOException {
    if (!session.client().mayForward()) {
      session.dialog().own(Replies.UNKNOWN_COMMAND);
    } else if (session.transaction() != null) {
      session.dialog().own(Replies.NOT_IN_TRANSACTION);
    } else {
      switch (XclientCommand.parse(argument)) {
        case Argument.Invalid<XclientCommand>(Reply reply) -> refuse(session, reply);
        case Argument.Valid<XclientCommand>(XclientCommand named) -> take(session, named);
      }
    }
  }

  /** Refuses and leaves the client unknown: a proxy that goes on must not pass for the client. */
  private static void refuse(Session session, Reply reply) {
    ClientConnection old = session.client().connection();
    session.clientNamed(new ClientConnection(false, old.address(), old.port(), old.destination()));
    session.dialog().own(reply);
  }

  private static void take(Session session, XclientCommand named) throws IOException {
    session.clientNamed(merged(session.client().connection(), named));
    session.forgetHello();
    if (named.helo() != null && !named.helo().text().isEmpty()) {
      boolean extended = named.esmtp() == null || named.esmtp();
      session.greeted(new SessionClient.Hello(named.helo(), extended, UpstreamExtensions.NONE));
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

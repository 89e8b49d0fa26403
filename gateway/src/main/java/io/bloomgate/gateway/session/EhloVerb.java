package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * EHLO and HELO, RFC 5321 section 4.1.1.1. The reply to EHLO names the extensions that the client
 * may use. The gateway itself provides PIPELINING, SIZE, STARTTLS, XCLIENT and ENHANCEDSTATUSCODES;
 * the others are those that the mail server offered last (contract, section 4).
 */
final class EhloVerb implements Verbs.Verb {

  private final boolean extended;

  /**
   * One of the two.
   *
   * @param extended true for EHLO
   */
  EhloVerb(boolean extended) {
    this.extended = extended;
  }

  @Override
  public void run(SessionState session, String argument) {
    switch (HeloName.parse(argument)) {
      case Argument.Invalid<HeloName>(Reply reply) -> session.own(reply);
      case Argument.Valid<HeloName>(HeloName name) -> session.own(answer(session, name));
    }
  }

  private Reply answer(SessionState session, HeloName name) {
    if (!extended) {
      session.hello(new SessionState.ClientHello(name, false, UpstreamExtensions.NONE));
      return Reply.of(250, "", session.hostname());
    }
    UpstreamExtensions offered = session.environment().upstream().lastExtensions();
    session.hello(new SessionState.ClientHello(name, true, offered));
    return new Reply(250, "", keywords(session, offered));
  }

  private static List<String> keywords(SessionState session, UpstreamExtensions offered) {
    List<String> lines = new ArrayList<>();
    lines.add(session.hostname());
    lines.add("PIPELINING");
    long size = Extensions.sizeLimit(session.limits().messageSizeOctets(), offered);
    lines.add("SIZE " + size);
    if (session.environment().startTlsOffered() && !session.wire().encrypted()) {
      lines.add("STARTTLS");
    }
    if (session.mayForward()) {
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
}

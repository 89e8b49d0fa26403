package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.ArgumentException;
import io.bloomgate.gateway.smtp.CommandInput;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of all verbs, and those of them that are about the client and the dialog: EHLO, HELO,
 * STARTTLS, XCLIENT and those that take a line or two. Immutable and shared by all sessions; asked
 * by {@link SmtpConversation} on a session's thread.
 */
final class Verbs {

  /** RCPT is not one of the {@code commands} that the limits count. */
  static final String RCPT = "RCPT";

  private static final String BDAT = "BDAT";

  /**
   * Carries out one SMTP command and answers it. Stateless and shared by all sessions: what it
   * reads and changes is the {@link Session}.
   */
  @FunctionalInterface
  private interface Verb {

    /**
     * Carries it out.
     *
     * @param argument what followed the verb; empty for nothing
     * @throws ArgumentException for an argument that only has to be answered
     */
    void run(Session session, String argument) throws IOException, ArgumentException;
  }

  private static final Verb HTTP = Verbs::http;
  private static final Verb UNKNOWN =
      (session, argument) -> session.dialog().own(Replies.UNKNOWN_COMMAND);
  private static final Verb NOT_IMPLEMENTED =
      (session, argument) -> session.dialog().own(Replies.NOT_IMPLEMENTED);

  private static final Map<String, Verb> TABLE =
      Map.ofEntries(
          Map.entry("EHLO", Verbs::ehlo),
          Map.entry("HELO", Verbs::helo),
          Map.entry("STARTTLS", Verbs::startTls),
          Map.entry("XCLIENT", Verbs::xclient),
          Map.entry("NOOP", (session, argument) -> session.dialog().own(Replies.OK)),
          Map.entry("HELP", (session, argument) -> session.dialog().own(Replies.HELP)),
          Map.entry("RSET", Verbs::rset),
          Map.entry("QUIT", (session, argument) -> session.dialog().answerAndEnd(Replies.BYE)),
          Map.entry("MAIL", EnvelopeVerbs::mail),
          Map.entry(RCPT, EnvelopeVerbs::rcpt),
          Map.entry("DATA", EnvelopeVerbs::data),
          Map.entry(BDAT, EnvelopeVerbs::bdat),
          Map.entry("VRFY", Verbs::vrfy),
          // Known, and not for a gateway (RFC 5321 section 4.2.4).
          Map.entry("AUTH", NOT_IMPLEMENTED),
          Map.entry("EXPN", NOT_IMPLEMENTED),
          Map.entry("GET", HTTP),
          Map.entry("HEAD", HTTP),
          Map.entry("POST", HTTP),
          Map.entry("PUT", HTTP),
          Map.entry("PATCH", HTTP),
          Map.entry("DELETE", HTTP),
          Map.entry("OPTIONS", HTTP),
          Map.entry("CONNECT", HTTP));

  /** Verbs that wait for TLS where TLS is required (RFC 3207 section 4). */
  private static final Set<String> UNDER_TLS =
      Set.of("MAIL", RCPT, "DATA", BDAT, "VRFY", "AUTH", "EXPN");

  private Verbs() {}

  /**
   * Carries out a line, or answers that it cannot be.
   *
   * @param tlsMissing TLS is required and has not begun
   */
  static void run(Session session, CommandInput.Line command, boolean tlsMissing)
      throws IOException {
    Verb known = TABLE.get(command.verb());
    Verb verb = known != null ? known : isHttpRequest(command.text()) ? HTTP : UNKNOWN;
    try {
      if (!tlsMissing || !UNDER_TLS.contains(command.verb())) {
        verb.run(session, command.argument());
        return;
      }
      session.dialog().own(Replies.TLS_REQUIRED);
      if (command.verb().equals(BDAT)) {
        // The client sends the chunk without waiting for the reply.
        EnvelopeVerbs.discardChunk(session, command.argument());
      }
    } catch (ArgumentException e) {
      session.dialog().own(e.reply());
    }
  }

  /** True for EHLO and HELO. */
  static boolean isGreeting(CommandInput.Line command) {
    return command.verb().equals("EHLO") || command.verb().equals("HELO");
  }

  /** True for a line that ends as a request line of HTTP does, whatever its method. */
  private static boolean isHttpRequest(String line) {
    int version = line.lastIndexOf(' ') + 1;
    return version > 0 && line.startsWith("HTTP/", version);
  }

  /** RFC 5321 section 4.1.1.5. */
  private static void rset(Session session, String argument) {
    if (!argument.isEmpty()) {
      session.dialog().own(Replies.NO_ARGUMENT);
      return;
    }
    session.resetTransaction();
    session.dialog().own(Replies.OK);
  }

  /** RFC 5321 sections 3.5.3 and 7.3: a collector of addresses learns nothing. */
  private static void vrfy(Session session, String argument) {
    session
        .dialog()
        .own(argument.isEmpty() ? Replies.syntax("Syntax: VRFY address") : Replies.CANNOT_VERIFY);
  }

  /**
   * A request line of HTTP (RFC 9112 section 3): an attacker made a browser or another program send
   * it here. The attacker has chosen what follows, which may be a whole SMTP dialog. So the session
   * ends before that is read, unless a recipient waits for its message.
   */
  private static void http(Session session, String argument) {
    if (session.owesDelivery()) {
      session.dialog().own(Replies.UNKNOWN_COMMAND);
    } else {
      session.reporter().limitReached(Limit.NOT_SMTP);
      session.dialog().answerAndEnd(Replies.NOT_SMTP);
    }
  }

  // ---- EHLO and HELO

  /** RFC 5321 section 4.1.1.1. */
  static void helo(Session session, String argument) throws ArgumentException {
    HeloName name = HeloName.parse(argument);
    session.greeted(name, false, UpstreamExtensions.NONE);
    session.dialog().own(Reply.of(250, "", session.services().settings().hostname()));
  }

  /**
   * The reply to EHLO names the extensions that the client may use. The gateway itself provides
   * PIPELINING, SIZE, STARTTLS, XCLIENT and ENHANCEDSTATUSCODES; the others are those that the mail
   * server offered last.
   */
  static void ehlo(Session session, String argument) throws ArgumentException {
    HeloName name = HeloName.parse(argument);
    UpstreamExtensions offered = session.services().upstream().lastExtensions();
    session.greeted(name, true, offered);
    session.dialog().own(new Reply(250, "", keywords(session, offered)));
  }

  private static List<String> keywords(Session session, UpstreamExtensions offered) {
    List<String> lines = new ArrayList<>();
    lines.add(session.services().settings().hostname());
    lines.add("PIPELINING");
    lines.add("SIZE " + offered.sizeLimit(session.limits().messageSizeOctets()));
    if (session.services().startTlsOffered() && !session.dialog().wire().encrypted()) {
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
    } else if (!session.services().startTlsOffered()) {
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
      dialog.wire().flush();
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
      XclientCommand named;
      try {
        named = XclientCommand.parse(argument);
      } catch (ArgumentException e) {
        refuse(session, e.reply());
        return;
      }
      take(session, named);
    }
  }

  /** Refuses and leaves the client unknown: a proxy that goes on must not pass for the client. */
  private static void refuse(Session session, Reply reply) {
    session.clientNamed(session.client().identity(), false);
    session.dialog().own(reply);
  }

  private static void take(Session session, XclientCommand named) throws IOException {
    SessionClient client = session.client();
    boolean known = !named.addressUnknown() && (named.address() != null || client.isKnown());
    session.clientNamed(merged(client.identity(), named), known);
    session.forgetHello();
    if (named.helo() != null && !named.helo().text().isEmpty()) {
      boolean extended = named.esmtp() == null || named.esmtp();
      session.greeted(named.helo(), extended, UpstreamExtensions.NONE);
    }
    new ConnectStage(session).welcome();
  }

  /** Attributes that were not sent keep what was known. */
  private static ClientIdentity merged(ClientIdentity old, XclientCommand named) {
    return new ClientIdentity(
        named.address() == null ? old.address() : named.address(),
        named.port() < 0 ? old.port() : named.port(),
        old.helo(),
        old.esmtp(),
        named.destination() == null ? old.destination() : named.destination(),
        named.destinationPort() < 0 ? old.destinationPort() : named.destinationPort());
  }
}

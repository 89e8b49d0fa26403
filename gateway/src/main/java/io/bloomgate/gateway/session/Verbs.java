package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.CommandLine;
import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of all verbs, and those of them that take a line or two. Immutable and shared by all
 * sessions; asked by {@link SmtpConversation} on a session's thread.
 */
final class Verbs {

  /** RCPT is not one of the {@code commands} that the limits count. */
  static final String RCPT = "RCPT";

  /**
   * Carries out one SMTP command and answers it. Stateless and shared by all sessions: what it
   * reads and changes is the {@link Session}.
   */
  @FunctionalInterface
  interface Verb {

    /**
     * Carries it out.
     *
     * @param argument what followed the verb; empty for nothing
     */
    void run(Session session, String argument) throws IOException;
  }

  /**
   * A row of the table.
   *
   * @param beforeTls true when RFC 3207 section 4 allows the verb before TLS where TLS is required
   * @param discardRest reads and drops what a client sends behind the command without waiting for
   *     the reply, where the command may not be carried out
   */
  record Row(Verb verb, boolean beforeTls, Verb discardRest) {

    Row(Verb verb, boolean beforeTls) {
      this(verb, beforeTls, (session, argument) -> {});
    }
  }

  private static final Row HTTP = new Row(Verbs::http, true);
  private static final Row NOT_IMPLEMENTED =
      new Row((session, argument) -> session.dialog().own(Replies.NOT_IMPLEMENTED), false);

  private static final Map<String, Row> TABLE =
      Map.ofEntries(
          beforeTls("EHLO", GreetingVerbs::ehlo),
          beforeTls("HELO", GreetingVerbs::helo),
          beforeTls("STARTTLS", GreetingVerbs::startTls),
          beforeTls("XCLIENT", GreetingVerbs::xclient),
          beforeTls("NOOP", (session, argument) -> session.dialog().own(Replies.OK)),
          beforeTls("HELP", (session, argument) -> session.dialog().own(Replies.HELP)),
          beforeTls("RSET", Verbs::rset),
          beforeTls("QUIT", (session, argument) -> session.dialog().answerAndEnd(Replies.BYE)),
          underTls("MAIL", EnvelopeVerbs::mail),
          underTls(RCPT, EnvelopeVerbs::rcpt),
          underTls("DATA", EnvelopeVerbs::data),
          Map.entry("BDAT", new Row(EnvelopeVerbs::bdat, false, EnvelopeVerbs::discardChunk)),
          underTls("VRFY", Verbs::vrfy),
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

  private Verbs() {}

  /**
   * The row of a line; {@code null} for an unknown verb.
   *
   * @param name its first word, in upper case
   */
  static @Nullable Row of(String name, String line) {
    Row row = TABLE.get(name);
    return row == null && isHttpRequest(line) ? HTTP : row;
  }

  /** True for EHLO and HELO. */
  static boolean isGreeting(CommandLine command) {
    return command.verb().equals("EHLO") || command.verb().equals("HELO");
  }

  private static Map.Entry<String, Row> beforeTls(String name, Verb verb) {
    return Map.entry(name, new Row(verb, true));
  }

  private static Map.Entry<String, Row> underTls(String name, Verb verb) {
    return Map.entry(name, new Row(verb, false));
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
}

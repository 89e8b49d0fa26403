package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of all verbs, and those of them that take a line or two. Immutable and shared by all
 * sessions; asked by {@link SmtpConversation} on a session's thread.
 */
final class Verbs {

  /** RCPT is not one of the {@code commands} that the limits count (contract, section 2). */
  static final String RCPT = "RCPT";

  /**
   * Carries out one SMTP command. Stateless and shared by all sessions: what it reads and changes
   * is the {@link SessionState}.
   */
  @FunctionalInterface
  interface Verb {

    /**
     * Carries the command out and answers it.
     *
     * @param argument what followed the verb; empty for nothing
     */
    void run(SessionState session, String argument) throws IOException;

    /**
     * Reads and drops what a client sends behind the command without waiting for the reply. Called
     * in place of {@link #run} where the command may not be carried out.
     */
    default void discardRest(SessionState session, String argument) throws IOException {}
  }

  /**
   * A row of the table.
   *
   * @param beforeTls true when RFC 3207 section 4 allows the verb before TLS where TLS is required
   */
  record Row(Verb verb, boolean beforeTls) {}

  private static final Row HTTP = new Row(Verbs::http, true);
  private static final Row NOT_IMPLEMENTED =
      new Row((session, argument) -> session.own(Replies.NOT_IMPLEMENTED), false);

  private static final Map<String, Row> TABLE =
      Map.ofEntries(
          beforeTls("EHLO", new EhloVerb(true)),
          beforeTls("HELO", new EhloVerb(false)),
          beforeTls("STARTTLS", new StartTlsVerb()),
          beforeTls("XCLIENT", new XclientVerb()),
          beforeTls("NOOP", (session, argument) -> session.own(Replies.OK)),
          beforeTls("HELP", (session, argument) -> session.own(Replies.HELP)),
          beforeTls("RSET", Verbs::rset),
          beforeTls("QUIT", Verbs::quit),
          underTls("MAIL", new MailVerb()),
          underTls(RCPT, new RcptVerb()),
          underTls("DATA", new DataVerb()),
          underTls("BDAT", new BdatVerb()),
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
  private static void rset(SessionState session, String argument) {
    if (!argument.isEmpty()) {
      session.own(Replies.NO_ARGUMENT);
      return;
    }
    session.resetTransaction();
    session.own(Replies.OK);
  }

  /** RFC 5321 section 4.1.1.10. */
  private static void quit(SessionState session, String argument) {
    if (argument.isEmpty()) {
      session.answerAndEnd(Replies.BYE);
    } else {
      session.own(Replies.NO_ARGUMENT);
    }
  }

  /** RFC 5321 sections 3.5.3 and 7.3: a collector of addresses learns nothing. */
  private static void vrfy(SessionState session, String argument) {
    session.own(
        argument.isEmpty() ? Replies.syntax("Syntax: VRFY address") : Replies.CANNOT_VERIFY);
  }

  /**
   * A request line of HTTP (RFC 9112 section 3): an attacker made a browser or another program send
   * it here. The attacker has chosen what follows, which may be a whole SMTP dialog. So the session
   * ends before that is read, unless a recipient waits for its message.
   */
  private static void http(SessionState session, String argument) {
    if (session.owesDelivery()) {
      session.own(Replies.UNKNOWN_COMMAND);
    } else {
      session.environment().telemetry().limitReached(Limit.NOT_SMTP);
      session.answerAndEnd(Replies.NOT_SMTP);
    }
  }
}

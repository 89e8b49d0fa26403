package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.session.DecisionReporter.Attempt;
import io.bloomgate.gateway.smtp.ArgumentException;
import io.bloomgate.gateway.smtp.CommandInput;
import io.bloomgate.gateway.smtp.HeloName;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.XclientCommand;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of all verbs, and what each of them does. Immutable and shared by all sessions; asked
 * by {@link SmtpConversation} on a session's thread.
 */
final class Verbs {

  private static final Logger LOG = LoggerFactory.getLogger(Verbs.class);

  /** RFC 3030 section 2; a chunk with more digits would last longer than any session. */
  private static final Pattern CHUNK =
      Pattern.compile("([0-9]{1,15})(?:[ \t]+LAST)?", Pattern.CASE_INSENSITIVE);

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
          Map.entry("STARTTLS", TlsUpgrade::startTls),
          Map.entry("XCLIENT", ConnectStage::xclient),
          Map.entry("NOOP", (session, argument) -> session.dialog().own(Replies.OK)),
          Map.entry("HELP", (session, argument) -> session.dialog().own(Replies.HELP)),
          Map.entry("RSET", Verbs::rset),
          Map.entry("QUIT", (session, argument) -> session.dialog().answerAndEnd(Replies.BYE)),
          Map.entry("MAIL", Verbs::mail),
          Map.entry(RCPT, Verbs::rcpt),
          Map.entry("DATA", Verbs::data),
          Map.entry(BDAT, Verbs::bdat),
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
        discardChunk(session, command.argument());
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
  private static void helo(Session session, String argument) throws ArgumentException {
    HeloName name = HeloName.parse(argument);
    session.greeted(name, false, UpstreamExtensions.NONE);
    session.dialog().own(Reply.of(250, "", session.hostname()));
  }

  /**
   * The reply to EHLO names the extensions that the client may use. The gateway itself provides
   * PIPELINING, SIZE, STARTTLS, XCLIENT and ENHANCEDSTATUSCODES; the others are those that the mail
   * server offered last.
   */
  private static void ehlo(Session session, String argument) throws ArgumentException {
    HeloName name = HeloName.parse(argument);
    UpstreamExtensions offered = session.services().upstream().lastExtensions();
    session.greeted(name, true, offered);
    session.dialog().own(new Reply(250, "", keywords(session, offered)));
  }

  private static List<String> keywords(Session session, UpstreamExtensions offered) {
    List<String> lines = new ArrayList<>();
    lines.add(session.hostname());
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

  // ---- MAIL

  /** RFC 5321 section 4.1.1.2: begins a transaction. */
  private static void mail(Session session, String argument) {
    Dialog dialog = session.dialog();
    if (session.client().hello() == null) {
      dialog.own(Replies.HELO_FIRST);
    } else if (session.transaction() != null) {
      dialog.own(Replies.NESTED_MAIL);
    } else if (!session.client().isKnown()) {
      warnOfProxy(session);
      dialog.own(Replies.CLIENT_UNKNOWN, attempt(MailCommand.pathOf(argument), false));
    } else {
      try {
        begin(session, MailCommand.parse(argument));
      } catch (ArgumentException e) {
        dialog.own(e.reply(), attempt(MailCommand.pathOf(argument), false));
      }
    }
  }

  private static void begin(Session session, MailCommand mail) {
    UpstreamExtensions offered = session.client().offered();
    if (offered.lacking(mail) != null) {
      refuse(session, mail, Replies.UNKNOWN_PARAMETER);
      return;
    }
    // RFC 1870 section 6.1.
    if (mail.sizeOctets() > offered.sizeLimit(session.limits().messageSizeOctets())) {
      session.reporter().limitReached(Limit.MESSAGE_SIZE);
      refuse(session, mail, Replies.TOO_LARGE);
      return;
    }
    Facts facts = session.client().factsOf(mail);
    Limit rate = session.judge().beyondRate(facts);
    if (rate != null) {
      session.reporter().limitReached(rate);
      refuse(session, mail, tooMuch(rate));
      return;
    }
    session.begin(new MailTransaction(session, mail, facts));
    session.dialog().own(Replies.SENDER_OK);
  }

  private static void refuse(Session session, MailCommand mail, Reply reply) {
    session.dialog().own(reply, attempt(mail.from(), mail.smtpUtf8()));
  }

  /** A fault of the site: the mail of all senders waits until somebody sees it. */
  private static void warnOfProxy(Session session) {
    session
        .reporting()
        .unnamedPeers()
        .say(more ->
            LOG.warn(
                "{} sends mail and names no client (PROXY UNKNOWN or LOCAL, or a bad XCLIENT): it"
                    + " gets 451; let it send the client's address{}",
                session.client().peer(),
                more));
  }

  private static Attempt attempt(@Nullable String from, boolean smtpUtf8) {
    return new Attempt(Stage.MAIL, from, List.of(), smtpUtf8, null);
  }

  private static Reply tooMuch(Limit rate) {
    return rate == Limit.NETWORK_RATE
        ? Replies.TOO_MUCH_FROM_NETWORK
        : Replies.TOO_MUCH_FROM_CLIENT;
  }

  // ---- RCPT

  /** RFC 5321 section 4.1.1.3: by default the command whose reply is the verdict. */
  private static void rcpt(Session session, String argument) {
    MailTransaction transaction = session.transaction();
    if (transaction == null) {
      session.dialog().own(Replies.MAIL_FIRST);
      return;
    }
    try {
      RcptCommand rcpt = RcptCommand.parse(argument, transaction.mail().smtpUtf8());
      boolean offered = session.client().offered().lacking(rcpt) == null;
      Reply sent =
          offered ? transaction.rcpt(rcpt) : session.judge().inMode(Replies.UNKNOWN_PARAMETER);
      session.dialog().sent(sent, sent.positive() ? null : attempt(transaction, rcpt.to()));
    } catch (ArgumentException e) {
      session.dialog().own(e.reply(), attempt(transaction, RcptCommand.pathOf(argument)));
    }
  }

  private static Attempt attempt(MailTransaction open, @Nullable String to) {
    return open.at(Stage.RCPT, to == null ? List.of() : List.of(to));
  }

  // ---- DATA

  /** RFC 5321 section 4.1.1.4: hands the message over, and ends the transaction. */
  private static void data(Session session, String argument) throws IOException {
    MailTransaction transaction = session.transaction();
    if (!argument.isEmpty()) {
      session.dialog().own(Replies.NO_ARGUMENT);
    } else if (transaction == null) {
      session.dialog().own(Replies.MAIL_FIRST);
    } else if (!transaction.hasRecipients()) {
      session.dialog().own(withoutRecipients(transaction));
    } else {
      transfer(session, transaction);
    }
  }

  /**
   * RFC 5321 section 3.3 answers 503 or 554. Where a recipient was put off with 4xx, the client
   * must try again, so neither of them is right.
   */
  private static Reply withoutRecipients(MailTransaction transaction) {
    if (transaction.anyPutOff()) {
      return Replies.NO_RECIPIENTS_FOR_NOW;
    }
    return transaction.anyAsked() ? Replies.NO_VALID_RECIPIENTS : Replies.RCPT_FIRST;
  }

  private static void transfer(Session session, MailTransaction transaction) throws IOException {
    try {
      Reply lost = transaction.recipients().lost();
      if (lost != null) {
        session.dialog().logged(lost);
      } else if (session.control().isMemoryFull()) {
        session.reporter().limitReached(Limit.HELD_CONTENT);
        session.dialog().own(Replies.NO_MEMORY);
      } else {
        session.dialog().content();
        new MessageTransfer(session, transaction).run();
      }
    } finally {
      session.resetTransaction();
    }
  }

  // ---- BDAT

  /**
   * RFC 3030: not offered and never accepted. The client sends the chunk without waiting for the
   * reply, so the chunk is read and dropped: if its lines were run as commands, a message could be
   * smuggled in them.
   */
  private static void bdat(Session session, String argument) throws IOException {
    session.dialog().own(Replies.NOT_IMPLEMENTED);
    discardChunk(session, argument);
  }

  /**
   * Reads and drops the chunk. When its size cannot be read, nobody knows where the next command
   * begins, and the session ends.
   */
  private static void discardChunk(Session session, String argument) throws IOException {
    Matcher chunk = CHUNK.matcher(argument);
    if (chunk.matches()) {
      discard(session, Long.parseLong(chunk.group(1)));
      return;
    }
    MailTransaction open = session.transaction();
    if (open != null) {
      open.abandon(Replies.NO_CHUNK_SIZE);
    }
    session.dialog().answerAndEnd(Replies.NO_CHUNK_SIZE);
  }

  /**
   * A chunk is content, so the same limits of pace apply; but it brings the client no further, so
   * all of it counts as one wait for a command.
   */
  private static void discard(Session session, long octets) throws IOException {
    WireReader wire = session.dialog().wire().reader();
    LongSupplier nanoTime = session.services().nanoTime();
    ContentPace pace = new ContentPace(session.limits(), session.end(), nanoTime, () -> false);
    session.control().commandBegins(nanoTime.getAsLong());
    try {
      long left = octets - wire.skip(octets);
      while (left > 0) {
        pace.fill(wire);
        left -= wire.skip(left);
      }
    } finally {
      session.control().commandEnds(nanoTime.getAsLong());
    }
  }
}

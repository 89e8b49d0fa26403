package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.session.DecisionReporter.Attempt;
import io.bloomgate.gateway.smtp.ArgumentException;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ContentPace;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verbs of a transaction: MAIL, RCPT, DATA, BDAT. Rows of {@link Verbs}. */
final class EnvelopeVerbs {

  private static final Logger LOG = LoggerFactory.getLogger(EnvelopeVerbs.class);

  /** RFC 3030 section 2; a chunk with more digits would last longer than any session. */
  private static final Pattern CHUNK =
      Pattern.compile("([0-9]{1,15})(?:[ \t]+LAST)?", Pattern.CASE_INSENSITIVE);

  private EnvelopeVerbs() {}

  // ---- MAIL

  /** RFC 5321 section 4.1.1.2: begins a transaction. */
  static void mail(Session session, String argument) {
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
  static void rcpt(Session session, String argument) {
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
  static void data(Session session, String argument) throws IOException {
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
  static void bdat(Session session, String argument) throws IOException {
    session.dialog().own(Replies.NOT_IMPLEMENTED);
    discardChunk(session, argument);
  }

  /**
   * Reads and drops the chunk. When its size cannot be read, nobody knows where the next command
   * begins, and the session ends.
   */
  static void discardChunk(Session session, String argument) throws IOException {
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
    ContentPace pace =
        new ContentPace(
            session.limits(), session.end(), session.services().nanoTime(), () -> false);
    LongSupplier nanoTime = session.services().nanoTime();
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

package io.bloomgate.gateway.session;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.CommandInput;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.Deadline;
import io.bloomgate.gateway.wire.WireReader;
import java.io.IOException;
import java.time.Duration;

/**
 * The conversation with one client, from its first octet to the last reply. Called by {@link
 * SubethaListener} on the session's thread. The loop here reads lines, keeps the limits and finds
 * the verb; what a verb does is in its own class.
 *
 * <pre>
 *   accepted --[PROXY header]--> limits --[early talker: 554]--> listed? --554--> REFUSED (503, QUIT)
 *                                                                  |                   | 10 s
 *                                                                  | 220               v
 *                                                                  v                  end
 *          +---------------------- STARTTLS, XCLIENT ------------ CONNECTED
 *          |                                                       | HELO, EHLO
 *          v                                                       v
 *      CONNECTED                    +-- RSET, HELO, EHLO -------> GREETED &lt;---------------+
 *                                   |                              | MAIL                  |
 *                                   |                              v                       |
 *                                   +---------------------------- MAIL                     |
 *                                   |                              | RCPT 250 (refused: stays)
 *                                   |                              v                       |
 *                                   +---------------------------- RCPT  (further RCPT)     |
 *                                                                  | DATA 354              |
 *                                                                  v                       |
 *                                                                CONTENT --CRLF.CRLF-------+
 *   QUIT ends anywhere between commands; 421 ends anywhere a reply is allowed.
 * </pre>
 */
final class SmtpConversation {

  /** Time that a client that was refused at connect may take to send QUIT. */
  private static final Duration REFUSED_TIME = Duration.ofSeconds(10);

  private final Session session;
  private final Dialog dialog;
  private final SessionRegistry registry;
  private final Settings.Limits limits;
  private final boolean requiresTls;

  SmtpConversation(Session session, SessionRegistry registry) {
    this.session = session;
    this.dialog = session.dialog();
    this.registry = registry;
    this.limits = session.limits();
    this.requiresTls =
        session.services().listener().tls() == Settings.Listener.StartTls.STARTTLS_REQUIRED;
  }

  /**
   * Runs it to its end. All replies are sent then, unless the client is gone.
   *
   * @param admitted false when {@code max_sessions} are there already
   */
  void run(boolean admitted) throws IOException {
    try {
      new ConnectStage(session).run(admitted, registry.draining());
      while (!dialog.ended()) {
        if (dialog.refused()) {
          // At once, or after XCLIENT named a client that is listed.
          refuseCommands();
        } else {
          answerNextCommand();
        }
      }
      dialog.wire().flush();
    } catch (ClientTimeout e) {
      session.reporter().limitReached(e.limit());
      Reply reply = lastReply(e);
      abandon(reply);
      dialog.answerAndEnd(reply);
      dialog.wire().flush();
    } catch (IOException e) {
      countIfOverdue();
      abandon(Replies.CLIENT_GONE);
      throw e;
    } catch (RuntimeException | Error bug) {
      abandon(Replies.INTERNAL_ERROR);
      throw bug;
    } finally {
      session.control().discardConnections();
      session.resetTransaction();
    }
  }

  /** The last reply to a client that can be heard no more, or whose wait was ended. */
  static Reply lastReply(IOException why) {
    if (!(why instanceof ClientTimeout ended)) {
      return Replies.CLIENT_GONE;
    }
    return switch (ended.limit()) {
      case MIN_DATA_RATE -> Replies.TOO_SLOW;
      case TLS_RECORDS -> Replies.TLS_RECORDS;
      case SESSIONS -> Replies.TOO_MANY_SESSIONS;
      default -> Replies.TIMEOUT;
    };
  }

  /** A client that takes no replies, or makes no handshake, gets no reply; it is counted. */
  private void countIfOverdue() {
    Limit limit = session.control().closedFor();
    if (limit != null) {
      session.reporter().limitReached(limit);
    }
  }

  private void abandon(Reply reply) {
    MailTransaction open = session.transaction();
    if (open != null) {
      open.abandon(reply);
    }
  }

  private void refuseCommands() throws IOException {
    WireReader reader = dialog.wire().reader();
    Deadline deadline = session.within(REFUSED_TIME.toNanos(), Limit.COMMAND_TIMEOUT);
    while (!dialog.ended()) {
      try {
        CommandInput input = reader.readLine(deadline, limits.commandLineOctets());
        if (input instanceof CommandInput.Line line && isQuit(line)) {
          dialog.answerAndEnd(Replies.BYE);
        } else {
          dialog.logged(session.judge().inMode(Replies.REFUSED_AT_CONNECT));
        }
      } catch (ClientTimeout e) {
        dialog.end();
      }
    }
  }

  private static boolean isQuit(CommandInput.Line command) {
    return command.verb().equals("QUIT");
  }

  private void answerNextCommand() throws IOException {
    SessionControl control = session.control();
    control.commandBegins(session.services().nanoTime().getAsLong());
    if (!awaitCommand()) {
      dialog.answerAndEnd(Replies.SHUTTING_DOWN);
      return;
    }
    long time = limits.commandTimeout().toNanos();
    Deadline deadline = session.within(time, Limit.COMMAND_TIMEOUT);
    CommandInput input = dialog.wire().reader().readLine(deadline, limits.commandLineOctets());
    control.commandEnds(session.services().nanoTime().getAsLong());
    answer(input);
    if (dialog.further(session.stage())) {
      control.progressed();
    }
  }

  private void answer(CommandInput input) throws IOException {
    switch (input) {
      case CommandInput.Line line -> answer(line);
      case CommandInput.TooLong() -> {
        session.reporter().limitReached(Limit.COMMAND_LINE);
        malformed(Replies.LINE_TOO_LONG);
      }
      case CommandInput.BareLineEnd() -> malformed(Replies.BARE_LINE_END);
      case CommandInput.NotUtf8(CommandInput.Line line) -> {
        // The name of a computer in the code page of its Windows: it is only compared with lists.
        if (Verbs.isGreeting(line)) {
          answer(line);
        } else {
          malformed(Replies.BAD_CHARACTERS);
        }
      }
      case CommandInput.BadCharacters() -> malformed(Replies.BAD_CHARACTERS);
    }
  }

  /**
   * Waits for input; false when the gateway shuts down and no recipient of this client waits for a
   * message.
   */
  private boolean awaitCommand() throws IOException {
    WireReader reader = dialog.wire().reader();
    boolean dismissible = !session.owesDelivery();
    if (dismissible && registry.draining()) {
      return false;
    }
    if (reader.buffered() > 0) {
      return true;
    }
    Deadline deadline = session.within(limits.commandTimeout().toNanos(), Limit.COMMAND_TIMEOUT);
    dialog.wire().flush();
    if (!dismissible) {
      reader.awaitInput(deadline);
      return true;
    }
    return awaitIdle(reader, deadline);
  }

  private boolean awaitIdle(WireReader reader, Deadline deadline) throws IOException {
    SessionControl control = session.control();
    control.idleBegins();
    // A drain that began just before found this session busy and passed over it.
    if (registry.draining()) {
      control.dismissIfIdle();
    }
    try {
      reader.awaitInput(deadline);
    } catch (ClientGone e) {
      if (control.idleEnds()) {
        throw e;
      }
      return false;
    }
    return control.idleEnds();
  }

  private void malformed(Reply reply) {
    dialog.command();
    if (!cut(false)) {
      dialog.own(reply);
    }
  }

  private void answer(CommandInput.Line command) throws IOException {
    if (command.verb().isEmpty()) {
      malformed(Replies.UNKNOWN_COMMAND);
      return;
    }
    if (!command.verb().equals(Verbs.RCPT)) {
      dialog.command();
    }
    if (cut(isQuit(command))) {
      return;
    }
    Verbs.run(session, command, requiresTls && !dialog.wire().encrypted());
  }

  /**
   * Ends the session of a client that went on too long without a message, but never while one of
   * its recipients waits for one.
   */
  private boolean cut(boolean quit) {
    Limit passed = dialog.passed(limits);
    if (quit || session.owesDelivery() || passed == null) {
      return false;
    }
    session.reporter().limitReached(passed);
    dialog.answerAndEnd(
        passed == Limit.ERRORS ? Replies.TOO_MANY_ERRORS : Replies.TOO_MANY_COMMANDS);
    return true;
  }
}

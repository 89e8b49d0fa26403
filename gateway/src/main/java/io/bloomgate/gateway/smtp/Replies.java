package io.bloomgate.gateway.smtp;

import java.util.Set;

/**
 * The replies of the protocol itself. Texts say what is wrong and how to fix it; enhanced codes are
 * those of RFC 3463 and its registry. List verdicts are worded in {@link VerdictReplies} only.
 */
public final class Replies {

  private static final int MAX_CAUSE_CHARACTERS = 200;

  // ---- success

  public static final Reply OK = Reply.of(250, "2.0.0", "Ok");
  public static final Reply SENDER_OK = Reply.of(250, "2.1.0", "Ok");

  /** Reply for a recipient whom the mail server is asked about later. */
  public static final Reply RECIPIENT_OK = Reply.of(250, "2.1.5", "Ok");

  /** RFC 5321 section 4.1.1.4; RFC 2034 wants no enhanced code with 3xx. */
  public static final Reply START_CONTENT = Reply.of(354, "", "End data with <CR><LF>.<CR><LF>");

  public static final Reply BYE = Reply.of(221, "2.0.0", "Bye");

  /** RFC 5321 section 3.5.3: the reply of a server that does not verify. */
  public static final Reply CANNOT_VERIFY =
      Reply.of(252, "2.0.0", "Cannot verify, but will take mail for known recipients");

  public static final Reply HELP =
      Reply.of(214, "2.0.0", "Commands: HELO EHLO MAIL RCPT DATA RSET NOOP VRFY STARTTLS QUIT");

  /** RFC 3207 section 4. */
  public static final Reply READY_FOR_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");

  // ---- syntax and order, RFC 5321 section 4.2.4

  public static final Reply UNKNOWN_COMMAND = Reply.of(500, "5.5.1", "Command not recognized");
  public static final Reply LINE_TOO_LONG = Reply.of(500, "5.5.2", "Command line too long");
  public static final Reply BARE_LINE_END =
      Reply.of(500, "5.5.2", "Command line ends without <CR><LF>");
  public static final Reply BAD_CHARACTERS =
      Reply.of(500, "5.5.2", "Command line holds control characters or invalid UTF-8");
  public static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");
  public static final Reply NO_ARGUMENT = Reply.of(501, "5.5.4", "This command takes no argument");
  public static final Reply HELO_FIRST = Reply.of(503, "5.5.1", "Send HELO or EHLO first");
  public static final Reply NESTED_MAIL =
      Reply.of(503, "5.5.1", "Sender already given; send RSET to start over");
  public static final Reply MAIL_FIRST = Reply.of(503, "5.5.1", "Send MAIL first");
  public static final Reply RCPT_FIRST = Reply.of(503, "5.5.1", "Send RCPT first");
  public static final Reply NO_VALID_RECIPIENTS = Reply.of(554, "5.5.1", "No valid recipients");

  /** Reply to DATA when a recipient was refused for now; else the client gives the message up. */
  public static final Reply NO_RECIPIENTS_FOR_NOW =
      Reply.of(451, "4.3.0", "No recipient could be taken now; try again later");

  public static final Reply NOT_IN_TRANSACTION =
      Reply.of(503, "5.5.1", "Not possible within a mail transaction; send RSET first");
  public static final Reply UNKNOWN_PARAMETER =
      Reply.of(555, "5.5.4", "Parameter not recognized or not offered");

  // ---- addresses

  public static final Reply RELAY_TRICK =
      Reply.of(550, "5.1.3", "Recipient address with source route, literal, %, ! or quoted @");

  /** RFC 3463 section 3.2. */
  public static final Reply NO_DOMAIN_NAME =
      Reply.of(550, "5.1.3", "Domain of the recipient is not a domain name");

  /** RFC 6531 section 3.5. */
  public static final Reply ADDRESS_NEEDS_SMTPUTF8 =
      Reply.of(553, "5.6.7", "Address is not ASCII, and MAIL had no SMTPUTF8");

  /** Reply when the connection to the mail server lacks what MAIL used; RFC 6531 section 3.5. */
  public static final Reply UPSTREAM_LACKS_SMTPUTF8 =
      Reply.of(550, "5.6.7", "SMTPUTF8 is not supported by the next server");

  /** RFC 6152 section 3. */
  public static final Reply UPSTREAM_LACKS_8BITMIME =
      Reply.of(554, "5.6.3", "8BITMIME is not supported by the next server");

  /** RFC 3461 section 4. */
  public static final Reply UPSTREAM_LACKS_DSN =
      Reply.of(555, "5.5.4", "DSN parameters are not supported by the next server");

  /**
   * True for one of these three, as an object: a gateway behind this one may say the same of the
   * server behind it.
   */
  @SuppressWarnings("ReferenceEquality")
  public static boolean isLack(Reply reply) {
    return reply == UPSTREAM_LACKS_SMTPUTF8
        || reply == UPSTREAM_LACKS_8BITMIME
        || reply == UPSTREAM_LACKS_DSN;
  }

  /** RFC 3463 section 3.4: the system is not set up rightly, which mail can wait out. */
  public static final Reply CLIENT_UNKNOWN =
      Reply.of(451, "4.3.5", "The proxy in front named no client address; try again later");

  // ---- TLS

  /** RFC 3207 section 4. */
  public static final Reply TLS_REQUIRED = Reply.of(530, "5.7.0", "Send STARTTLS first");

  public static final Reply TLS_NOT_OFFERED = Reply.of(502, "5.5.1", "STARTTLS is not offered");
  public static final Reply TLS_ACTIVE = Reply.of(503, "5.5.1", "TLS is active already");

  /** Octets behind STARTTLS would be taken for part of the encrypted session (CVE-2011-0411). */
  public static final Reply TLS_INJECTION =
      Reply.of(554, "5.5.1", "Plaintext was sent behind STARTTLS");

  /**
   * RFC 3207 section 4, for the log only: a handshake failed.
   *
   * @param why from the runtime, and in part from the client
   */
  public static Reply tlsFailed(String why) {
    return Reply.of(
        454, "4.7.0", "TLS handshake failed: " + Escape.phrase(why, MAX_CAUSE_CHARACTERS));
  }

  // ---- the session

  public static final Reply EARLY_TALKER =
      Reply.of(554, "5.5.1", "Protocol error: client spoke before the greeting");

  /** RFC 5321 section 3.8: 421 may end a session at any command. */
  public static final Reply NOT_SMTP =
      Reply.of(421, "4.7.0", "Protocol error: this is SMTP, not HTTP");

  /** RFC 5321 section 3.8: what came behind the command is not read as another. */
  public static final Reply NO_CHUNK_SIZE =
      Reply.of(421, "4.7.0", "Protocol error: BDAT without a usable size; closing connection");

  public static final Reply REFUSED_AT_CONNECT =
      Reply.of(503, "5.5.1", "This connection was refused; send QUIT");
  public static final Reply TOO_MANY_SESSIONS =
      Reply.of(421, "4.7.0", "Too many sessions; try again later");
  public static final Reply TOO_MANY_SESSIONS_PER_IP =
      Reply.of(421, "4.7.0", "Too many sessions from your address; try again later");
  public static final Reply TOO_MANY_SESSIONS_PER_NETWORK =
      Reply.of(421, "4.7.0", "Too many sessions from your network; try again later");
  public static final Reply TOO_MANY_CONNECTIONS =
      Reply.of(421, "4.7.0", "Too many connections from your address; try again later");
  public static final Reply TOO_MUCH_FROM_CLIENT =
      Reply.of(451, "4.7.1", "Too much mail from your address; try again later");
  public static final Reply TOO_MUCH_FROM_NETWORK =
      Reply.of(451, "4.7.1", "Too much mail from your network; try again later");
  public static final Reply TOO_MUCH_FROM_DOMAIN =
      Reply.of(451, "4.7.1", "Too much mail from this sender's domain; try again later");
  public static final Reply TOO_MUCH_FOR_RECIPIENT =
      Reply.of(451, "4.7.1", "Too much mail for this recipient; try again later");
  public static final Reply TOO_MANY_ERRORS = Reply.of(421, "4.7.0", "Too many errors");
  public static final Reply TOO_MANY_COMMANDS =
      Reply.of(421, "4.7.0", "Too many commands without a message");
  public static final Reply TIMEOUT = Reply.of(421, "4.4.2", "Timeout; closing connection");
  public static final Reply TOO_SLOW =
      Reply.of(421, "4.4.2", "Content comes too slowly; closing connection");
  public static final Reply TLS_RECORDS =
      Reply.of(421, "4.7.0", "Too many TLS records without data; closing connection");
  public static final Reply NO_LISTS_YET =
      Reply.of(451, "4.3.2", "Starting: no lists are loaded yet; try again later");
  public static final Reply MAIL_SERVER_UNKNOWN =
      Reply.of(421, "4.3.2", "Starting: the mail server has not answered yet; try again later");
  public static final Reply SHUTTING_DOWN =
      Reply.of(421, "4.3.2", "Shutting down; try again later");

  /** Entry for the log only: no client is left. */
  public static final Reply CLIENT_GONE = Reply.of(421, "4.4.2", "Connection lost");

  public static final Reply INTERNAL_ERROR =
      Reply.of(421, "4.3.0", "Internal error; try again later");

  // ---- messages

  /** RFC 5321 section 4.5.3.1.10. */
  public static final Reply TOO_MANY_RECIPIENTS =
      Reply.of(452, "4.5.3", "Too many recipients; send the rest in another message");

  /** Reply within one transaction: a client with this number of unknown users guesses names. */
  public static final Reply TOO_MANY_REFUSED =
      Reply.of(452, "4.5.3", "Too many recipients were refused; send the rest in another message");

  /**
   * Its mail server gives, or gave, another answer. Not 452: Exim takes that for "too many
   * recipients", and when the content of the mail is refused then, gives it up for all whom it
   * still has to send it to.
   */
  public static final Reply ANOTHER_TRANSACTION =
      Reply.of(451, "4.5.3", "Mail for this recipient uses another route; send it by itself");

  /** Its verdict is another one; 451 as for another route. */
  public static final Reply JUDGED_APART =
      Reply.of(451, "4.5.3", "Mail for this recipient is judged by itself; send it by itself");

  /** The answers to recipients who are not refused, but get the mail by itself. */
  public static final Set<Reply> BY_ITSELF = Set.of(ANOTHER_TRANSACTION, JUDGED_APART);

  /**
   * Mail servers did not agree on a message: its client tries again, and each gets its own.
   *
   * @param kept false when recipients that have the message may get it once more
   */
  public static Reply differingAnswers(int taken, int recipients, boolean kept) {
    return Reply.of(
        451,
        "4.2.0",
        "Taken for "
            + taken
            + " of "
            + recipients
            + " recipients; send it again"
            + (kept ? ", those will not get it twice" : ""));
  }

  /** RFC 1870 section 6. */
  public static final Reply TOO_LARGE = Reply.of(552, "5.3.4", "Message is larger than the limit");

  public static final Reply HEADER_TOO_LARGE =
      Reply.of(552, "5.3.4", "Message header is larger than the limit");

  /** RFC 5321 section 4.2.3: 452 is for a lack of storage. */
  public static final Reply NO_MEMORY =
      Reply.of(452, "4.3.1", "Not enough memory for this message now; try again later");

  /** RFC 5321 section 6.3. */
  public static final Reply TOO_MANY_HOPS =
      Reply.of(554, "5.4.6", "Too many Received header fields: the message runs in a loop");

  /** {@code policy.on_error: tempfail}. */
  public static final Reply CHECK_FAILED =
      Reply.of(451, "4.3.0", "A check could not be carried out; try again later");

  /**
   * RFC 3463 section 3.7: a failure of the media of the message.
   *
   * @param limit the setting below {@code limits.mime}
   * @param id of the message, which {@code explain} finds
   */
  public static Reply mimeLimit(String limit, int most, String id) {
    return Reply.of(
        554,
        "5.6.0",
        "The structure of the message is beyond a limit of this server: "
            + limit
            + " "
            + most
            + " ["
            + id
            + "]");
  }

  private Replies() {}

  /** An argument that is not well formed. */
  public static Reply syntax(String text) {
    return Reply.of(501, "5.5.4", text);
  }

  /** The relay check. */
  public static Reply relayDenied(String to) {
    return Reply.of(554, "5.7.1", "<" + Escape.text(to, 300) + ">: Relay access denied");
  }

  /** The relay check in modes observe and soft (rules of decision in gateway/README.md). */
  public static Reply relayDeniedForNow(String to) {
    return Reply.of(454, "4.7.1", "<" + Escape.text(to, 300) + ">: Relay access denied");
  }

  /**
   * Content that no line ending of RFC 5321 section 2.3.8 ends, or that holds NUL.
   *
   * @param what {@code <CR>}, {@code <LF>} or {@code <NUL>}
   * @param line counted from 1
   */
  public static Reply malformedContent(String what, long line) {
    return Reply.of(550, "5.5.2", "Content is malformed: bare " + what + " in line " + line);
  }

  /**
   * The reply of mode soft in place of a permanent refusal of ours, so that no mistake loses mail.
   * 450 is never used: the stock fail2ban filter would ban the client for it.
   */
  public static Reply softened(Reply reply) {
    if (!reply.permanentFailure()) {
      return reply;
    }
    int code =
        switch (reply.code()) {
          case 552 -> 452;
          case 555 -> 455;
          default -> 451;
        };
    String enhanced = reply.enhanced().isEmpty() ? "" : "4" + reply.enhanced().substring(1);
    return new Reply(code, enhanced, reply.lines());
  }
}

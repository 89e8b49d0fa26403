package io.bloomgate.gateway.smtp;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * The argument of RCPT (RFC 5321 section 4.1.1.3). Immutable.
 *
 * @param to the forward-path
 * @param relayTrick true for a form that asks us or the mail server to relay elsewhere: source
 *     route, address literal, percent or bang path, an at sign inside quotes
 */
public record RcptCommand(ForwardPath to, RcptParameters parameters, boolean relayTrick) {

  private static final String SYNTAX = "Syntax: RCPT TO:<address> [parameters]; ";
  private static final String POSTMASTER = "postmaster";

  /**
   * Reads what follows the verb.
   *
   * @param smtpUtf8 true when this transaction's MAIL had SMTPUTF8
   */
  public static Argument<RcptCommand> parse(String argument, boolean smtpUtf8) {
    int start = PathScanner.behindKeyword(argument, "TO:");
    if (start < 0) {
      return invalid(Replies.syntax(SYNTAX + "TO: is missing"));
    }
    PathScanner path = new PathScanner(argument, start);
    if (!path.scan()) {
      return invalid(Replies.syntax(SYNTAX + path.problem()));
    }
    if (path.mailbox().isEmpty()) {
      return invalid(Replies.syntax(SYNTAX + "the address is empty"));
    }
    // RFC 5321 section 4.1.1.3: only postmaster may have no domain.
    if (path.domain().isEmpty() && !path.plainLocalPart().equals(POSTMASTER)) {
      return invalid(Replies.syntax(SYNTAX + "the address has no domain"));
    }
    if (path.isInternational() && !smtpUtf8) {
      return invalid(Replies.ADDRESS_NEEDS_SMTPUTF8);
    }
    return switch (RcptParameters.parse(argument.substring(path.end()))) {
      case Argument.Invalid<RcptParameters>(Reply reply) -> invalid(reply);
      case Argument.Valid<RcptParameters>(RcptParameters parameters) ->
          new Argument.Valid<>(new RcptCommand(forwardPath(path), parameters, isTrick(path)));
    };
  }

  private static ForwardPath forwardPath(PathScanner path) {
    return ForwardPath.written(path.mailbox(), path.plainLocalPart(), path.domain());
  }

  /**
   * Looks behind compatibility forms: a mail server may map the full-width %, ! and @ (RFC 8265).
   */
  private static boolean isTrick(PathScanner path) {
    String plain = path.plainLocalPart();
    String local =
        path.isInternational() ? Normalizer.normalize(plain, Normalizer.Form.NFKC) : plain;
    return path.hasRoute()
        || path.isLiteral()
        || local.indexOf('%') >= 0
        || local.indexOf('!') >= 0
        || local.indexOf('@') >= 0;
  }

  /**
   * The forward-path of an argument that is refused, for the log; {@code null} when none can be
   * read.
   */
  public static @Nullable String pathOf(String argument) {
    return PathScanner.mailboxBehind("TO:", argument);
  }

  private static Argument<RcptCommand> invalid(Reply reply) {
    return new Argument.Invalid<>(reply);
  }
}

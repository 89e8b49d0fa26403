package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import org.jspecify.annotations.Nullable;

/**
 * The argument of MAIL (RFC 5321 section 4.1.1.2). Immutable.
 *
 * @param from the reverse-path, relayed as it came
 * @param parameters every one known; whether they were offered is for the session to judge
 */
public record MailCommand(ReversePath from, MailParameters parameters) {

  private static final String SYNTAX = "Syntax: MAIL FROM:<address> [parameters]; ";

  /** Reads what follows the verb. */
  public static Argument<MailCommand> parse(String argument) {
    int start = PathScanner.behindKeyword(argument, "FROM:");
    if (start < 0) {
      return invalid(Replies.syntax(SYNTAX + "FROM: is missing"));
    }
    PathScanner path = new PathScanner(argument, start);
    if (!path.scan()) {
      return invalid(Replies.syntax(SYNTAX + path.problem()));
    }
    boolean nullPath = path.mailbox().isEmpty();
    return switch (MailParameters.parse(argument.substring(path.end()))) {
      case Argument.Invalid<MailParameters>(Reply reply) -> invalid(reply);
      case Argument.Valid<MailParameters>(MailParameters parameters) ->
          path.isInternational() && !parameters.smtpUtf8()
              ? invalid(Replies.ADDRESS_NEEDS_SMTPUTF8)
              : new Argument.Valid<>(
                  new MailCommand(nullPath ? ReversePath.NULL : reversePath(path), parameters));
    };
  }

  /** A source route is dropped: RFC 5321 section 3.3 and appendix F.2 allow it. */
  private static ReversePath reversePath(PathScanner path) {
    String mailbox = path.mailbox();
    MailAddress address = MailAddress.parse(mailbox).toOptional().orElse(null);
    return new ReversePath(mailbox, address, domain(path, address));
  }

  private static @Nullable DomainName domain(PathScanner path, @Nullable MailAddress address) {
    if (path.isLiteral()) {
      return null;
    }
    return address != null && address.host() instanceof MailAddress.Host.Name(DomainName name)
        ? name
        : DomainName.asked(path.domain()).orElse(null);
  }

  /**
   * The reverse-path of an argument that is refused, for the log; {@code null} when none can be
   * read.
   */
  public static @Nullable String pathOf(String argument) {
    return PathScanner.mailboxBehind("FROM:", argument);
  }

  private static Argument<MailCommand> invalid(Reply reply) {
    return new Argument.Invalid<>(reply);
  }
}

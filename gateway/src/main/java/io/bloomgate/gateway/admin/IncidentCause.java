package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The reason why a session failed that no list refused, and what helps: for those whose mail was
 * lost and who look at the lists first. Immutable.
 *
 * @param text what happened, a sentence part
 * @param hint the next step
 */
record IncidentCause(String text, String hint) {

  private static final String RELAY = ": Relay access denied";

  private static final IncidentCause STOPPING =
      new IncidentCause("the gateway was stopping", "the sender tries again by itself");

  private static final IncidentCause MAIL_SERVER_AWAY =
      new IncidentCause(
          "the mail server could not be used",
          "`bloomgate doctor` tests the connection to it; the sender tries again by itself");

  private static final IncidentCause MAIL_SERVER =
      new IncidentCause("the mail server gave this answer", "its log says why");

  /** The cause, as far as the answer of the session shows it. */
  static Optional<IncidentCause> of(Evidence session) {
    Evidence.Decision decision = session.decision();
    return switch (decision.outcome()) {
      case UPSTREAM_FAILED -> Optional.of(MAIL_SERVER_AWAY);
      case UPSTREAM_REFUSED -> Optional.of(MAIL_SERVER);
      case PROTOCOL, TURNED_AWAY -> ofOwnReply(decision);
      case DELIVERED, REFUSED, WOULD_REFUSE, UNKNOWN, ABANDONED, DROPPED -> Optional.empty();
    };
  }

  /** The cause of a session and the hint in one line. */
  static String sentenceOf(Evidence session) {
    return of(session)
        .map(IncidentCause::sentence)
        .orElse("the answer names the limit or what else refused");
  }

  /** The cause and the hint in one line. */
  String sentence() {
    return text + "; " + hint;
  }

  private static Optional<IncidentCause> ofOwnReply(Evidence.Decision decision) {
    if (decision.outcome() == Outcome.PROTOCOL && decision.reply().contains(RELAY)) {
      return Optional.of(
          new IncidentCause(
              "`domains` in the settings did not name " + domain(decision.to()) + " then",
              "if its mail is yours, add it there and run `bloomgate config reload`"));
    }
    return is(decision.reply(), Replies.SHUTTING_DOWN) ? Optional.of(STOPPING) : Optional.empty();
  }

  private static String domain(String recipient) {
    String domain = recipient.substring(recipient.lastIndexOf('@') + 1);
    boolean masked = recipient.indexOf('@') < 0;
    return domain.isEmpty() || masked ? "the domain of the recipient" : domain;
  }

  /** True for an answer to too much mail, RFC 5321 section 4.2.1: rates spare allowed clients. */
  static boolean isRate(String reply) {
    return Stream.of(
            Replies.TOO_MUCH_FROM_CLIENT,
            Replies.TOO_MUCH_FROM_NETWORK,
            Replies.TOO_MUCH_FROM_DOMAIN,
            Replies.TOO_MUCH_FOR_RECIPIENT)
        .anyMatch(rate -> is(reply, rate));
  }

  private static boolean is(String kept, Reply reply) {
    return kept.startsWith(reply.toString());
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.blocklists.explain.Undo;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether to allow a client can lift what its session was refused for. Asked for {@code
 * allow add --incident} by {@link ListHandlers} and for the undo of {@link ExplainHandler}, on the
 * threads of control connections.
 */
final class IncidentLift {

  private IncidentLift() {}

  /**
   * Refuses the command where the entry would be for the client and lift nothing.
   *
   * @param remedy the entry; empty for one of the client
   * @throws RefusedException when no list listed the session, or when a limit, the mail server or a
   *     block entry refused it; an entry for a client is stronger than a block of the same client
   */
  static void check(Evidence session, Optional<NewEntry> remedy, OperatorLists lists)
      throws RefusedException {
    IpPrefix client = Undo.clientNetwork(session.judged());
    if (remedy.filter(entry -> !entry.subject().equals(client)).isPresent()) {
      return;
    }
    Evidence.Decision decision = session.decision();
    boolean byNoList = isRefusedByNoList(session);
    if (byNoList || isOfMailThatNoListLists(session)) {
      String otherwise = "`bloomgate allow add " + client + "` allows the client";
      throw RefusedException.usage(
          "no list refused session " + decision.id() + ": the answer was " + decision.reply(),
          "an allow entry lifts listings only; "
              + (byNoList ? IncidentCause.sentenceOf(session) : otherwise));
    }
    if (IncidentListings.isBlock(session)
        && !IncidentListings.decidedBy(session, listed -> listed.check() == Check.CLIENT_IP)) {
      throw blocked(decision, IncidentListings.block(session, lists));
    }
  }

  /** Names the entry, as {@code explain} does, as far as the session has kept it. */
  private static RefusedException blocked(
      Evidence.Decision decision, Optional<OperatorEntry> stored) {
    String check = decision.deciding().map(listing -> listing.check().key()).orElse("");
    String kept = decision.deciding().map(Evidence.Listing::entry).orElse("");
    boolean partial = decision.deciding().filter(Evidence.Listing::partial).isPresent();
    Optional<AlikeEntry> alike = decision.deciding().flatMap(Evidence.Listing::alike);
    String entry;
    String hint;
    if (stored.isPresent()) {
      entry = ": " + stored.get().id() + " (" + ShownKey.ofMail(check, kept) + ")";
      hint = "`" + Undo.ofBlock(stored.get()) + "` removes it";
    } else if (alike.isPresent()) {
      String id = alike.get().id();
      entry = ": " + id + " (a text like that of this mail)";
      hint = "`bloomgate block remove " + id + "` removes it";
    } else if (!kept.isEmpty() && !partial) {
      entry = ": " + ShownKey.ofMail(check, kept);
      hint = "`" + Undo.command("bloomgate block check", kept, "") + "` shows it with its id";
    } else {
      entry = "";
      hint = "`bloomgate block list` shows the entries with their ids";
    }
    return RefusedException.usage(
        "a block entry refused session "
            + decision.id()
            + entry
            + ", and to allow the client does not lift it",
        hint);
  }

  /** One with a listing that was only noted, tagged or lifted may be allowed for the next time. */
  private static boolean isOfMailThatNoListLists(Evidence session) {
    Evidence.Decision decision = session.decision();
    return switch (decision.outcome()) {
      case DELIVERED, UNKNOWN, ABANDONED, DROPPED ->
          decision.listings().isEmpty() && !decision.isRefusal() && !session.refusedToo();
      case REFUSED, WOULD_REFUSE, PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED -> false;
    };
  }

  /** True when the mail server or a rule of the protocol refused it: no entry lifts that. */
  static boolean isRefusedByNoList(Evidence session) {
    Evidence.Decision decision = session.decision();
    return decision.deciding().isEmpty()
        && isOfNoList(decision.outcome())
        && !IncidentCause.isRate(decision.reply());
  }

  private static boolean isOfNoList(Outcome outcome) {
    return switch (outcome) {
      case PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED -> true;
      case DELIVERED, REFUSED, WOULD_REFUSE, UNKNOWN, ABANDONED, DROPPED -> false;
    };
  }

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
}

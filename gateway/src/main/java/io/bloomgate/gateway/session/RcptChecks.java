package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The checks of one recipient, in the order of the rules of decision (gateway/README.md): each
 * gives the reply to the client as the mode allows it, or nothing, and then the next one is asked;
 * the mail server is the last, whose replies are passed on as they are. Made by {@link
 * MailTransaction} for each RCPT; used by its session's thread.
 */
final class RcptChecks {

  /** Exempt recipients that a refused client may have; postmaster and abuse are two. */
  private static final int MAX_DEFERRED = 5;

  /** One check; {@code null} when it has nothing against the recipient. */
  @FunctionalInterface
  private interface RcptCheck {
    @Nullable Reply of(RcptChecks recipient);
  }

  private static final List<RcptCheck> IN_ORDER =
      List.of(
          RcptChecks::takenBefore,
          RcptChecks::tooMany,
          RcptChecks::tooManyRefused,
          RcptChecks::noMemory,
          RcptChecks::relayTrick,
          RcptChecks::notOurs,
          RcptChecks::noListsYet,
          RcptChecks::listed,
          RcptChecks::apart,
          RcptChecks::tooMuchMail);

  private final Session session;
  private final MailTransaction transaction;
  private final RcptCommand rcpt;
  private final Facts facts;
  private final Recipients.@Nullable Own own;

  /** The ruling of the lists; {@code null} until it is asked for. */
  private @Nullable Ruling ruling;

  /** The question about rates, which other nodes answer while lists are asked. */
  private MailLimits.@Nullable Asked rates;

  private boolean upstreamLost;

  RcptChecks(Session session, MailTransaction transaction, RcptCommand rcpt) {
    this.session = session;
    this.transaction = transaction;
    this.rcpt = rcpt;
    Facts.Recipient recipient = new Facts.Recipient(rcpt.localPart(), rcpt.domain(), true);
    this.facts = transaction.facts().withRecipient(recipient);
    this.own = session.judge().own(recipient);
  }

  /** The answer of the first check that has one. */
  Reply answer() {
    for (RcptCheck check : IN_ORDER) {
      Reply answer = check.of(this);
      if (answer != null) {
        return answer;
      }
    }
    return offered();
  }

  /** True when no mail server could be asked. */
  boolean upstreamLost() {
    return upstreamLost;
  }

  // ---- syntax and limits

  private @Nullable Reply takenBefore() {
    boolean taken = transaction.recipients().lost() == null && transaction.recipients().holds(rcpt);
    return taken ? Replies.RECIPIENT_OK : null;
  }

  private @Nullable Reply tooMany() {
    return transaction.recipients().size() >= session.limits().recipients()
        ? beyond(Limit.RECIPIENTS, Replies.TOO_MANY_RECIPIENTS)
        : null;
  }

  /**
   * A session with an accepted recipient is not ended for its errors; so it must not be usable to
   * guess names.
   */
  private @Nullable Reply tooManyRefused() {
    return transaction.refused() >= session.limits().errors()
        ? beyond(Limit.ERRORS, Replies.TOO_MANY_REFUSED)
        : null;
  }

  private @Nullable Reply noMemory() {
    return transaction.recipients().hasRoomFor(rcpt)
        ? null
        : beyond(Limit.HELD_CONTENT, Replies.TOO_MANY_RECIPIENTS);
  }

  private @Nullable Reply relayTrick() {
    return rcpt.relayTrick() ? byProtocol(Replies.RELAY_TRICK) : null;
  }

  // ---- own domain

  private @Nullable Reply notOurs() {
    if (rcpt.isIn(session.services().domains())) {
      return null;
    }
    if (rcpt.spelling() == RcptCommand.Spelling.INVALID) {
      return byProtocol(Replies.NO_DOMAIN_NAME);
    }
    session.reporter().telemetry().unknownDomain(rcpt.domain());
    return byProtocol(
        session.judge().mode() == Mode.ENFORCE
            ? Replies.relayDenied(rcpt.to())
            : Replies.relayDeniedForNow(rcpt.to()));
  }

  // ---- lists

  private @Nullable Reply noListsYet() {
    return session.judge().putsMailOff() ? byProtocol(Replies.NO_LISTS_YET) : null;
  }

  private @Nullable Reply listed() {
    rates = session.judge().askRates(facts, rcpt, !transaction.domainCounted());
    Reply refusal = ruling().refusal();
    if (refusal == null) {
      return null;
    }
    transaction.report(ruling(), Outcome.REFUSED, rcpt, refusal);
    return refusal;
  }

  private Ruling ruling() {
    Ruling known = ruling;
    if (known == null) {
      known =
          session
              .judge()
              .rule(facts, transaction.mail().from(), rcpt.domain(), transaction.pin().snapshot());
      ruling = known;
    }
    return known;
  }

  private @Nullable Reply apart() {
    // A trap changes nothing for the others, in any order.
    if (!transaction.hasOthers()
        || isTrap()
        || !(session.judge().keepsApart(transaction.own(), own) || isTaggedAlone())) {
      return null;
    }
    Reply sent = session.judge().inMode(Replies.JUDGED_APART);
    transaction.judgedApart(rcpt, own == null ? null : own.named(), sent);
    return sent;
  }

  /** True when the mail has a tag for one of the recipients only, and by a profile. */
  private boolean isTaggedAlone() {
    Ruling before = transaction.ruling();
    return !Objects.equals(own, transaction.own())
        && before != null
        && before.tags() != ruling().tags()
        && session.judge().keepsApart();
  }

  private @Nullable Reply tooMuchMail() {
    Limit rate = session.judge().beyondRate(rates);
    if (rate == null) {
      if (own == null || !own.profile().isSpared()) {
        transaction.countedDomain();
      }
      return null;
    }
    return beyond(
        rate,
        rate == Limit.SENDER_DOMAIN_RATE
            ? Replies.TOO_MUCH_FROM_DOMAIN
            : Replies.TOO_MUCH_FOR_RECIPIENT);
  }

  // ---- the mail server

  private Reply offered() {
    // A report from the mail server would come back from there, again and again.
    if ((isTrap() && session.services().settings().traps().drop())
        || (session.isForReports(rcpt) && intake().isMailServer(session.client().address()))) {
      return endHere();
    }
    RecipientGroup group = transaction.recipients().of(rcpt);
    if (group == null) {
      return byProtocol(Replies.ANOTHER_TRANSACTION);
    }
    Reply answer =
        ruling().sparesRecipientOnly() && !group.inTransaction() ? defer(group) : ask(group);
    if (answer.positive() && !transaction.recipients().holds(rcpt)) {
      transaction.take(rcpt, ruling(), own);
    }
    return answer;
  }

  private boolean isTrap() {
    return own != null && own.profile().isTrap();
  }

  /** Takes a recipient whose mail no mail server gets, as the administrator wants it. */
  private Reply endHere() {
    transaction.take(rcpt, ruling(), own);
    Objects.requireNonNull(transaction.spam()).endsHere(rcpt);
    return Replies.RECIPIENT_OK;
  }

  private SpamIntake intake() {
    return session.services().reading().spam();
  }

  /**
   * True where the mail server's 550 is not the answer: a trap must not show, and own users, as far
   * as the client's network says, send reports.
   */
  private boolean mayEndHere(Reply answer) {
    return answer.permanentFailure()
        && !Replies.isLack(answer)
        && (isTrap() || (session.isForReports(rcpt) && intake().isOwn(session.client().address())));
  }

  /**
   * A recipient that even a refused client may write to. Such a client may keep no connection to
   * the mail server while it takes its time, so the mail server is asked when the message is here.
   */
  private Reply defer(RecipientGroup group) {
    if (transaction.recipients().deferred() >= MAX_DEFERRED) {
      return beyond(Limit.RECIPIENTS, Replies.TOO_MANY_RECIPIENTS);
    }
    group.defer(rcpt);
    return Replies.RECIPIENT_OK;
  }

  private Reply ask(RecipientGroup group) {
    Reply lost = group.lost();
    if (lost != null) {
      return lost(lost);
    }
    Reply mailRefusal = group.mailRefusal();
    if (mailRefusal != null) {
      return refused(mailRefusal);
    }
    try {
      Reply answer = group.ask(rcpt);
      if (mayEndHere(answer)) {
        return endHere();
      }
      return answer.positive() ? answer : refused(answer);
    } catch (UpstreamException e) {
      // Recipients that were answered 250 are lost with the connection, and the reply to DATA
      // reports that. Further ones must not wait for another connection that fails.
      group.lose(e.reply());
      session.reporter().telemetry().downstream("failed", Duration.ZERO);
      return lost(e.reply());
    }
  }

  private Reply refused(Reply answer) {
    boolean own = Replies.isLack(answer);
    Reply sent = own ? session.judge().inMode(answer) : answer;
    transaction.notTaken(ruling(), own ? Outcome.PROTOCOL : Outcome.UPSTREAM_REFUSED, rcpt, sent);
    return sent;
  }

  private Reply lost(Reply reply) {
    upstreamLost = true;
    transaction.notTaken(ruling(), Outcome.UPSTREAM_FAILED, rcpt, reply);
    return reply;
  }

  // ---- answers of ours

  private Reply beyond(Limit limit, Reply reply) {
    session.reporter().limitReached(limit);
    return session.judge().inMode(reply);
  }

  private Reply byProtocol(Reply reply) {
    Reply sent = session.judge().inMode(reply);
    transaction.notTaken(null, Outcome.PROTOCOL, rcpt, sent);
    return sent;
  }
}

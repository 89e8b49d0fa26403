package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.SessionTrace.TransactionMark;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One mail transaction (RFC 5321 section 3.3): the imperative shell around the decisions on its
 * recipients, from MAIL to its conclusion. The lists are those of MAIL, see {@link GenerationPin};
 * client and HELO are asked again with every recipient. Used by one session's thread.
 */
final class MailTransaction {

  /** Exempt recipients that a refused client may have; postmaster and abuse are two. */
  private static final int MAX_DEFERRED = 5;

  private final SessionState session;
  private final MailCommand mail;
  private final GenerationPin pin;
  private final Facts facts;
  private final long beganNanos;
  private final AcceptedRecipients recipients;

  private final RecipientGroups groups;
  private final MailLimits.Message counted;

  private boolean anyAsked;
  private boolean anyPutOff;

  /** Recipients that were refused; {@code 452} does not count, because it only puts off. */
  private int refused;

  /** True when no mail server could be asked about the current recipient. */
  private boolean upstreamLost;

  private final TransactionMark mark = new TransactionMark();
  private Judge.@Nullable Ruling ruling;
  private boolean reported;
  private boolean anyExempt;
  private MailShown shown = MailShown.NOTHING;
  private List<String> quoted = List.of();
  private boolean concluded;

  /** Begins one; no mail server is asked before a recipient passed. */
  MailTransaction(SessionState session, MailCommand mail) {
    this.session = session;
    this.mail = mail;
    this.recipients = new AcceptedRecipients(session.contentBudget());
    this.pin =
        new GenerationPin(session.judge()::currentSnapshot, session.environment().nanoTime());
    this.beganNanos = session.environment().nanoTime().getAsLong();
    this.facts = session.factsOf(mail.from());
    this.groups = new RecipientGroups(session, mail);
    this.counted = session.environment().mailLimits().message();
    session.askForMail(facts);
  }

  MailCommand mail() {
    return mail;
  }

  /** In each record of this transaction. */
  TransactionMark mark() {
    return mark;
  }

  /** The lists that it keeps, for housekeeping. */
  GenerationPin pin() {
    return pin;
  }

  /** Recipients that were answered 250, in the order in which they came. */
  List<String> recipients() {
    return recipients.texts();
  }

  boolean hasRecipients() {
    return !recipients.isEmpty();
  }

  /** True when a RCPT was tried, whether it was taken or not. */
  boolean anyAsked() {
    return anyAsked;
  }

  /** True when a recipient was refused for now only. */
  boolean anyPutOff() {
    return anyPutOff;
  }

  /** The strongest ruling on the accepted recipients. */
  Judge.@Nullable Ruling ruling() {
    return ruling;
  }

  /** What is known of the transaction for a decision on the whole mail. */
  Facts factsOfMail() {
    return ruling == null ? facts : ruling.facts();
  }

  /** The first of the accepted recipients that are addresses. */
  List<MailAddress> firstRecipients(int most) {
    return recipients.firstAddresses(most);
  }

  /** Notes what the whole content showed. */
  void shows(MailShown whole) {
    shown = whole;
  }

  /** What the whole content showed; nothing before its end. */
  MailShown shown() {
    return shown;
  }

  /** The content of the mail decides from now on; reported when mode observe lets it pass. */
  void ruled(Judge.Ruling onContent) {
    ruling = Judge.Ruling.stronger(onContent, ruling);
    if (onContent.wouldRefuse()) {
      Reply would = session.judge().wouldReply(onContent);
      report(
          Stage.DATA, onContent.id(), onContent, Outcome.WOULD_REFUSE, recipients.texts(), would);
    }
  }

  /** True when feeds never refuse one of the accepted recipients, such as postmaster. */
  boolean anyExempt() {
    return anyExempt;
  }

  /** Notes the ids of earlier incidents that the message quotes. */
  void quotes(List<String> ids) {
    quoted = ids;
  }

  /** The reply when a mail server was lost that had taken recipients; {@code null} when not. */
  @Nullable Reply lost() {
    return groups.lost();
  }

  /** What goes to which mail server. */
  RecipientGroups groups() {
    return groups;
  }

  /** Decides on a recipient, in the order of contract section 3. */
  Answer rcpt(RcptCommand rcpt) {
    anyAsked = true;
    upstreamLost = false;
    Answer answer = decide(rcpt);
    int code = answer.reply().code();
    anyPutOff |= code / 100 == 4;
    if (code >= 400 && code != 452 && !upstreamLost) {
      refused++;
    }
    return answer;
  }

  private Answer decide(RcptCommand rcpt) {
    if (groups.lost() == null && recipients.holds(rcpt)) {
      return Answer.own(Replies.RECIPIENT_OK);
    }
    if (recipients.size() >= session.limits().recipients()) {
      session.environment().telemetry().limitReached(Limit.RECIPIENTS);
      return Answer.own(Replies.TOO_MANY_RECIPIENTS);
    }
    if (refused >= session.limits().errors()) {
      // A session with an accepted recipient is not ended for its errors; so it must not be usable
      // to guess names.
      session.environment().telemetry().limitReached(Limit.ERRORS);
      return Answer.own(Replies.TOO_MANY_REFUSED);
    }
    if (!recipients.hasRoomFor(rcpt)) {
      session.environment().telemetry().limitReached(Limit.HELD_CONTENT);
      return Answer.own(Replies.TOO_MANY_RECIPIENTS);
    }
    if (rcpt.relayTrick()) {
      return refusedByProtocol(rcpt, Replies.RELAY_TRICK);
    }
    if (!rcpt.to().isIn(session.environment().domains())) {
      return rcpt.to().spelling() == ForwardPath.Spelling.INVALID
          ? refusedByProtocol(rcpt, Replies.NO_DOMAIN_NAME)
          : relayDenied(rcpt);
    }
    if (session.environment().putsMailOff().getAsBoolean()) {
      return refusedByProtocol(rcpt, Replies.NO_LISTS_YET);
    }
    Facts.Recipient recipient = new Facts.Recipient(rcpt.to().localPart(), true);
    Facts known = facts.withRecipient(recipient);
    Judge.Ruling on =
        session.judge().rule(known, mail.from().text(), rcpt.to().domain(), pin.snapshot());
    Reply refusal = on.refusal();
    if (refusal != null) {
      report(Stage.RCPT, on.id(), on, Outcome.REFUSED, List.of(rcpt.to().text()), refusal);
      return Answer.own(refusal);
    }
    boolean exempt = session.environment().policy().get().isExempt(recipient);
    if (hasRecipients() && exempt != anyExempt && session.judge().keepsExemptApart()) {
      return refusedByProtocol(rcpt, Replies.EXEMPT_APART);
    }
    String to = rcpt.to().localPart() + "@" + rcpt.to().domain();
    Limit rate = counted.recipient(session.environment(), known, to);
    if (rate != null) {
      session.environment().telemetry().limitReached(rate);
      return Answer.own(
          rate == Limit.SENDER_DOMAIN_RATE
              ? Replies.TOO_MUCH_FROM_DOMAIN
              : Replies.TOO_MUCH_FOR_RECIPIENT);
    }
    if (on.wouldRefuse()) {
      reportWouldRefuse(on, rcpt);
    }
    Answer answer = offer(rcpt, on.sparesRecipientOnly());
    if (answer.reply().positive()) {
      recipients.add(rcpt);
      ruling = Judge.Ruling.stronger(ruling, on);
      anyExempt |= exempt;
    }
    return answer;
  }

  private Answer relayDenied(RcptCommand rcpt) {
    boolean enforced = session.environment().mode().get() == Mode.ENFORCE;
    if (!enforced) {
      session.environment().telemetry().unknownDomain(rcpt.to().domain());
    }
    return refusedByProtocol(
        rcpt, enforced ? Replies.relayDenied(rcpt.to()) : Replies.relayDeniedForNow(rcpt.to()));
  }

  private Answer refusedByProtocol(RcptCommand rcpt, Reply reply) {
    Reply sent = session.judge().inMode(reply);
    reportUnlisted(rcpt, Outcome.PROTOCOL, sent);
    return Answer.own(sent);
  }

  private void reportWouldRefuse(Judge.Ruling on, RcptCommand rcpt) {
    Reply would = session.judge().wouldReply(on);
    report(Stage.RCPT, on.id(), on, Outcome.WOULD_REFUSE, List.of(rcpt.to().text()), would);
  }

  private Answer offer(RcptCommand rcpt, boolean spared) {
    RecipientGroups.Place place = groups.of(rcpt);
    if (place == null) {
      return upstreamRefused(rcpt, Answer.own(Replies.ANOTHER_TRANSACTION));
    }
    return spared && !place.group().inTransaction() ? defer(place, rcpt) : askUpstream(place, rcpt);
  }

  /**
   * A recipient that even a refused client may write to. Such a client may keep no connection to
   * the mail server while it takes its time, so the mail server is asked when the message is here.
   */
  private Answer defer(RecipientGroups.Place place, RcptCommand rcpt) {
    if (groups.deferred() >= MAX_DEFERRED) {
      session.environment().telemetry().limitReached(Limit.RECIPIENTS);
      return Answer.own(Replies.TOO_MANY_RECIPIENTS);
    }
    groups.defer(place, rcpt);
    return Answer.own(Replies.RECIPIENT_OK);
  }

  /** As {@link RecipientGroups#sendDeferred}; called before DATA is sent. */
  @Nullable Reply sendDeferred(RecipientGroup group) throws UpstreamException {
    return groups.sendDeferred(group, session.identity());
  }

  private Answer askUpstream(RecipientGroups.Place place, RcptCommand rcpt) {
    RecipientGroup group = place.group();
    Reply lost = group.lost();
    if (lost != null) {
      reportFailed(rcpt, lost);
      return Answer.relayed(lost);
    }
    Reply mailRefusal = group.mailRefusal();
    if (mailRefusal != null) {
      return upstreamRefused(rcpt, Answer.relayed(mailRefusal));
    }
    try {
      Answer answer = groups.ask(place, session.identity(), rcpt);
      return answer.reply().positive() ? answer : upstreamRefused(rcpt, answer);
    } catch (UpstreamException e) {
      return upstreamFailed(group, rcpt, e);
    }
  }

  private Answer upstreamRefused(RcptCommand rcpt, Answer answer) {
    Outcome outcome = answer.own() ? Outcome.PROTOCOL : Outcome.UPSTREAM_REFUSED;
    Reply sent = answer.own() ? session.judge().inMode(answer.reply()) : answer.reply();
    reportUnlisted(rcpt, outcome, sent);
    return answer;
  }

  private Answer upstreamFailed(RecipientGroup group, RcptCommand rcpt, UpstreamException failure) {
    // Recipients that were answered 250 are lost with the connection, and the reply to DATA reports
    // that. Further ones must not wait for another connection that fails.
    Reply lost = failure.reply();
    group.lose(lost);
    session.environment().telemetry().downstream("failed", Duration.ZERO);
    reportFailed(rcpt, lost);
    return Answer.relayed(lost);
  }

  private void reportFailed(RcptCommand rcpt, Reply reply) {
    upstreamLost = true;
    reportUnlisted(rcpt, Outcome.UPSTREAM_FAILED, reply);
  }

  /** Reports a recipient that was refused, and not because of a list. */
  private void reportUnlisted(RcptCommand rcpt, Outcome outcome, Reply reply) {
    String id = session.environment().ids().get();
    report(Stage.RCPT, id, null, outcome, List.of(rcpt.to().text()), reply);
  }

  private void report(
      Stage stage,
      String id,
      Judge.@Nullable Ruling on,
      Outcome outcome,
      List<String> to,
      Reply reply) {
    reported = true;
    session
        .reporter()
        .report(event(stage, id, on, outcome, to, reply, 0), mail.parameters().smtpUtf8());
  }

  private DecisionReporter.Event event(
      Stage stage,
      String id,
      Judge.@Nullable Ruling on,
      Outcome outcome,
      List<String> to,
      Reply reply,
      long sizeOctets) {
    return new DecisionReporter.Event(
        stage,
        id,
        on == null ? null : on.verdict(),
        shown.recorded(on == null ? facts : on.facts()),
        outcome,
        mail.from().text(),
        to,
        reply,
        sizeOctets,
        beganNanos,
        quoted,
        shown.likeness());
  }

  /** It is over, and keeps no memory and no room for answers. */
  void close() {
    if (!reported && !concluded) {
      String id = session.environment().ids().get();
      DecisionReporter.Event left =
          event(Stage.MAIL, id, null, Outcome.ABANDONED, List.of(), Replies.OK, 0);
      session.reporter().unfinished(left, mail.parameters().smtpUtf8());
    }
    recipients.close();
    groups.close();
  }

  /** The client is gone, or was closed, between commands; logged when a recipient was waiting. */
  void abandon(Reply reply) {
    if (hasRecipients()) {
      conclude(session.environment().ids().get(), Outcome.ABANDONED, reply, 0);
    }
  }

  /**
   * Reports how the message ended; only the first call counts.
   *
   * @param id of the message, as its Received field has it
   */
  void conclude(String id, Outcome outcome, Reply reply, long sizeOctets) {
    if (concluded) {
      return;
    }
    concluded = true;
    Judge.Ruling on = outcome == Outcome.PROTOCOL ? null : ruling;
    DecisionReporter.Event ended =
        event(Stage.DATA, id, on, outcome, recipients.texts(), reply, sizeOctets);
    session.reporter().report(ended, mail.parameters().smtpUtf8());
  }
}

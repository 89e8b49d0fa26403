package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.session.DecisionReporter.Attempt;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One mail transaction (RFC 5321 section 3.3): the imperative shell around the decisions on its
 * recipients, from MAIL to its conclusion. The lists are those of MAIL, see {@link GenerationPin};
 * client and HELO are asked again with every recipient. Used by one session's thread.
 *
 * <pre>
 *   OPEN --RCPT 250--&gt; WITH_RECIPIENTS --message answered, client gone--&gt; CONCLUDED
 *   OPEN, WITH_RECIPIENTS --RCPT refused--&gt; the same, with a record
 *   any --RSET, EHLO, end of the message or of the session--&gt; closed
 * </pre>
 *
 * <p>WITH_RECIPIENTS has some in {@code recipients}, CONCLUDED has {@code concluded}. One that is
 * closed without a record of a recipient or of the message is reported as unfinished.
 */
final class MailTransaction {

  private final Session session;
  private final MailCommand mail;
  private final GenerationPin pin;
  private final Facts facts;
  private final long beganNanos;
  private final RecipientGroups recipients;

  private @Nullable NoticedMail spam;
  private boolean anyAsked;
  private boolean anyPutOff;

  /** Recipients that were refused, and not only put off to another transaction. */
  private int refused;

  private final Object mark = new Object();
  private @Nullable Ruling ruling;
  private boolean reported;

  /** The policy of the first accepted recipient in particular. */
  private Recipients.@Nullable Own own;

  /** One accepted recipient of each profile; {@code null} is the profile of most. */
  private Map<@Nullable RecipientProfile, Facts.Recipient> recipientByProfile =
      Collections.emptyMap();

  private Action mostOfContent = Action.REJECT;
  private boolean anyExempt;

  /** A recipient that is no trap was accepted. */
  private boolean hasOthers;

  private boolean domainCounted;
  private Content shown = Content.NONE;
  private @Nullable Likeness likeness;
  private List<Integer> carried = List.of();
  private List<String> quoted = List.of();
  private boolean concluded;
  private String messageId = "";

  /**
   * Begins one; no mail server is asked before a recipient passed.
   *
   * @param facts what is known at MAIL
   */
  MailTransaction(Session session, MailCommand mail, Facts facts) {
    this.session = session;
    this.mail = mail;
    this.pin = new GenerationPin(session.judge()::currentSnapshot, session.services().nanoTime());
    this.beganNanos = session.services().nanoTime().getAsLong();
    this.facts = facts;
    this.recipients = new RecipientGroups(session, mail);
    if (session.judge().expectMail(facts)) {
      session.dialog().nameAsked();
    }
  }

  MailCommand mail() {
    return mail;
  }

  /** The Message-ID of the header; empty before it is read. */
  String messageId() {
    return messageId;
  }

  void messageId(String id) {
    messageId = id;
  }

  /** Returns the mark that each record of this transaction has. */
  Object mark() {
    return mark;
  }

  /** The lists that it keeps, for housekeeping. */
  GenerationPin pin() {
    return pin;
  }

  boolean hasRecipients() {
    return recipients.size() > 0;
  }

  /** True when a recipient that is no trap was answered 250. */
  boolean hasOthers() {
    return hasOthers;
  }

  /** The recipients whose mail says what spam carries; {@code null} for none. */
  @Nullable NoticedMail spam() {
    return spam;
  }

  /** The entry of the first trap among the recipients; {@code null} for none. */
  Grounds.@Nullable Profile trap() {
    return spam == null ? null : spam.trap();
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
  @Nullable Ruling ruling() {
    return ruling;
  }

  /** Returns what is known of the transaction for a decision on the whole mail. */
  Facts factsOfMail() {
    return ruling == null ? facts : ruling.facts();
  }

  /**
   * Notes what the whole content showed.
   *
   * @param alike as {@link #likeness}
   * @param hashes as {@link #carried}
   */
  void shows(Content whole, @Nullable Likeness alike, List<Integer> hashes) {
    // Records wait for their writers in memory: what lists were asked of the content is left out.
    shown = whole.withoutKeys();
    likeness = alike;
    carried = hashes;
  }

  /** Returns what the whole content showed beside its keys; nothing before its end. */
  Content shown() {
    return shown;
  }

  /** The content of the mail decides from now on; reported when mode observe lets it pass. */
  void ruled(Ruling onContent) {
    ruling = Ruling.stronger(onContent, ruling);
    if (onContent.wouldRefuse()) {
      Reply would = session.judge().wouldReply(onContent);
      report(
          Stage.DATA, onContent.id(), onContent, Outcome.WOULD_REFUSE, recipients.texts(), would);
    }
  }

  /**
   * The client behind a trusted forwarder, where the header names one, decides in place of the
   * forwarder from now on.
   *
   * @return the refusal that follows; {@code null} for none
   */
  @Nullable Reply forwarded(MessageHead head, String id) {
    Ruling behind = session.judge().ruleForwarded(this, head, id);
    if (behind == null) {
      return null;
    }
    ruling = behind;
    return behind.refusal();
  }

  /** The policy of the first accepted recipient in particular; others are decided on alike. */
  Recipients.@Nullable Own own() {
    return own;
  }

  /** Returns one accepted recipient of each profile. */
  Collection<Facts.Recipient> recipientOfEachProfile() {
    return recipientByProfile.values();
  }

  /** The strongest action that content may have for each of the accepted recipients. */
  Action mostOfContent() {
    return mostOfContent;
  }

  /** True when feeds never refuse one of the accepted recipients, such as postmaster. */
  boolean anyExempt() {
    return anyExempt;
  }

  /** Notes the ids of earlier incidents that the message quotes. */
  void quotes(List<String> ids) {
    quoted = ids;
  }

  /** Returns the recipients that were answered 250, and their groups by mail server. */
  RecipientGroups recipients() {
    return recipients;
  }

  /**
   * Returns the number of refused recipients; those put off to another transaction do not count.
   */
  int refused() {
    return refused;
  }

  /** Returns what is known of it without a recipient. */
  Facts facts() {
    return facts;
  }

  /** True once its sender's domain was counted, with its first recipient. */
  boolean domainCounted() {
    return domainCounted;
  }

  void countedDomain() {
    domainCounted = true;
  }

  /** Decides on a recipient; the reply is as it is sent. */
  Reply rcpt(RcptCommand rcpt) {
    anyAsked = true;
    RcptChecks checks = new RcptChecks(session, this, rcpt);
    Reply answer = checks.answer();
    int code = answer.code();
    anyPutOff |= code / 100 == 4;
    boolean putsOff = code == 452 || Replies.BY_ITSELF.contains(answer);
    if (code >= 400 && !putsOff && !checks.upstreamLost()) {
      refused++;
    }
    return answer;
  }

  /** A recipient is answered 250; a trap beside others decides nothing. */
  void take(RcptCommand rcpt, Ruling on, Recipients.@Nullable Own ofRecipient) {
    if (on.wouldRefuse()) {
      report(on, Outcome.WOULD_REFUSE, rcpt, session.judge().wouldReply(on));
    }
    recipients.add(rcpt);
    boolean isTrap = ofRecipient != null && ofRecipient.profile().isTrap();
    if (isTrap || session.isForReports(rcpt)) {
      spam = spam == null ? new NoticedMail(session) : spam;
      spam.take(rcpt, ofRecipient);
    }
    if (isTrap && hasOthers) {
      return;
    }
    if (!isTrap && !hasOthers) {
      hasOthers = true;
      own = ofRecipient;
      recipientByProfile = Collections.emptyMap();
      mostOfContent = Action.REJECT;
      ruling = null;
    }
    RecipientProfile profile = ofRecipient == null ? null : ofRecipient.profile();
    if (profile != null) {
      mostOfContent = mostOfContent.atMost(profile.mostOfContent());
      anyExempt |= profile.isExempt();
    }
    Facts.Recipient recipient = on.facts().recipient();
    if (recipient != null && !recipientByProfile.containsKey(profile)) {
      recipientByProfile = new LinkedHashMap<>(recipientByProfile);
      recipientByProfile.put(profile, recipient);
    }
    ruling = Ruling.stronger(ruling, on);
  }

  /**
   * Reports a recipient that was refused, and not because of a list.
   *
   * @param on what lists say of it: reported where one lists it, as evidence of what it catches
   */
  void notTaken(@Nullable Ruling on, Outcome outcome, RcptCommand rcpt, Reply reply) {
    String id = session.reporter().newId();
    boolean listed = on != null && (on.wouldRefuse() || on.isListed());
    Ruling noted = listed ? on : null;
    report(Stage.RCPT, id, noted, outcome, List.of(rcpt.to()), reply);
  }

  /** Reports a recipient whose mail has to come by itself, with its profile. */
  void judgedApart(RcptCommand rcpt, Grounds.@Nullable Profile profile, Reply reply) {
    reported = true;
    List<String> to = List.of(rcpt.to());
    Attempt at = new Attempt(Stage.RCPT, mail.from(), to, mail.smtpUtf8(), profile);
    String id = session.reporter().newId();
    session.reporter().report(this, at, id, null, Outcome.PROTOCOL, reply, 0);
  }

  /** Reports what lists say of a recipient. */
  void report(Ruling on, Outcome outcome, RcptCommand rcpt, Reply reply) {
    report(Stage.RCPT, on.id(), on, outcome, List.of(rcpt.to()), reply);
  }

  private void report(
      Stage stage, String id, @Nullable Ruling on, Outcome outcome, List<String> to, Reply reply) {
    reported = true;
    session.reporter().report(this, at(stage, to), id, on, outcome, reply, 0);
  }

  /**
   * A command of this transaction, as records name it; a trap is named for the mail, and not for
   * another recipient that is answered.
   */
  Attempt at(Stage stage, List<String> to) {
    boolean isOnOne = stage == Stage.RCPT && !to.isEmpty();
    Grounds.Profile trap = isOnOne ? null : trap();
    return new Attempt(stage, mail.from(), to, mail.smtpUtf8(), trap);
  }

  /** Returns what a record has of the facts: what lists were asked of the content is left out. */
  Facts recordedFacts(@Nullable Ruling on) {
    Facts known = on == null ? facts : on.facts();
    return known.content().isEmpty() && !shown.isSeen() ? known : known.withContent(shown);
  }

  /** Returns when it began, by the monotonic clock. */
  long beganNanos() {
    return beganNanos;
  }

  /** The likeness of the text of its mail that is kept; {@code null} for none. */
  @Nullable Likeness likeness() {
    return likeness;
  }

  /** Returns the hashes of what its mail carried that are kept. */
  List<Integer> carried() {
    return carried;
  }

  /** Returns the ids of earlier incidents that the message quotes. */
  List<String> quoted() {
    return quoted;
  }

  /** It is over, and keeps no memory and no room for answers. */
  void close() {
    if (!reported && !concluded) {
      session.reporter().unfinished(this);
    }
    recipients.close();
  }

  /** The client is gone, or was closed, between commands; logged when a recipient was waiting. */
  void abandon(Reply reply) {
    if (hasRecipients()) {
      conclude(session.reporter().newId(), Outcome.ABANDONED, reply, 0);
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
    Ruling on = outcome == Outcome.PROTOCOL ? null : ruling;
    session
        .reporter()
        .report(this, at(Stage.DATA, recipients.texts()), id, on, outcome, reply, sizeOctets);
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.ContentVerdict;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.ExemptMail;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.message.ForwardedClient;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.VerdictReplies;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the pure core for a verdict and applies the mode to it. One a session; used by its thread.
 */
final class Judge {

  private final Settings settings;
  private final SessionServices services;
  private final SessionServices.Reporting reporting;
  private final InstantSource clock;
  private final DnsQuestions dns;
  private final boolean limitsMail;
  private final boolean limitsRecipients;

  /**
   * Memory for the questions of each decision, one after the other; {@code null} before the first.
   */
  private @Nullable KeyBatch batch;

  /** A judge of one session. */
  Judge(SessionServices services, SessionServices.Reporting reporting) {
    this.settings = services.settings();
    this.services = services;
    this.reporting = reporting;
    this.clock = services.clock();
    this.limitsMail = settings.rates().limitMail();
    this.limitsRecipients = settings.rates().limitRecipients();
    this.dns = new DnsQuestions(services.dnsLists(), services.names());
  }

  // ---- what counts at the moment

  /** Returns what is done with verdicts. */
  Mode mode() {
    return services.mode().get();
  }

  /** True while no list is loaded, which is mode observe, and mail waits for that. */
  boolean putsMailOff() {
    return mode() == Mode.OBSERVE && services.putsMailOff().getAsBoolean();
  }

  /** The policy of this recipient in particular; {@code null} when it has no profile. */
  Recipients.@Nullable Own own(Facts.@Nullable Recipient recipient) {
    return policy().recipients().of(recipient, clock.instant());
  }

  private Policy policy() {
    return services.policy().get();
  }

  private Lists lists() {
    return services.lists().get();
  }

  /** Counts a MAIL; the rate that it is beyond, {@code null} for none. */
  @Nullable Limit beyondRate(Facts facts) {
    return limitsMail ? services.mailLimits().mail(this, settings.rates(), facts) : null;
  }

  /** Asks about the rates of a RCPT, as {@link MailLimits#ask}; {@code null} for none. */
  MailLimits.@Nullable Asked askRates(Facts facts, RcptCommand to, boolean withDomain) {
    if (!limitsRecipients) {
      return null;
    }
    String recipient = to.localPart() + "@" + to.domain();
    return services.mailLimits().ask(this, settings.rates(), facts, recipient, withDomain);
  }

  /** Counts a RCPT, as {@link MailLimits#count}; the rate that it is beyond. */
  @Nullable Limit beyondRate(MailLimits.@Nullable Asked asked) {
    return asked == null ? null : services.mailLimits().count(asked);
  }

  /** True when a listing of this key could change the verdict. */
  boolean couldCount(Facts facts, Check check, ListKey subject) {
    return Gather.couldCount(facts, check, subject, lists(), policy(), clock.instant());
  }

  // ---- decisions

  private KeyBatch batch() {
    KeyBatch own = batch;
    if (own == null) {
      own = new KeyBatch();
      batch = own;
    }
    return own;
  }

  /** True when a rule spares known senders, and this is one. */
  boolean isKnown(Facts facts) {
    return policy().asked().knownSenders() && mailedBefore(facts);
  }

  /** True when mail of this sender's domain was accepted before from the network of the client. */
  boolean mailedBefore(Facts facts) {
    return lists().known().isKnown(facts.client(), facts.senderDomain());
  }

  /** The snapshot that is live now, for a transaction to keep. */
  ListSnapshot currentSnapshot() {
    return lists().snapshot();
  }

  /**
   * The ruling on these facts; the operator's entries are those of now.
   *
   * @param from the sender as the client wrote it; {@code null} before MAIL
   * @param recipient domain of the recipient; {@code null} before RCPT
   * @param pinned the transaction's snapshot
   */
  Ruling rule(Facts facts, @Nullable String from, @Nullable String recipient, ListSnapshot pinned) {
    Lists live = lists();
    Lists asked =
        live.snapshot().generation() == pinned.generation() ? live : live.pinnedTo(pinned);
    Verdict verdict = decide(facts, asked);
    Facts decided = facts;
    if (Ruling.waitsForDns(verdict) || needsClientName(facts)) {
      Facts answered = dns.answered(facts);
      if (answered != null) {
        decided = answered;
        verdict = decide(answered, asked);
      }
    }
    if (verdict instanceof Verdict.Greylist greylist && isLetIn(facts, recipient)) {
      verdict = greylist.letIn();
    }
    Mode mode = mode();
    if (verdict instanceof Verdict.Accept) {
      return new Ruling(verdict, mode, null, "", decided);
    }
    String id =
        verdict instanceof Verdict.Tag
            ? reporting.ids().get()
            : refusalId(
                mode == Mode.OBSERVE ? Outcome.WOULD_REFUSE : Outcome.REFUSED,
                verdict,
                facts.client(),
                from);
    Reply refusal = mode == Mode.OBSERVE ? null : refusal(verdict, id);
    return new Ruling(verdict, mode, refusal, id, decided);
  }

  /**
   * The ruling on a whole mail, by what its content shows; {@code null} when the content decides
   * nothing.
   *
   * @param facts of the transaction, with its content
   * @param mailId id of the mail, for one that is relayed
   */
  @Nullable Ruling ruleContent(MailTransaction of, Facts facts, String mailId) {
    Verdict verdict =
        ContentVerdict.of(
            facts,
            of.recipientOfEachProfile(),
            lists().pinnedTo(of.pin().snapshot()),
            policy(),
            clock.instant(),
            batch());
    if (verdict == null) {
      return null;
    }
    Mode mode = mode();
    if (mode == Mode.OBSERVE
        || verdict instanceof Verdict.Tag
        || verdict instanceof Verdict.Accept) {
      return new Ruling(verdict, mode, null, mailId, facts);
    }
    String id = refusalId(Outcome.REFUSED, verdict, facts.client(), of.mail().from());
    return new Ruling(verdict, mode, refusal(verdict, id), id, facts);
  }

  /**
   * The header of mail from a trusted forwarder says who the client is, of whom DNS is asked now.
   *
   * @return the ruling on that client, which takes the place of the one before; {@code null} for
   *     other mail, and where that one refuses, which stays
   */
  @Nullable Ruling ruleForwarded(MailTransaction of, MessageHead head, String mailId) {
    Ruling before = of.ruling();
    Facts known = of.factsOfMail();
    if (known.seen().forwarder() == null || (before != null && before.verdict().refuses())) {
      return null;
    }
    IpAddress client =
        ForwardedClient.of(head.topReceived(ForwardedClient.MAX_FIELDS), policy()::isInternalHop);
    if (client == null) {
      return null;
    }
    Facts behind = known.forwardedFor(client);
    dns.forgetAll();
    expectMail(behind);
    Facts asked = Objects.requireNonNullElse(dns.answered(behind), behind);
    Verdict verdict =
        ContentVerdict.ofHeader(
            asked,
            of.recipientOfEachProfile(),
            lists().pinnedTo(of.pin().snapshot()),
            policy(),
            clock.instant(),
            batch());
    Reply refusal = mode() == Mode.OBSERVE ? null : refusal(verdict, mailId);
    return new Ruling(verdict, mode(), refusal, mailId, asked);
  }

  private String refusalId(
      Outcome outcome, Verdict verdict, IpAddress client, @Nullable String from) {
    return reporting
        .paces()
        .id(ClientNetwork.of(client), RecordKinds.of(outcome, verdict, client, from));
  }

  /** The checks that need the content of mails: of feeds, and of entries of the operator. */
  Set<Check> contentChecks() {
    return policy().contentChecks(lists(), clock.instant());
  }

  /** True when one of two recipients could waive a refusal of the content for the other one. */
  boolean keepsApart(Recipients.@Nullable Own one, Recipients.@Nullable Own other) {
    return !Objects.equals(one, other)
        && keepsApart()
        && !policy().decidesContentAlike(one, other, lists(), clock.instant());
  }

  /** True when recipients whose profiles decide in different ways get the mail one by one. */
  boolean keepsApart() {
    return settings.policy().exemptMail() == ExemptMail.APART && mode() != Mode.OBSERVE;
  }

  /** Says if greylisting lets it in; before RCPT it is not known what would have to come again. */
  private boolean isLetIn(Facts facts, @Nullable String recipient) {
    return recipient == null
        || services
            .greylist()
            .letsIn(
                facts.client(),
                facts.senderDomain(),
                recipient,
                settings.greylist(),
                clock.instant());
  }

  private Verdict decide(Facts facts, Lists lists) {
    return Gather.verdict(facts, lists, policy(), clock.instant(), batch());
  }

  /**
   * Begins to ask DNS lists about one more fact, in place of the fact of the same kind before it.
   *
   * @param facts all that is known, this fact included
   * @param subject {@code null} when there is nothing to ask about
   * @return true when something is asked
   */
  boolean expect(Facts facts, Check check, @Nullable ListKey subject) {
    if (!dns.asks(check)) {
      return false;
    }
    dns.forget(check);
    if (subject == null || !isWanted(facts, check, subject)) {
      return false;
    }
    dns.ask(check, subject, facts.client());
    return true;
  }

  /**
   * Begins to ask DNS what a decision on this mail needs. About the client and its HELO name it is
   * asked again: a list may be on that was off when these came, and an answer may be out of date.
   *
   * @return true when something is asked about its sender
   */
  boolean expectMail(Facts facts) {
    expectClient(facts);
    expect(facts, Check.HELO, facts.helo());
    return expect(facts, Check.SENDER_DOMAIN, facts.senderDomain());
  }

  /** Begins to ask DNS about a client: lists about its address, and for the name of that. */
  void expectClient(Facts facts) {
    boolean name = policy().asked().clientName();
    boolean address = dns.asks(Check.CLIENT_IP);
    boolean wanted = (name || address) && isWanted(facts, Check.CLIENT_IP, facts.client());
    if (wanted && address) {
      dns.ask(Check.CLIENT_IP, facts.client(), facts.client());
    }
    if ((wanted && name) || needsClientName(facts)) {
      dns.askName(facts.client());
    }
  }

  /** True when entries are about client names: one may refuse this client, or pardon it. */
  private boolean needsClientName(Facts facts) {
    return Gather.needsClientName(facts, lists(), policy(), clock.instant());
  }

  /** True when an answer could change the verdict. */
  private boolean isWanted(Facts facts, Check check, ListKey subject) {
    // A profile may lift the list that refuses it, and not this one.
    boolean waits =
        policy().recipients().haveOtherActions() || Ruling.waitsForDns(decide(facts, lists()));
    return waits && couldCount(facts, check, subject);
  }

  /** Forgets what was asked about a client: it does not count for another one. */
  void forgetDns() {
    dns.forgetAll();
  }

  /** The reply of mode enforce to what this mode lets pass. */
  Reply wouldReply(Ruling spared) {
    Reply refusal = refusal(spared.verdict(), spared.id());
    return refusal == null ? Replies.OK : refusal;
  }

  /** A reply of ours as the mode allows it: mode soft has no permanent refusal. */
  Reply inMode(Reply own) {
    return own.permanentFailure() && mode() == Mode.SOFT ? Replies.softened(own) : own;
  }

  private @Nullable Reply refusal(Verdict verdict, String id) {
    Ground ground = verdict.decidedBy();
    String helpUrl = ground == null ? "" : VerdictReplies.helpUrl(ground, settings);
    return switch (verdict) {
      case Verdict.Accept _, Verdict.Tag _ -> null;
      case Verdict.Greylist greylist ->
          VerdictReplies.greylist(greylist, settings.greylist().delay(), helpUrl, id);
      case Verdict.Tempfail tempfail -> VerdictReplies.tempfail(tempfail, helpUrl, id);
      case Verdict.Reject reject -> inMode(VerdictReplies.reject(reject, helpUrl, id));
    };
  }
}

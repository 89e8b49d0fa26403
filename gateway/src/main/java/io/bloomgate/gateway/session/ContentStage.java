package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.campaign.PassingMail;
import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.memory.RememberedKey;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Sign;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stage data of one message: its content is read while it passes, and lists, rules and entries of
 * the operator rule on what it shows. A reading that fails stops no mail unless {@code
 * policy.on_error} says so. Used by {@link MessageTransfer} on its session's thread.
 */
final class ContentStage implements AutoCloseable {

  /** Octets for the reading of a message that it may always have, however little memory is left. */
  private static final long LEAST_READING_OCTETS = 24 * 1024;

  /** The same while the heap is not used up: what waits for its end is no reason to refuse it. */
  private static final long SMALL_READING_OCTETS = MailReader.MAX_WAITING_OCTETS + 16 * 1024;

  private final Session session;
  private final MailTransaction transaction;
  private final String id;
  private final ContentBudget budget;
  private final ContentReading reading;
  private final @Nullable Campaigns campaigns;

  /** The session keeps what the mail carried. */
  private final boolean remembers;

  private final Action most;
  private final boolean wanted;

  /** {@code null} where no DNS list is asked about the content. */
  private final @Nullable ContentQuestions questions;

  /** {@code null} once it is closed. */
  private @Nullable MailReader reader;

  /** The last ruling of the content, where the message passes. */
  private @Nullable Ruling noted;

  /** All that a mail for a trap showed; {@code null} for other mail, and before its end. */
  private @Nullable MailEvidence trapped;

  private boolean headSent;
  private boolean whole;
  private boolean shapeReported;
  private boolean failed;

  private long keptOctets;
  private long octetsRead;

  /**
   * Nothing was read yet.
   *
   * @param id of the message
   */
  ContentStage(Session session, MailTransaction transaction, String id) {
    this.session = session;
    this.transaction = transaction;
    this.id = id;
    this.budget = session.contentBudget();
    this.reading = session.services().reading();
    this.campaigns = reading.campaigns();
    this.remembers = session.remembers();
    this.most = transaction.mostOfContent();
    Set<Check> checks = EnumSet.noneOf(Check.class);
    if (transaction.trap() != null) {
      checks.addAll(Check.OF_CONTENT);
    } else if (most != Action.OBSERVE) {
      checks.addAll(session.judge().contentChecks());
    }
    if (campaigns != null) {
      checks.add(Check.BODY);
      checks.add(Check.ATTACHMENT);
    }
    if (remembers) {
      checks.addAll(Check.OF_CONTENT);
    }
    this.wanted = !checks.isEmpty();
    DnsLists lists = session.services().dnsLists();
    this.questions =
        most == Action.OBSERVE || Collections.disjoint(lists.checks(), Check.OF_CONTENT)
            ? null
            : new ContentQuestions(lists, session.client().address(), reading.seed());
    MailReader opened =
        reading.reader(session.mimeLimits(), checks, transaction.mail().isFromNobody());
    this.reader = opened;
    this.keptOctets = opened.keptOctets();
    budget.take(keptOctets);
  }

  /**
   * A refusal of the message.
   *
   * @param outcome how it is recorded
   */
  record Refusal(Reply reply, Outcome outcome) {}

  /** True when a list, an entry of the operator or the counters ask for what mails carry. */
  boolean isWanted() {
    return wanted;
  }

  /** Decides by the header on mail of a trusted forwarder. */
  @Nullable Refusal header(MessageHead head) {
    Reply reply = transaction.forwarded(head, id);
    return reply == null ? null : new Refusal(reply, Outcome.REFUSED);
  }

  /** Takes content, without the dots that SMTP adds; refuses a shape beyond the limits. */
  @Nullable Refusal put(byte[] octets, int offset, int length) {
    MailReader open = reader;
    if (failed || open == null) {
      return null;
    }
    try {
      octetsRead += length;
      inTurn(
          open,
          () -> {
            open.put(octets, offset, length);
            return length;
          });
      Refusal ofMemory = account(open);
      return ofMemory == null ? shape(open) : ofMemory;
    } catch (RuntimeException | StackOverflowError bug) {
      fail(bug);
      return null;
    }
  }

  private <T> T inTurn(MailReader open, Supplier<T> piece) {
    boolean takesTurns = octetsRead > ContentReading.FREE_OCTETS && wanted;
    return takesTurns ? reading.inTurn(open, budget, piece) : piece.get();
  }

  /**
   * Counts what is found and what is open in the memory of all messages: many messages that never
   * end would fill the heap. Without any left, a message that takes much has to come again; where
   * the heap is used up, too, one that takes some.
   */
  private @Nullable Refusal account(MailReader open) {
    long before = keptOctets;
    keptOctets = open.keptOctets();
    if (keptOctets > before) {
      budget.take(keptOctets - before);
    } else {
      budget.give(before - keptOctets);
    }
    if (keptOctets <= LEAST_READING_OCTETS || !budget.exhausted()) {
      return null;
    }
    if (keptOctets <= SMALL_READING_OCTETS && !session.control().isMemoryFull()) {
      return null;
    }
    session.reporter().contentMemoryShort(id);
    failed = true;
    close();
    return new Refusal(Replies.NO_MEMORY, Outcome.PROTOCOL);
  }

  /** Ends the reading; what was found is forgotten, and its memory is given back. */
  @Override
  public void close() {
    MailReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
    budget.give(keptOctets);
    keptOctets = 0;
  }

  private void fail(Throwable bug) {
    failed = true;
    session.reporter().contentNotRead(id, bug);
  }

  /** Mode observe lets it pass, and logs it once. */
  private @Nullable Refusal shape(MailReader open) {
    MimeExcess excess = open.excess();
    if (excess == null) {
      return null;
    }
    if (session.judge().mode() != Mode.OBSERVE) {
      session.reporter().limitReached(Limit.MIME);
      Reply named = Replies.mimeLimit(excess.what().key(), excess.limit(), id);
      return new Refusal(named, Outcome.PROTOCOL);
    }
    if (!shapeReported) {
      shapeReported = true;
      session.reporter().mimeLimitSpared(id, excess);
    }
    return null;
  }

  /** Decides by what was read so far, before a server gets the first octet of a large message. */
  @Nullable Refusal soFar() {
    return refusal(ruling(read(false)));
  }

  /** Decides by the whole content. */
  @Nullable Refusal whole() {
    whole = true;
    MailReader open = reader;
    Content content = read(true);
    if (failed || open == null) {
      // As for every check that fails; mode observe refuses nothing for it.
      boolean passes =
          session.services().settings().policy().onError() == Settings.Policy.OnError.ACCEPT
              || session.judge().mode() == Mode.OBSERVE;
      return passes ? null : new Refusal(Replies.CHECK_FAILED, Outcome.PROTOCOL);
    }
    Refusal ofShape = shape(open);
    return ofShape == null && wanted ? refusal(ruling(content)) : ofShape;
  }

  /** Counts a message that a part of its content refused with its copies, by all of it. */
  void countCopies() {
    read(true);
  }

  /** All that a mail for a trap showed; {@code null} for other mail, and before its end. */
  @Nullable MailEvidence trapped() {
    return trapped;
  }

  /** The head is sent now: from now on a tag comes too late. */
  void sendHead() {
    if (wanted && !whole) {
      note(ruling(read(false)));
    }
    headSent = true;
  }

  private Content read(boolean all) {
    MailReader open = reader;
    if (failed || open == null) {
      return Content.NONE;
    }
    try {
      MailEvidence evidence = inTurn(open, all ? open::end : open::soFar);
      if (!wanted) {
        return Content.NONE; // only its shape counts
      }
      return all ? whole(open, evidence) : content(evidence, null, List.of());
    } catch (RuntimeException | StackOverflowError bug) {
      fail(bug);
      return Content.NONE;
    }
  }

  private Content content(MailEvidence evidence, @Nullable Bulk bulk, List<Content.Shown> ofWhole) {
    List<Content.Shown> signs = new ArrayList<>(ofWhole);
    signs.addAll(session.services().policy().get().signsOf(evidence));
    boolean answer = evidence.answers() && session.judge().mailedBefore(transaction.factsOfMail());
    return new Content(
        answer ? evidence.keys().stream().map(ContentKey::quoted).toList() : evidence.keys(),
        most,
        bulk,
        signs);
  }

  /** Counts the mail with its copies, and notes what its whole content showed; called once. */
  private Content whole(MailReader open, MailEvidence evidence) {
    boolean limited = evidence.limited();
    trapped = transaction.trap() != null ? evidence : null;
    if (open.excess() == null || session.judge().mode() == Mode.OBSERVE) {
      session.reporter().notLookedAt(id, evidence.notLookedAt(), limited);
    }
    Bulk bulk =
        campaigns == null
            ? null
            : campaigns.seen(evidence.print(), passing(), session.services().clock().instant());
    List<Content.Shown> signs = new ArrayList<>(2);
    if (limited) {
      signs.add(new Content.Shown(Sign.PARTLY_READ, null, "more than is read of a mail"));
    }
    if (evidence.malformed()) {
      signs.add(new Content.Shown(Sign.MALFORMED, null, "against the rules of MIME"));
    }
    Content whole = content(evidence, bulk, signs);
    transaction.shows(whole, evidence.print().likeness(), carried(evidence));
    return whole;
  }

  /** Hashes of the sender, too: with sessions.privacy the session itself does not name it. */
  private List<Integer> carried(MailEvidence evidence) {
    List<MailAddress> sender = transaction.factsOfMail().sender();
    return remembers
        ? RememberedKey.hashes(evidence.keys(), sender.isEmpty() ? null : sender.getFirst())
        : List.of();
  }

  private PassingMail passing() {
    Facts facts = transaction.factsOfMail();
    return new PassingMail(
        ClientNetwork.of(facts.client()),
        facts.senderDomain(),
        transaction.recipients().firstAddresses(PassingMail.MOST_RECIPIENTS),
        id);
  }

  /** Returns what the content decides; {@code null} for nothing, and for nothing new. */
  private @Nullable Ruling ruling(Content content) {
    if (!content.isSeen()) {
      return null;
    }
    Ruling before = noted;
    Ruling now = withDns(transaction.factsOfMail().withContent(content));
    // What lets the mail pass may be more by now, and the record has all of it.
    boolean same =
        now != null
            && before != null
            && !(now.verdict() instanceof Verdict.Accept)
            && now.verdict().key().equals(before.verdict().key());
    return same ? null : now;
  }

  /** Rules without DNS lists first, then with what these say of the content. */
  private @Nullable Ruling withDns(Facts facts) {
    Ruling now = session.judge().ruleContent(transaction, facts, id);
    ContentQuestions asked = questions;
    if (asked == null || (now != null && !now.waitsForDns())) {
      return now;
    }
    // Half of the names are left for the rest of a large mail.
    List<DnsListing> listings =
        asked.answers(
            facts.content().keys(),
            whole ? ContentQuestions.MAX_NAMES : ContentQuestions.MAX_NAMES / 2,
            key -> session.judge().couldCount(facts.carrying(key), key.check(), key.key()));
    if (whole && asked.left() > 0) {
      String left = asked.left() + " more names, about which no DNS list was asked";
      session.reporter().notLookedAt(id, List.of(left), false);
    }
    return listings.isEmpty()
        ? now
        : session.judge().ruleContent(transaction, facts.withMoreDns(listings), id);
  }

  private @Nullable Refusal refusal(@Nullable Ruling on) {
    Reply reply = on == null ? null : on.refusal();
    if (on == null || reply == null) {
      note(on);
      return null;
    }
    transaction.ruled(on);
    Bulk bulk = transaction.shown().bulk();
    if (campaigns != null && bulk != null) {
      campaigns.recorded(bulk, id, on.id());
    }
    return new Refusal(reply, Outcome.REFUSED);
  }

  /** Notes a ruling that lets the message pass; one that refuses it waits for the end. */
  private void note(@Nullable Ruling on) {
    if (on == null || on.refusal() != null) {
      return;
    }
    noted = on;
    if (headSent && on.tags()) {
      session.reporter().tagTooLate(id, on);
    } else {
      transaction.ruled(on);
    }
  }
}

package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.PassingMail;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Stage data of one message: its content is read while it passes, and lists, rules and entries of
 * the operator rule on what it shows. A reading that fails stops no mail unless {@code
 * policy.on_error} says so. Used by {@link MessageTransfer} on its session's thread.
 */
final class ContentStage implements AutoCloseable {

  /** Octets of what was found that a message may always have, however little memory is left. */
  private static final long SMALL_EVIDENCE_OCTETS = 16 * 1024;

  private final SessionState session;
  private final MailTransaction transaction;
  private final String id;
  private final ContentBudget budget;
  private final ContentWatch watch;
  private final ReadingTurns turns;

  /**
   * The same for the reading itself, which only words and attributes of many kilobytes take so much
   * for; {@link #SMALL_EVIDENCE_OCTETS} where the memory is overdrawn.
   */
  private static final long SMALL_READING_OCTETS = 64 * 1024;

  /** What the content decided last, where the message passes. */
  private Judge.@Nullable Ruling noted;

  private boolean headSent;
  private boolean whole;
  private boolean shapeReported;
  private boolean failed;

  /** No memory was left: from then on only what lists hold is kept. */
  private boolean onlyListed;

  private long keptOctets;
  private long octetsRead;

  /**
   * Nothing was read yet.
   *
   * @param id of the message
   */
  ContentStage(SessionState session, MailTransaction transaction, String id) {
    this.session = session;
    this.transaction = transaction;
    this.id = id;
    this.budget = session.contentBudget();
    this.watch = new ContentWatch(session, transaction);
    this.turns = session.environment().reading().turns();
    this.keptOctets = watch.basicOctets();
    budget.take(keptOctets);
  }

  /**
   * A refusal of the message.
   *
   * @param outcome how it is recorded
   */
  record Refusal(Reply reply, Outcome outcome) {}

  /** True when the head of the message has to wait for what the content shows. */
  boolean isWanted() {
    return watch.isWanted();
  }

  /** Takes content, without the dots that SMTP adds; refuses a shape beyond the limits. */
  @Nullable Refusal put(byte[] octets, int offset, int length) {
    if (failed) {
      return null;
    }
    try {
      read(octets, offset, length);
      Refusal ofMemory = account();
      return ofMemory == null ? shape() : ofMemory;
    } catch (RuntimeException | StackOverflowError bug) {
      fail(bug);
      return null;
    }
  }

  private void read(byte[] octets, int offset, int length) {
    octetsRead += length;
    if (octetsRead > ReadingTurns.FREE_OCTETS && watch.isWanted()) {
      turns.read(() -> watch.put(octets, offset, length));
    } else {
      watch.put(octets, offset, length);
    }
  }

  /**
   * What is found and what is open count in the memory of all messages, and so does what the
   * reading of any message takes: many short messages that never end would fill the heap. Without
   * any left, each further link is asked at the live lists and forgotten when none holds it: the
   * verdict stays the same. A message that still takes much has to come again.
   */
  private @Nullable Refusal account() {
    long before = keptOctets;
    long kept = watch.keptOctets();
    keptOctets = kept + watch.basicOctets();
    if (keptOctets > before) {
      budget.take(keptOctets - before);
    } else {
      budget.give(before - keptOctets);
    }
    if (kept <= SMALL_EVIDENCE_OCTETS || !budget.exhausted()) {
      return null;
    }
    if (!onlyListed) {
      onlyListed = true;
      watch.keepOnlyListed();
      session.reporter().contentMemoryShort(id);
    }
    long most = budget.isOverdrawn() ? SMALL_EVIDENCE_OCTETS : SMALL_READING_OCTETS;
    if (watch.readingOctets() <= most) {
      return null;
    }
    close();
    failed = true;
    watch.forget();
    return new Refusal(Replies.NO_MEMORY, Outcome.PROTOCOL);
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    budget.give(keptOctets);
    keptOctets = 0;
  }

  private void fail(Throwable bug) {
    failed = true;
    session.reporter().contentNotRead(id, bug);
  }

  /** Mode observe lets it pass, and logs it once. */
  private @Nullable Refusal shape() {
    MimeExcess excess = watch.excess();
    if (excess == null) {
      return null;
    }
    if (session.environment().mode().get() != Mode.OBSERVE) {
      session.environment().telemetry().limitReached(Limit.MIME);
      Reply named = Replies.mimeLimit(excess.what().key(), excess.limit(), id);
      return new Refusal(named, Outcome.PROTOCOL);
    }
    if (!shapeReported) {
      shapeReported = true;
      session.reporter().mimeLimitSpared(id, excess);
    }
    return null;
  }

  /** By what was read until now, before the mail server gets the first octet of a large message. */
  @Nullable Refusal soFar() {
    return refusal(ruling(read(false)));
  }

  /** By the whole content. */
  @Nullable Refusal whole() {
    whole = true;
    Content content = read(true);
    if (failed) {
      // As for every check that fails; mode observe refuses nothing for it.
      boolean passes =
          session.environment().settings().policy().onError() == Settings.Policy.OnError.ACCEPT
              || session.environment().mode().get() == Mode.OBSERVE;
      return passes ? null : new Refusal(Replies.CHECK_FAILED, Outcome.PROTOCOL);
    }
    Refusal ofShape = shape();
    return ofShape == null && isWanted() ? refusal(ruling(content)) : ofShape;
  }

  /**
   * A message that was refused by a part of its content is counted with its copies by all of it.
   */
  void countCopies() {
    read(true);
  }

  /** The head is sent now: from now on a tag comes too late. */
  void sendHead() {
    if (!whole) {
      note(ruling(read(false)));
    }
    headSent = true;
  }

  private Content read(boolean all) {
    if (failed) {
      return Content.NONE;
    }
    try {
      if (!all) {
        return watch.soFar();
      }
      Content content = watch.whole();
      session.reporter().notLookedAt(id, watch.notLookedAt(), watch.isLimited());
      transaction.shows(watch.shown(this::passing, session.environment().clock().instant()));
      return content;
    } catch (RuntimeException | StackOverflowError bug) {
      fail(bug);
      return Content.NONE;
    }
  }

  private PassingMail passing() {
    Facts facts = transaction.factsOfMail();
    return new PassingMail(
        ClientNetwork.of(facts.client()),
        facts.senderDomain(),
        transaction.firstRecipients(PassingMail.MOST_RECIPIENTS),
        id);
  }

  /** What the content decides; {@code null} for nothing, and for nothing new. */
  private Judge.@Nullable Ruling ruling(Content content) {
    MailShown shown = transaction.shown();
    if (content.keys().isEmpty() && !shown.bulk().isCampaign()) {
      return null;
    }
    Judge.Ruling before = noted;
    Judge.Ruling now =
        session
            .judge()
            .ruleContent(
                shown.in(transaction.factsOfMail()).withContent(content),
                transaction.mail().from().text(),
                transaction.pin().snapshot(),
                id);
    // What lets the mail pass may be more by now, and the record has all of it.
    boolean same =
        now != null
            && before != null
            && !(now.verdict() instanceof Verdict.Accept)
            && now.verdict().key().equals(before.verdict().key());
    return same ? null : now;
  }

  private @Nullable Refusal refusal(Judge.@Nullable Ruling on) {
    Reply reply = on == null ? null : on.refusal();
    if (on == null || reply == null) {
      note(on);
      return null;
    }
    transaction.ruled(on);
    watch.recorded(transaction.shown().bulk(), id, on.id());
    return new Refusal(reply, Outcome.REFUSED);
  }

  /** Notes a ruling that lets the message pass; one that refuses it waits for the end. */
  private void note(Judge.@Nullable Ruling on) {
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

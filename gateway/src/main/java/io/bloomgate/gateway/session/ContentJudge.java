package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.gateway.message.ForwardedClient;
import io.bloomgate.gateway.message.MessageHead;
import io.bloomgate.gateway.smtp.Reply;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts what one message shows to the {@link Judge}: the client in its header, for mail of a trusted
 * forwarder, and its content, first without DNS lists, then with what these say of it. Made by
 * {@link ContentStage}; used by its session's thread.
 */
final class ContentJudge {

  private final Session session;
  private final MailTransaction transaction;
  private final String id;

  /** {@code null} where no DNS list is asked about the content. */
  private final @Nullable ContentQuestions questions;

  ContentJudge(Session session, MailTransaction transaction, String id) {
    this.session = session;
    this.transaction = transaction;
    this.id = id;
    DnsLists lists = session.services().dnsLists();
    this.questions =
        transaction.mostOfContent() == Action.OBSERVE
                || Collections.disjoint(lists.checks(), Check.OF_CONTENT)
            ? null
            : new ContentQuestions(
                lists, session.client().address(), session.services().reading().seed());
  }

  /**
   * The header of mail from a trusted forwarder says who the client is, and the ruling on that
   * client takes the place of the one before. A ruling that refuses stays.
   *
   * @return the refusal that follows; {@code null} for none
   */
  @Nullable Reply ofHeader(MessageHead head) {
    Judge.Ruling before = transaction.ruling();
    Facts known = transaction.factsOfMail();
    if (known.seen().forwarder() == null || (before != null && before.verdict().refuses())) {
      return null;
    }
    IpAddress client =
        ForwardedClient.of(
            head.topReceived(ForwardedClient.MAX_FIELDS),
            session.services().policy().get()::isInternalHop);
    if (client == null) {
      return null;
    }
    Judge.Ruling behind =
        session
            .judge()
            .ruleForwarded(
                known.forwardedFor(client),
                transaction.recipientByProfile().values(),
                transaction.pin().snapshot(),
                id);
    transaction.forwarded(behind);
    return behind.refusal();
  }

  /**
   * The ruling on what the content shows; {@code null} when it decides nothing.
   *
   * @param whole true when it is all of the content
   */
  Judge.@Nullable Ruling ruling(Content content, boolean whole) {
    Facts facts = transaction.factsOfMail().withContent(content);
    Judge.Ruling now = ruling(facts);
    if (questions == null || (now != null && !now.waitsForDns())) {
      return now;
    }
    List<DnsListing> answers = answers(questions, facts, whole);
    return answers.isEmpty() ? now : ruling(facts.withMoreDns(answers));
  }

  private Judge.@Nullable Ruling ruling(Facts facts) {
    return session
        .judge()
        .ruleContent(
            facts,
            transaction.recipientByProfile().values(),
            transaction.mail().from(),
            transaction.pin().snapshot(),
            id);
  }

  /** Waits for what DNS lists say; half of the names are left for the rest of a large mail. */
  private List<DnsListing> answers(ContentQuestions asked, Facts facts, boolean whole) {
    List<DnsListing> listings =
        asked.answers(
            facts.content().keys(),
            whole ? ContentQuestions.MAX_NAMES : ContentQuestions.MAX_NAMES / 2,
            key -> session.judge().couldCount(facts.carrying(key), key.check(), key.key()));
    if (whole && asked.left() > 0) {
      String left = asked.left() + " more names, about which no DNS list was asked";
      session.reporter().notLookedAt(id, List.of(left), false);
    }
    return listings;
  }
}

package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a whole mail by what its content shows, for all of its recipients at once, because all
 * get the same octets. Sessions call it on their own threads, when the content is here.
 */
public final class ContentVerdict {

  private ContentVerdict() {}

  /**
   * The weakest verdict that one of the recipients has, so that no profile refuses the mail of
   * another recipient; {@code null} when the content decides nothing.
   *
   * @param facts of the transaction, with its content
   * @param recipients one of each profile
   * @param batch the caller's own; what it holds is overwritten
   */
  public static @Nullable Verdict of(
      Facts facts,
      Collection<Facts.Recipient> recipients,
      Lists lists,
      Policy policy,
      Instant now,
      KeyBatch batch) {
    Answers answers = Gather.answers(facts, lists, policy, now, batch);
    return weakest(
        facts, recipients, asked -> ofContent(DecisionEngine.decide(asked, answers, policy, now)));
  }

  /**
   * The same by all that is known, for mail whose client is known from its header only; parameters
   * as above.
   */
  public static Verdict ofHeader(
      Facts facts,
      Collection<Facts.Recipient> recipients,
      Lists lists,
      Policy policy,
      Instant now,
      KeyBatch batch) {
    Answers answers = Gather.answers(facts, lists, policy, now, batch);
    Verdict weakest =
        weakest(facts, recipients, asked -> DecisionEngine.decide(asked, answers, policy, now));
    return Objects.requireNonNull(weakest);
  }

  private static @Nullable Verdict weakest(
      Facts facts,
      Collection<Facts.Recipient> recipients,
      Function<Facts, @Nullable Verdict> decided) {
    Verdict weakest = decided.apply(facts);
    for (Facts.Recipient recipient : recipients) {
      if (weakest != null && !recipient.equals(facts.recipient())) {
        Verdict one = decided.apply(facts.withRecipient(recipient));
        weakest = one != null && one.strength().compareTo(weakest.strength()) >= 0 ? weakest : one;
      }
    }
    return weakest;
  }

  /**
   * The verdict where the content decides it. A listing that is only observed, or that something
   * lifted, decides nothing, and is recorded.
   */
  private static @Nullable Verdict ofContent(Verdict decided) {
    Verdict verdict = withoutGreylist(decided);
    Ground ground = verdict.decidedBy();
    boolean ofContent = ground == null ? verdict.grounds().isOfContent() : ground.isOfContent();
    return ofContent && !(verdict instanceof Verdict.Greylist) ? verdict : null;
  }

  /** Nobody can be asked to come again with the same content: what is weaker counts. */
  private static Verdict withoutGreylist(Verdict verdict) {
    if (verdict instanceof Verdict.Greylist) {
      for (Ground ground : verdict.grounds().standing()) {
        if (ground instanceof Ground.Found exact && exact.action() == Action.TAG) {
          return new Verdict.Tag(exact, verdict.grounds());
        }
      }
    }
    return verdict;
  }
}

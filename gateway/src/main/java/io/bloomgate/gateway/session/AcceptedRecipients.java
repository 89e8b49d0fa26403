package io.bloomgate.gateway.session;

import io.bloomgate.config.name.MailAddress;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.smtp.RcptCommand;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The recipients of one transaction that were answered 250, each once. The memory that they take
 * counts in the budget of content until {@link #close}: a client may name a thousand of them, with
 * parameters as long as a line, and then wait. Used by {@link MailTransaction} on one session's
 * thread.
 */
final class AcceptedRecipients implements AutoCloseable {

  /** Octets that a transaction may always have, however little memory is left. */
  static final int SMALL_ENVELOPE_OCTETS = 4 * 1024;

  /** Octets that the objects of one recipient take in addition to their texts. */
  private static final long OBJECT_OCTETS = 300;

  private final ContentBudget budget;
  private final Set<String> texts = new LinkedHashSet<>(2);
  private long octets;

  /** None yet. */
  AcceptedRecipients(ContentBudget budget) {
    this.budget = budget;
  }

  /** True when there is memory for one more. */
  boolean hasRoomFor(RcptCommand rcpt) {
    return octets + octetsOf(rcpt) <= SMALL_ENVELOPE_OCTETS || !budget.exhausted();
  }

  /**
   * True for one that was answered 250 already and is written as it was then: whether {@code Bob}
   * is {@code bob} is for the mail server to know.
   */
  boolean holds(RcptCommand rcpt) {
    return texts.contains(rcpt.to().text());
  }

  /** Notes a recipient that was answered 250. */
  void add(RcptCommand rcpt) {
    if (texts.add(rcpt.to().text())) {
      long more = octetsOf(rcpt);
      octets += more;
      budget.take(more);
    }
  }

  boolean isEmpty() {
    return texts.isEmpty();
  }

  int size() {
    return texts.size();
  }

  /** Returns the texts as they were written, in the order in which they came. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** The first of them that are addresses; a bare {@code postmaster} is none. */
  List<MailAddress> firstAddresses(int most) {
    return texts.stream()
        .limit(most)
        .map(MailAddress::parse)
        .flatMap(parsed -> parsed.toOptional().stream())
        .toList();
  }

  /** Gives their memory back. */
  @Override
  public void close() {
    budget.give(octets);
    octets = 0;
  }

  /** Counts the path twice: it is kept in parts, too. */
  private static long octetsOf(RcptCommand rcpt) {
    return OBJECT_OCTETS
        + 2L * rcpt.to().text().length()
        + lengthOf(rcpt.orcpt())
        + lengthOf(rcpt.notifyOn());
  }

  private static int lengthOf(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}

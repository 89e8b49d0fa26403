package io.bloomgate.gateway.sessions;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.RareFacts;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of transactions that may have further records; the row of one that is forgotten is not
 * changed any more. A transaction that was refused and never ends stays here, so that both bounds
 * are reached under a flood: the oldest are forgotten first. Used by {@link SessionWriter} on its
 * thread.
 */
final class OpenRows {

  /** Transactions that are remembered. */
  static final int MAX_ROWS = 8_192;

  /** Octets of all of them, as their records count themselves; less in a small heap. */
  static final long MAX_OCTETS = Math.min(8L << 20, Runtime.getRuntime().maxMemory() / 64);

  /**
   * The place of a transaction's row, and what is known of the transaction.
   *
   * @param octets about how much memory it takes: that of its records
   */
  record Row(long number, LocalDate day, Evidence session, long octets) {

    /** Returns what is known after a further recipient was refused. */
    Evidence withRefused(Evidence further) {
      boolean refused = further.decision().outcome() == Outcome.REFUSED;
      return joined(
          Stream.of(session, further),
          session.recipients() + further.recipients(),
          session.decision(),
          session.sizeOctets(),
          further.took(),
          session.more().refusedToo(session.refusedToo() || refused, session.missing()));
    }

    /**
     * Returns what is known after the message was answered: that answer counts, and its recipients
     * come first.
     */
    Evidence concluded(Evidence message) {
      boolean aboutFirst = isAboutFirstRefused(message.decision());
      Evidence.Decision decision = concluding(message.decision(), aboutFirst);
      RareFacts known = session.more();
      RareFacts last = message.more();
      boolean ofFirst = aboutFirst || !decision.verdict().equals(message.decision().verdict());
      return joined(
          Stream.of(message, session),
          message.recipients(),
          decision,
          message.sizeOctets(),
          message.took(),
          new RareFacts(
                  last.clientName(),
                  last.clientNameState(),
                  known.early(),
                  known.known(),
                  known.refusedToo() || session.decision().outcome() == Outcome.REFUSED,
                  missing(aboutFirst ? session : message),
                  last.bulk(),
                  last.passed(),
                  known.connection(),
                  last.messageId(),
                  ofFirst && !message.isForTrap() ? known.profile() : last.profile())
              .withRecipients(last.allTo(), last.droppedFor()));
    }

    private Evidence joined(
        Stream<Evidence> domains,
        int recipients,
        Evidence.Decision decision,
        long octets,
        Duration took,
        RareFacts more) {
      return new Evidence(
          session.at(),
          session.client(),
          session.helo(),
          session.from(),
          Evidence.kept(domains.flatMap(each -> each.domains().stream())),
          recipients,
          session.protocol(),
          session.front(),
          decision,
          octets,
          took,
          session.times(),
          more);
    }

    /**
     * Returns what counts: the protocol's refusal has no verdict, so that of mode observe stays.
     */
    private Evidence.Decision concluding(Evidence.Decision message, boolean aboutFirst) {
      Evidence.Decision first = session.decision();
      boolean noted = Verdict.refuses(first.verdict()) && first.outcome() != Outcome.REFUSED;
      if (noted && message.verdict().isEmpty()) {
        return message.withVerdictOf(first);
      }
      return aboutFirst ? message.withTo(first.to()) : message;
    }

    /**
     * True when mode observe noted a recipient that the verdict on the message is about: the first
     * one of the message may be exempt, and would have had the mail.
     */
    private boolean isAboutFirstRefused(Evidence.Decision message) {
      Evidence.Decision first = session.decision();
      return first.outcome() == Outcome.WOULD_REFUSE
          && !first.to().isEmpty()
          && Verdict.refuses(message.verdict())
          && message.deciding().equals(first.deciding());
    }

    private Set<Missing> missing(Evidence ofRecipient) {
      Set<Missing> after = EnumSet.noneOf(Missing.class);
      after.addAll(session.missing());
      after.remove(Missing.RECIPIENT);
      if (ofRecipient.missing().contains(Missing.RECIPIENT)) {
        after.add(Missing.RECIPIENT);
      }
      return after;
    }
  }

  private final Map<Object, Row> rows = new LinkedHashMap<>();
  private long octets;

  /** The row of a transaction; {@code null} when it has none, or is forgotten. */
  @Nullable Row get(@Nullable Object transaction) {
    return transaction == null ? null : rows.get(transaction);
  }

  /** Remembers a row, in the place of what was known of the transaction before. */
  void put(Object transaction, Row row) {
    Row before = rows.put(transaction, row);
    octets += row.octets - (before == null ? 0 : before.octets);
    while (rows.size() > MAX_ROWS || octets > MAX_OCTETS) {
      remove(rows.keySet().iterator().next());
    }
  }

  /** Forgets a row. */
  void remove(Object transaction) {
    Row row = rows.remove(transaction);
    octets -= row == null ? 0 : row.octets;
  }

  /** Forgets all. */
  void clear() {
    rows.clear();
    octets = 0;
  }

  /** The number of rows that are remembered. */
  int size() {
    return rows.size();
  }

  /** The memory that they take, in octets. */
  long octets() {
    return octets;
  }
}

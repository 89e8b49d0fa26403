package io.bloomgate.gateway.log;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One event of the decision log: a refused connection or recipient, or a message with its outcome.
 * Texts are as they came from outside; the writer escapes them. Immutable.
 *
 * @param id incident id, as the sender saw it; empty when too many of the same kind had one
 * @param stage where the client got the reply
 * @param verdict {@code null} when a protocol rule or the relay check refused, not a list
 * @param helo empty when none
 * @param from {@code null} when no MAIL was seen, empty for {@code <>}
 * @param to the recipients concerned
 * @param protocol SMTP, ESMTP, ESMTPS, UTF8SMTP or UTF8SMTPS
 * @param reply to the client
 * @param sizeOctets of the content, 0 when none
 * @param times how many decisions it represents: 1, or more for a sum of {@link RecordPaces}
 * @param session what else is kept of the session
 * @param quoted ids of earlier incidents that the message quotes; only mail to exempt recipients is
 *     searched for them
 */
public record DecisionRecord(
    Instant time,
    String id,
    Stage stage,
    @Nullable Verdict verdict,
    Mode mode,
    Outcome outcome,
    IpAddress client,
    String helo,
    @Nullable String from,
    List<String> to,
    String protocol,
    Reply reply,
    long sizeOctets,
    Duration took,
    int times,
    SessionTrace session,
    List<String> quoted)
    implements LogEvent {

  /** Octets of a record's objects without its texts, those of its verdict included. */
  private static final int OBJECT_OCTETS = 600;

  /** Octets of one text without its characters. */
  private static final int TEXT_OCTETS = 56;

  /** Prefix of a verdict that was not carried out. */
  static final String WOULD = "would_";

  public DecisionRecord {
    to = List.copyOf(to);
    quoted = List.copyOf(quoted);
  }

  /**
   * True when an earlier record had the verdict: mail that passed because of mode observe ends with
   * the verdict that the records of its recipients already had, and must not be counted twice. A
   * recipient has one record, be it that the mail server refused it.
   */
  public boolean repeatsVerdict() {
    boolean refusing =
        switch (verdict) {
          case null -> false;
          case Verdict.Accept ignored -> false;
          case Verdict.Tag ignored -> false;
          case Verdict.Greylist ignored -> true;
          case Verdict.Tempfail ignored -> true;
          case Verdict.Reject ignored -> true;
        };
    return refusing
        && stage == Stage.DATA
        && outcome != Outcome.REFUSED
        && outcome != Outcome.WOULD_REFUSE;
  }

  /**
   * The verdict as it was carried out: {@code would_reject} where mode observe only noted a {@code
   * reject}; {@code null} when no list was involved.
   */
  public @Nullable String verdictWord() {
    if (verdict == null) {
      return null;
    }
    boolean spared = mode == Mode.OBSERVE && !(verdict instanceof Verdict.Accept);
    return (spared ? WOULD : "") + verdict.key();
  }

  /**
   * True when a person who asks for this word of {@link #verdictWord} means it: what mode soft put
   * off in place of a reject is a {@code tempfail}, too.
   */
  boolean isOf(String word) {
    boolean softened =
        mode == Mode.SOFT && verdict instanceof Verdict.Reject && reply.code() / 100 == 4;
    return word.equals(verdictWord()) || (softened && word.equals("tempfail"));
  }

  /**
   * The listing behind the verdict; for mail that passed, the strongest listing that was only
   * observed.
   */
  public Optional<Ground.Found> deciding() {
    Ground decided = verdict == null ? null : verdict.decidedBy();
    if (decided != null) {
      return decided instanceof Ground.Found found ? Optional.of(found) : Optional.empty();
    }
    for (Ground observed : verdict == null ? List.<Ground>of() : verdict.grounds().standing()) {
      if (observed instanceof Ground.Found found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** The same decision under another id. */
  DecisionRecord withId(String other) {
    return with(other, times);
  }

  /** The same decision, for this number of decisions. */
  public DecisionRecord standingFor(int decisions) {
    return with(id, decisions);
  }

  private DecisionRecord with(String otherId, int decisions) {
    return new DecisionRecord(
        time,
        otherId,
        stage,
        verdict,
        mode,
        outcome,
        client,
        helo,
        from,
        to,
        protocol,
        reply,
        sizeOctets,
        took,
        decisions,
        session,
        quoted);
  }

  @Override
  public long octets() {
    long texts = helo.length();
    texts += from == null ? 0 : from.length();
    for (String recipient : to) {
      texts += TEXT_OCTETS + recipient.length();
    }
    for (String line : reply.lines()) {
      texts += TEXT_OCTETS + line.length();
    }
    return OBJECT_OCTETS + texts + session.octets();
  }
}

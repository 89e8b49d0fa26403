package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, or a connection that was turned away, as it is kept. Texts are as they came from
 * outside, shortened as {@code sessions.privacy} asks. Immutable; made by the gateway from a
 * decision, and by {@link DayReader} from a row.
 *
 * @param at when its first answer was given, to the millisecond
 * @param name of the client's address, as far as it was looked up
 * @param helo empty when none
 * @param from {@code null} before MAIL, empty for the null reverse-path
 * @param domains of the recipients, each once, at most {@link #MAX_DOMAINS}; in a row {@link #CUT}
 *     stands for those that do not fit
 * @param recipients number of recipients
 * @param protocol SMTP, ESMTP, ESMTPS (with TLS), UTF8SMTP or UTF8SMTPS
 * @param front the listener, and the proxy that the session came through
 * @param early the client spoke before the banner
 * @param known mail of the sender was accepted from the same network before; only looked up where a
 *     rule asks
 * @param decision the answer on the message, or else the first one
 * @param sizeOctets of the content, 0 when none came
 * @param took from MAIL, or from the begin of the connection, to the answer
 * @param times how many sessions it represents: 1, or more for a sum of many alike
 * @param refusedToo a list refused a recipient, beside the answer in {@code decision}
 * @param missing texts that are not the original ones: {@link Privacy} masked them, or a row had no
 *     room
 */
public record KeptSession(
    Instant at,
    IpAddress client,
    ClientName name,
    String helo,
    @Nullable String from,
    List<String> domains,
    int recipients,
    String protocol,
    String front,
    boolean early,
    boolean known,
    KeptDecision decision,
    long sizeOctets,
    Duration took,
    int times,
    boolean refusedToo,
    Set<Missing> missing) {

  /** Recipient domains of one session that are kept. */
  static final int MAX_DOMAINS = 20;

  /** At the end of a text that was longer. */
  public static final String CUT = "...";

  public KeptSession {
    domains = List.copyOf(domains);
    missing = Set.copyOf(missing);
  }

  /** With one answer, and the original texts. */
  public KeptSession(
      Instant at,
      IpAddress client,
      ClientName name,
      String helo,
      @Nullable String from,
      List<String> domains,
      int recipients,
      String protocol,
      String front,
      boolean early,
      boolean known,
      KeptDecision decision,
      long sizeOctets,
      Duration took,
      int times) {
    this(
        at,
        client,
        name,
        helo,
        from,
        domains,
        recipients,
        protocol,
        front,
        early,
        known,
        decision,
        sizeOctets,
        took,
        times,
        false,
        Set.of());
  }

  /**
   * False for a text that may have been masked by {@link Privacy}, or cut. A client may send such a
   * text: where {@link #missing} says it, that counts.
   */
  public static boolean looksWhole(String text) {
    return !text.equals("*") && !text.startsWith("*@") && !text.endsWith(CUT);
  }

  /** The domains of recipients, each once, as many as are kept. */
  public static List<String> domains(List<String> recipients) {
    return kept(recipients.stream().map(SessionText::domain).filter(domain -> !domain.isEmpty()));
  }

  private static List<String> kept(Stream<String> domains) {
    return domains.distinct().limit(MAX_DOMAINS).toList();
  }

  /** The domain of the envelope sender; empty when there is none. */
  public String senderDomain() {
    return from == null ? "" : RowText.domain(SessionText.domain(from));
  }

  /** The same session, with another of its answers. */
  KeptSession with(KeptDecision other) {
    return with(other, missing);
  }

  /** The same session, with another of its answers and what is missing then. */
  KeptSession with(KeptDecision other, Set<Missing> missingThen) {
    return new KeptSession(
        at,
        client,
        name,
        helo,
        from,
        domains,
        recipients,
        protocol,
        front,
        early,
        known,
        other,
        sizeOctets,
        took,
        times,
        refusedToo,
        missingThen);
  }

  /** What is known after a further recipient of the same transaction was refused. */
  public KeptSession withRefused(KeptSession further) {
    return new KeptSession(
        at,
        client,
        name,
        helo,
        from,
        kept(Stream.concat(domains.stream(), further.domains.stream())),
        recipients + further.recipients,
        protocol,
        front,
        early,
        known,
        decision,
        sizeOctets,
        further.took,
        times,
        refusedToo || further.decision.outcome() == Outcome.REFUSED,
        missing);
  }

  /**
   * What is known after the message was answered: that answer counts, and its recipients come
   * first.
   */
  public KeptSession concluded(KeptSession message) {
    return new KeptSession(
        at,
        client,
        message.name,
        helo,
        from,
        kept(Stream.concat(message.domains.stream(), domains.stream())),
        message.recipients,
        protocol,
        front,
        early,
        known,
        concluding(message),
        message.sizeOctets,
        message.took,
        times,
        refusedToo || decision.outcome() == Outcome.REFUSED,
        missingAfter(message));
  }

  /** What the protocol refuses has no verdict: what mode observe noted before stays. */
  private KeptDecision concluding(KeptSession message) {
    if (decision.outcome() == Outcome.WOULD_REFUSE && message.decision.verdict().isEmpty()) {
      return message.decision.withVerdictOf(decision);
    }
    return isAboutFirstRefused(message) ? message.decision.withTo(decision.to()) : message.decision;
  }

  /**
   * True when mode observe noted a recipient that the verdict on the message is about: the first
   * one of the message may be exempt, and would have had the mail.
   */
  private boolean isAboutFirstRefused(KeptSession message) {
    return decision.outcome() == Outcome.WOULD_REFUSE
        && !decision.to().isEmpty()
        && message.decision.refuses()
        && message.decision.deciding().equals(decision.deciding());
  }

  /** The answer and the client's name are those of the message. */
  private Set<Missing> missingAfter(KeptSession message) {
    Set<Missing> ofMessage =
        isAboutFirstRefused(message)
            ? EnumSet.of(Missing.CLIENT_NAME)
            : EnumSet.of(Missing.RECIPIENT, Missing.CLIENT_NAME);
    Set<Missing> after = EnumSet.noneOf(Missing.class);
    for (Missing part : Missing.values()) {
      if ((ofMessage.contains(part) ? message : this).missing.contains(part)) {
        after.add(part);
      }
    }
    return after;
  }
}

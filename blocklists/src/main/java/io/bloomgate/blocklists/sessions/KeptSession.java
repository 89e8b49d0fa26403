package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, or a connection that was turned away, as it is kept. Texts are as they came from
 * outside, shortened as {@code sessions.privacy} asks. Immutable; made by the gateway from a
 * decision, and by {@link DayReader} from a row.
 *
 * @param at when its first answer was given, to the millisecond
 * @param helo empty when none
 * @param from {@code null} before MAIL, empty for the null reverse-path
 * @param domains of the recipients, each once, at most {@link #MAX_DOMAINS}
 * @param recipients number of recipients
 * @param protocol SMTP, ESMTP, ESMTPS (with TLS), UTF8SMTP or UTF8SMTPS
 * @param front the listener, and the proxy that the session came through
 * @param decision the answer on the message, or else the first one
 * @param sizeOctets of the content, 0 when none came
 * @param took from MAIL, or from the begin of the connection, to the answer
 * @param times how many sessions it represents: 1, or more for a sum of many alike
 * @param more what few sessions have
 */
public record KeptSession(
    Instant at,
    IpAddress client,
    String helo,
    @Nullable String from,
    List<String> domains,
    int recipients,
    String protocol,
    String front,
    KeptDecision decision,
    long sizeOctets,
    Duration took,
    int times,
    More more) {

  /** Recipient domains of one session that are kept. */
  static final int MAX_DOMAINS = 20;

  /**
   * The facts that few sessions have, as JSON has them.
   *
   * @param clientName of the client's address, as far as it was looked up
   * @param early the client spoke before the banner
   * @param known mail of the sender was accepted from the same network before; only looked up where
   *     a rule asks
   * @param refusedToo a list refused a recipient, beside the answer in {@code decision}
   * @param masked texts that are not the original ones, because {@link Privacy} masked them
   * @param bulk how many copies of its mail passed; {@code null} for few
   * @param passed why lists did not stop a mail that they name, as the fields of a log line
   * @param connection its id, the same for all transactions of a connection; empty when unknown
   */
  public record More(
      @Rare String clientName,
      @Rare ClientName.State clientNameState,
      @Rare boolean early,
      @Rare boolean known,
      @Rare boolean refusedToo,
      @Rare Set<Missing> masked,
      @Rare @Nullable Bulk bulk,
      @Rare Map<String, String> passed,
      @Rare String connection) {

    /** Nothing. */
    public static final More NOTHING = new More(ClientName.UNKNOWN, false, false);

    public More {
      masked = Set.copyOf(masked);
    }

    /** Makes the facts of a session with the original texts. */
    public More(ClientName name, boolean early, boolean known) {
      this(name.name(), name.state(), early, known, false, Set.of(), null, Map.of(), "");
    }

    /** The same, where a list refused a recipient. */
    More refusedToo(boolean too, Set<Missing> masks) {
      return new More(
          clientName, clientNameState, early, known, too, masks, bulk, passed, connection);
    }
  }

  public KeptSession {
    domains = List.copyOf(domains);
  }

  /** The name of the client's address, as far as it was looked up. */
  public ClientName name() {
    return more.clientNameState == ClientName.State.UNKNOWN
        ? ClientName.UNKNOWN
        : new ClientName(more.clientName, more.clientNameState);
  }

  /** True when a list refused a recipient, beside the answer in {@link #decision}. */
  public boolean refusedToo() {
    return more.refusedToo;
  }

  /** Texts that are not the original ones. */
  public Set<Missing> missing() {
    return more.masked;
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
    return from == null ? "" : SessionText.domain(from);
  }

  /** The same session, with another of its answers. */
  KeptSession with(KeptDecision other) {
    return with(domains, recipients, other, sizeOctets, took, more);
  }

  /** Returns what is known after a further recipient of the same transaction was refused. */
  public KeptSession withRefused(KeptSession further) {
    return with(
        kept(Stream.concat(domains.stream(), further.domains.stream())),
        recipients + further.recipients,
        decision,
        sizeOctets,
        further.took,
        more.refusedToo(
            more.refusedToo || further.decision.outcome() == Outcome.REFUSED, more.masked));
  }

  private KeptSession with(
      List<String> allDomains,
      int allRecipients,
      KeptDecision answer,
      long octets,
      Duration until,
      More andMore) {
    return new KeptSession(
        at,
        client,
        helo,
        from,
        allDomains,
        allRecipients,
        protocol,
        front,
        answer,
        octets,
        until,
        times,
        andMore);
  }

  /**
   * Returns what is known after the message was answered: that answer counts, and its recipients
   * come first.
   */
  public KeptSession concluded(KeptSession message) {
    return with(
        kept(Stream.concat(message.domains.stream(), domains.stream())),
        message.recipients,
        concluding(message),
        message.sizeOctets,
        message.took,
        new More(
            message.more.clientName,
            message.more.clientNameState,
            more.early,
            more.known,
            more.refusedToo || decision.outcome() == Outcome.REFUSED,
            missingAfter(message),
            message.more.bulk,
            message.more.passed,
            more.connection));
  }

  /** Returns what counts: the protocol's refusal has no verdict, so that of mode observe stays. */
  private KeptDecision concluding(KeptSession message) {
    boolean noted = decision.refuses() && decision.outcome() != Outcome.REFUSED;
    if (noted && message.decision.verdict().isEmpty()) {
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

  private Set<Missing> missingAfter(KeptSession message) {
    KeptSession ofRecipient = isAboutFirstRefused(message) ? this : message;
    Set<Missing> after = EnumSet.noneOf(Missing.class);
    after.addAll(missing());
    after.remove(Missing.RECIPIENT);
    if (ofRecipient.missing().contains(Missing.RECIPIENT)) {
      after.add(Missing.RECIPIENT);
    }
    return after;
  }
}

package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Sign;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes down a transaction, or a connection that was turned away: log lines, rows and answers of
 * commands are forms of it. Texts are shortened as the settings of privacy ask. Immutable; made by
 * the gateway of a decision, and by {@link DayReader} of a row.
 *
 * @param at when its first answer was given, to the millisecond
 * @param from {@code null} before MAIL, empty for the null reverse-path
 * @param domains of the recipients, each once, at most {@link #MAX_DOMAINS}
 * @param protocol SMTP, ESMTP, ESMTPS (with TLS), UTF8SMTP or UTF8SMTPS
 * @param front the listener, and the proxy that the session came through
 * @param decision the answer on the message, or else the first one
 * @param sizeOctets of the content, 0 when none came
 * @param took from MAIL, or from the begin of the connection, to the answer
 * @param times how many sessions it represents: 1, or more for a sum of many alike
 * @param more what few sessions have
 */
public record Evidence(
    Instant at,
    IpAddress client,
    String helo,
    @Nullable String from,
    List<String> domains,
    int recipients,
    String protocol,
    String front,
    Decision decision,
    long sizeOctets,
    Duration took,
    int times,
    RareFacts more) {

  /** The field of {@link RareFacts#passed} with the client behind a trusted forwarder. */
  public static final String FORWARDED_FOR = "forwarded_for";

  /** Recipient domains of one session that are kept. */
  static final int MAX_DOMAINS = 20;

  public Evidence {
    domains = List.copyOf(domains);
  }

  /** The name of the client's address, as far as it was looked up. */
  public ClientName name() {
    return more.clientNameState() == ClientName.State.UNKNOWN
        ? ClientName.UNKNOWN
        : new ClientName(more.clientName(), more.clientNameState());
  }

  /** True when a recipient is a trap: what was accepted then says nothing good of the sender. */
  public boolean isForTrap() {
    return more.profile().startsWith(RecipientProfile.TRAP.name() + " ");
  }

  /** True for mail of a trusted forwarder, be it that its header names no client. */
  public boolean isForwarded() {
    return more.passed().containsKey(FORWARDED_FOR);
  }

  /** The client whose mail it is: of mail of a forwarder the one that this named. */
  public IpAddress judged() {
    return IpAddress.parse(more.passed().getOrDefault(FORWARDED_FOR, ""))
        .toOptional()
        .orElse(client);
  }

  /** True when a list refused a recipient, beside the answer in {@link #decision}. */
  public boolean refusedToo() {
    return more.refusedToo();
  }

  /** Texts that are not the original ones. */
  public Set<Missing> missing() {
    return more.masked();
  }

  /** The domains of recipients, as many as are kept. */
  public static List<String> domains(List<String> recipients) {
    if (recipients.size() == 1) {
      String domain = SessionText.domain(recipients.getFirst());
      return domain.isEmpty() ? List.of() : List.of(domain);
    }
    return kept(recipients.stream().map(SessionText::domain).filter(domain -> !domain.isEmpty()));
  }

  /** Each domain once, as many as are kept. */
  public static List<String> kept(Stream<String> domains) {
    return domains.distinct().limit(MAX_DOMAINS).toList();
  }

  /** The domain of the envelope sender; empty when there is none. */
  public String senderDomain() {
    return from == null ? "" : SessionText.domain(from);
  }

  /** The same session, with another answer. */
  Evidence with(Decision answer, RareFacts known) {
    return new Evidence(
        at,
        client,
        helo,
        from,
        domains,
        recipients,
        protocol,
        front,
        answer,
        sizeOctets,
        took,
        times,
        known);
  }

  /**
   * One answer of a session that was kept, with the reason. A transaction has one, and another for
   * each further recipient that was refused. Immutable; texts as they came from outside.
   *
   * @param id as the sender saw it; empty when none was given
   * @param to the first recipient that it is about, empty when none
   * @param verdict of mode enforce as a word, be it that a rule of the protocol refused what mode
   *     observe let pass; empty when no list was asked, and when the mail server refused what no
   *     list has
   * @param generation that was asked; 0 when none
   * @param listings what lists said, the deciding one first
   * @param reply to the client: code, enhanced code and first line
   */
  public record Decision(
      String id,
      Stage stage,
      Mode mode,
      Outcome outcome,
      String to,
      String verdict,
      long generation,
      List<Listing> listings,
      String reply) {

    public Decision {
      listings = List.copyOf(listings);
    }

    /** The same about another recipient. */
    public Decision withTo(String other) {
      return new Decision(id, stage, mode, outcome, other, verdict, generation, listings, reply);
    }

    /** The same with what lists said in another answer. */
    public Decision withVerdictOf(Decision noted) {
      return new Decision(
          id, stage, mode, outcome, to, noted.verdict, noted.generation, noted.listings, reply);
    }

    /** The listing that decided. */
    public Optional<Listing> deciding() {
      return listings.stream().filter(Listing::counted).findFirst();
    }

    /** True when mail was not taken, or when mode observe noted that it would not have been. */
    public boolean isRefusal() {
      return switch (outcome) {
        case REFUSED, WOULD_REFUSE, PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED ->
            true;
        case DELIVERED, UNKNOWN, ABANDONED, DROPPED -> Verdict.refuses(verdict);
      };
    }

    /** The local part of {@code to} as settings name it: lower-case, unquoted. */
    public String recipientLocalPart() {
      return SessionText.recipientLocalPart(to);
    }

    /** The code of the reply. */
    public int code() {
      return SessionText.code(reply);
    }
  }

  /**
   * A listing, as the JSON of a session has it: what a list, a rule or an operator's entry said.
   * Immutable.
   *
   * @param check what was compared
   * @param subject the key that was asked
   * @param list name of the feed, DNS list, rule or sign; {@code operator} for an operator's entry
   * @param entry canonical text of the entry
   * @param line of the entry in its feed; 0 where there is none
   * @param action what was left of what the list asks for
   * @param pardon why it did not count, for people; empty when it counted
   * @param place where a mail had the key; {@code OPEN} for a key of the envelope
   * @param weakness why it did less than the list asks for
   * @param partial true when subject or entry are not the original texts, because the settings mask
   *     addresses, or the text was too long
   */
  public record Listing(
      @Named("kind") Check check,
      @Rare String subject,
      @Named("feed") String list,
      @Rare String entry,
      int line,
      Action action,
      @Rare String pardon,
      @Rare Place place,
      @Rare Weakness weakness,
      @Rare boolean partial) {

    /** The list of an operator's entry. */
    private static final String OPERATOR = "operator";

    public Listing {
      partial |= SessionText.isCut(subject) || SessionText.isCut(entry);
      subject = SessionText.bounded(subject);
      entry = SessionText.bounded(entry);
      pardon = SessionText.bounded(pardon);
    }

    /** Makes a listing, in full, of the envelope or of what a reader meets as the sender's own. */
    public Listing(
        Check check,
        String subject,
        String list,
        String entry,
        int line,
        Action action,
        String pardon) {
      this(check, subject, list, entry, line, action, pardon, Place.OPEN, Weakness.NONE, false);
    }

    /**
     * Makes the listing of a ground.
     *
     * @param pardon why it does not count; empty when it does
     * @param masked what remains of a text that may be an address
     */
    public static Listing of(Ground.Found ground, String pardon, UnaryOperator<String> masked) {
      String whole = ground.subject().toString();
      String subject = masked.apply(whole);
      String entry = masked.apply(ground.entry());
      Weakness weakness = ground.weakness();
      return new Listing(
          ground.check(),
          subject,
          ground.source(),
          entry,
          ground.line(),
          ground.action(),
          pardon,
          Place.of(weakness.key()).orElse(Place.OPEN),
          weakness,
          !subject.equals(whole) || !entry.equals(ground.entry()));
    }

    /** Returns its key of the content; empty for the envelope, or when masked or cut. */
    public Optional<ContentKey> carried() {
      return partial ? Optional.empty() : ContentKey.parse(check, subject, place);
    }

    /**
     * Returns the sign of the content that it is; empty for what a list, a rule or an entry said.
     */
    public Optional<Content.Shown> shown() {
      return Sign.ofContent(list)
          .map(sign -> Content.Shown.of(sign, partial ? "" : subject, entry));
    }

    /** Returns it as in a row: without the client's address, or an entry that is the subject. */
    Listing without(IpAddress client) {
      boolean isHost = entry.equals(subject);
      String other = subject.equals(client.toString()) ? "" : subject;
      return isHost || other.isEmpty() ? with(other, isHost ? "" : entry) : this;
    }

    /** Returns what {@link #without} was made of. */
    Listing of(IpAddress client) {
      String whole = subject.isEmpty() ? client.toString() : subject;
      return entry.isEmpty() || subject.isEmpty()
          ? with(whole, entry.isEmpty() ? whole : entry)
          : this;
    }

    private Listing with(String otherSubject, String otherEntry) {
      return new Listing(
          check, otherSubject, list, otherEntry, line, action, pardon, place, weakness, partial);
    }

    /** The same for the entry alone, whatever it covered. */
    Listing ofEntry() {
      return with(entry, entry);
    }

    /** The operator's entry and how much is equal, of a text that is like one of an entry. */
    public Optional<AlikeEntry> alike() {
      return check == Check.BODY && list.equals(OPERATOR)
          ? AlikeEntry.parse(entry)
          : Optional.empty();
    }

    /** True when nothing lifted it. */
    public boolean counted() {
      return pardon.isEmpty();
    }

    /** True when the mail, and not only something that it quotes, would be refused by it. */
    public boolean ofWholeMail() {
      return place == Place.OPEN && !exemptAmong();
    }

    /** True when it did less because a recipient was exempt, by his profile, or forwarded. */
    public boolean exemptAmong() {
      return Set.of(Weakness.EXEMPT, Weakness.PROFILE, Weakness.FORWARDED).contains(weakness);
    }

    /** True when only a rule that spares a recipient or a network kept it from counting. */
    public boolean waived() {
      return !counted() && Stream.of(Waiver.values()).anyMatch(rule -> rule.words().equals(pardon));
    }

    /** Returns what is kept of the entry: all of it, or the begin of a long text. */
    public String entryBegin() {
      return partial ? SessionText.begin(entry) : entry;
    }
  }
}

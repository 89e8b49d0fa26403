package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Evidence.Waiver;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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
public record KeptListing(
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

  public KeptListing {
    partial |= SessionText.isCut(subject) || SessionText.isCut(entry);
    subject = SessionText.bounded(subject);
    entry = SessionText.bounded(entry);
    pardon = SessionText.bounded(pardon);
  }

  /** Makes a listing, in full, of the envelope or of what a reader meets as the sender's own. */
  public KeptListing(
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
  public static KeptListing of(Ground.Found ground, String pardon, UnaryOperator<String> masked) {
    String whole = ground.subject().toString();
    String subject = masked.apply(whole);
    String entry = masked.apply(ground.entry());
    Weakness weakness = ground.weakness();
    return new KeptListing(
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

  /** Returns it as in a row: without the client's address, or an entry that is the subject. */
  KeptListing without(IpAddress client) {
    boolean isHost = entry.equals(subject);
    String other = subject.equals(client.toString()) ? "" : subject;
    return isHost || other.isEmpty() ? with(other, isHost ? "" : entry) : this;
  }

  /** Returns what {@link #without} was made of. */
  KeptListing of(IpAddress client) {
    String whole = subject.isEmpty() ? client.toString() : subject;
    return entry.isEmpty() || subject.isEmpty()
        ? with(whole, entry.isEmpty() ? whole : entry)
        : this;
  }

  private KeptListing with(String otherSubject, String otherEntry) {
    return new KeptListing(
        check, otherSubject, list, otherEntry, line, action, pardon, place, weakness, partial);
  }

  /** The same for the entry alone, whatever it covered. */
  KeptListing ofEntry() {
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

  /** True when it did no more than tag because a recipient of the mail was exempt. */
  public boolean exemptAmong() {
    return weakness == Weakness.EXEMPT;
  }

  /** True when only a rule that spares a recipient or a network kept it from counting. */
  public boolean waived() {
    return !counted() && Stream.of(Waiver.values()).anyMatch(rule -> rule.words().equals(pardon));
  }

  /** Returns what is kept of the entry: all of it, or the begin of a long text. */
  public String entryBegin() {
    return partial ? SessionText.begin(entry) : entry;
  }

  /** True when a verdict by it alone refuses mail or puts it off. */
  public boolean refuses() {
    return counted() && action.refuses();
  }
}

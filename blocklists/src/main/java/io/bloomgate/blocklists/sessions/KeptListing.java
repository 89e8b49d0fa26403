package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.decision.Evidence.Waiver;
import io.bloomgate.config.name.AlikeEntry;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a list, a rule or an operator's entry said of a session that was kept. Immutable.
 *
 * @param check what was compared
 * @param subject the key that was asked
 * @param list name of the feed, DNS list, rule or sign; {@code operator} for an operator's entry
 * @param entry canonical text of the entry
 * @param line of the entry in its feed; 0 where there is none
 * @param action what was left of what the list asks for
 * @param pardon why it did not count, for people; empty when it counted
 * @param place where a mail had the key; {@code OPEN} for a key of the envelope
 * @param exemptAmong true when it did no more than tag because a recipient of the mail was exempt;
 *     false in rows of earlier releases
 */
public record KeptListing(
    Check check,
    String subject,
    String list,
    String entry,
    int line,
    Action action,
    String pardon,
    Place place,
    boolean exemptAmong) {

  /** The list of an operator's entry. */
  private static final String OPERATOR = "operator";

  /** Of mail to nobody who is exempt. */
  public KeptListing(
      Check check,
      String subject,
      String list,
      String entry,
      int line,
      Action action,
      String pardon,
      Place place) {
    this(check, subject, list, entry, line, action, pardon, place, false);
  }

  /** Of the envelope, or of what a reader meets as the sender's own. */
  public KeptListing(
      Check check,
      String subject,
      String list,
      String entry,
      int line,
      Action action,
      String pardon) {
    this(check, subject, list, entry, line, action, pardon, Place.OPEN);
  }

  /** What of the content it lists; empty for a key of the envelope, or one masked or cut. */
  public Optional<ContentKey> carried() {
    return KeptSession.looksWhole(subject)
        ? ContentKey.parse(check, subject, place)
        : Optional.empty();
  }

  /** The same for the entry alone, whatever it covered. */
  KeptListing ofEntry() {
    return new KeptListing(check, entry, list, entry, line, action, pardon, place, exemptAmong);
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
    return place == Place.OPEN && !exemptAmong;
  }

  /** True when only a rule that spares a recipient or a network kept it from counting. */
  public boolean waived() {
    return !counted() && Stream.of(Waiver.values()).anyMatch(rule -> rule.words().equals(pardon));
  }

  /** True when a verdict by it alone refuses mail or puts it off. */
  public boolean refuses() {
    return counted() && refuses(action);
  }

  /** The same for the action of a listing that counts. */
  static boolean refuses(Action action) {
    return action.compareTo(Action.TAG) > 0;
  }
}

package io.bloomgate.blocklists.decision;

import java.util.List;

/**
 * What the content of a mail shows, as far as a list, a rule or an entry of the operator asks for
 * it. Immutable.
 *
 * @param keys what lists are asked for
 * @param exemptAmong true when one of the accepted recipients is exempt: content does no more than
 *     tag then, because the recipients get one mail
 * @param found what lists said of the content when it came; only of past mail, whose content is not
 *     kept, so that lists cannot be asked again
 */
public record Content(List<ContentKey> keys, boolean exemptAmong, List<Found> found) {

  /** Nothing is known: before the end of the mail, or nobody asks. */
  public static final Content NONE = new Content(List.of(), false);

  public Content {
    keys = List.copyOf(keys);
    found = List.copyOf(found);
  }

  /** Of a mail that is here. */
  public Content(List<ContentKey> keys, boolean exemptAmong) {
    this(keys, exemptAmong, List.of());
  }

  /**
   * What a list said of a past mail.
   *
   * @param list name of the feed
   * @param key what it listed
   * @param entry canonical text of its entry
   * @param line of the entry in the feed; 0 where there is none
   */
  public record Found(String list, ContentKey key, String entry, int line) {}

  /** True when the content decides nothing. */
  public boolean isEmpty() {
    return keys.isEmpty() && found.isEmpty();
  }

  /** The same of a mail with an exempt recipient, where that is one. */
  Content among(boolean exempt) {
    return exempt && !isEmpty() ? new Content(keys, true, found) : this;
  }
}

package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import java.util.List;

/**
 * The content of a mail, as far as a list, a rule or an entry of the operator asks for it.
 * Immutable.
 *
 * @param keys what lists are asked for
 * @param exemptAmong true when one of the accepted recipients is exempt: content does no more than
 *     tag then, because the recipients get one mail
 */
public record Content(List<ContentKey> keys, boolean exemptAmong) {

  /** Nothing is known: before the end of the mail, or nobody asks. */
  public static final Content NONE = new Content(List.of(), false);

  public Content {
    keys = List.copyOf(keys);
  }

  /** True when the content decides nothing. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** The same of a mail with an exempt recipient, where that is one. */
  Content among(boolean exempt) {
    return exempt && !isEmpty() ? new Content(keys, true) : this;
  }
}

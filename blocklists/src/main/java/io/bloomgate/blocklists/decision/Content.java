package io.bloomgate.blocklists.decision;

import java.util.List;

/**
 * What the content of a mail shows, as far as a list, a rule or an entry of the operator asks for
 * it. Immutable.
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
}

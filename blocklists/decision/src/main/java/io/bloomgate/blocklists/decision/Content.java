package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.config.settings.Action;
import java.util.List;

/**
 * The content of a mail, as far as a list, a rule, a sign or an entry of the operator asks for it.
 * Immutable.
 *
 * @param keys what lists are asked for
 * @param most the strongest action that content may have for each of the accepted recipients, who
 *     get one mail
 * @param bulk how many copies of the mail passed, from how many networks
 * @param partlyRead some of it was not read, because there is too much of it
 * @param malformed some of it is against the rules of MIME
 */
public record Content(
    List<ContentKey> keys, Action most, Bulk bulk, boolean partlyRead, boolean malformed) {

  /** Nothing is known: before the end of the mail, or nobody asks. */
  public static final Content NONE = new Content(List.of());

  public Content {
    keys = List.copyOf(keys);
  }

  /** Content that shows nothing but keys. */
  public Content(List<ContentKey> keys) {
    this(keys, Action.REJECT, Bulk.NONE, false, false);
  }

  /** True when there is no key to ask lists for. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** True when a list, a rule or a sign may decide by it. */
  public boolean isSeen() {
    return !keys.isEmpty() || bulk.isCampaign() || partlyRead || malformed;
  }

  /** The same where content may do no more than this. */
  public Content atMost(Action action) {
    return new Content(keys, action, bulk, partlyRead, malformed);
  }

  /** The same without the keys, for those who keep it. */
  public Content withoutKeys() {
    return keys.isEmpty()
        ? this
        : new Content(List.of(), Action.REJECT, bulk, partlyRead, malformed);
  }
}

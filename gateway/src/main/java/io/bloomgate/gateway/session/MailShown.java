package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Likeness;
import org.jspecify.annotations.Nullable;

/**
 * What the whole content of a mail showed beside the keys that lists are asked for; kept by {@link
 * MailTransaction} for its records. Immutable.
 *
 * @param bulk how many copies of it passed
 * @param likeness what its visible text is recognised by after some words were changed; {@code
 *     null} for a short text, and where bodies are not looked at
 * @param limited true when some of it was not read because there is too much of it
 */
record MailShown(Bulk bulk, @Nullable Likeness likeness, boolean limited) {

  /** Before the end of the mail, or nobody asks. */
  static final MailShown NOTHING = new MailShown(Bulk.NONE, null, false);

  /** The facts with the copies. */
  Facts in(Facts known) {
    return bulk.isCampaign() ? known.withSeen(known.seen().withBulk(bulk)) : known;
  }

  /** Records wait for their writers in memory: what lists were asked of the content is left out. */
  Facts recorded(Facts known) {
    return in(known.content().keys().isEmpty() ? known : known.withContent(Content.NONE));
  }
}

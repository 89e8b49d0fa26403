package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.Likeness;
import org.jspecify.annotations.Nullable;

/**
 * The findings of the whole content of a mail beside the keys that lists are asked for; kept by
 * {@link MailTransaction} for its records. Immutable.
 *
 * @param bulk how many copies of it passed
 * @param likeness what its visible text is recognised by after some words were changed; {@code
 *     null} for a short text, and where bodies are not looked at
 * @param limited true when some of it was not read because there is too much of it
 * @param malformed true when some of it is against the rules of MIME
 */
record MailShown(Bulk bulk, @Nullable Likeness likeness, boolean limited, boolean malformed) {

  /** Findings before the end of the mail, or where nobody asks. */
  static final MailShown NOTHING = new MailShown(Bulk.NONE, null, false, false);

  /** True when it shows something that no list is asked for. */
  boolean isSeen() {
    return bulk.isCampaign() || limited || malformed;
  }

  /** The facts with that. */
  Facts in(Facts known) {
    return isSeen()
        ? known.withSeen(known.seen().withBulk(bulk).withOdd(limited, malformed))
        : known;
  }

  /** Records wait for their writers in memory: what lists were asked of the content is left out. */
  Facts recorded(Facts known) {
    return in(known.content().keys().isEmpty() ? known : known.withContent(Content.NONE));
  }
}

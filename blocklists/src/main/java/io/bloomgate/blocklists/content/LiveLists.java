package io.bloomgate.blocklists.content;

import io.bloomgate.config.name.ListKey;

/**
 * The lists that rule on a mail while it is read. {@link MailScanner} asks only behind the bounds
 * of what is kept, so that no number of keys hides one that is listed. The gateway gives the lists
 * of the transaction; called on the thread of the mail.
 */
@FunctionalInterface
public interface LiveLists {

  /** What the lists may say of a key. */
  enum Held {
    /** Certainly no list holds it. */
    NOT,
    /** Only lists that refuse nothing. */
    OBSERVED,
    /** A list that may refuse the mail, or that cannot be known. */
    MAY_REFUSE
  }

  /** Asks about one key. */
  Held held(ListKey key);
}

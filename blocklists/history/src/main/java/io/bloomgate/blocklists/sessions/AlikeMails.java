package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.Likeness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Kept mails of other sender domains whose text is like that of one mail: what an entry for that
 * text would refuse beside it, as where most of it is a disclaimer. Filled by {@link
 * SessionSearch#alike}, asked by {@code block add --like}; one thread.
 */
public final class AlikeMails {

  /** Mails that are compared, the newest: under a second. */
  static final long MOST_COMPARED = 500_000;

  /** Sender domains that are named. */
  private static final int NAMED = 5;

  private final Likeness text;
  private final String own;
  private final List<String> named = new ArrayList<>();
  private final Set<String> domains = new HashSet<>();
  private long mails;
  private long left = MOST_COMPARED;

  /**
   * None yet.
   *
   * @param own the sender domain whose mails do not count
   */
  AlikeMails(Likeness text, String own) {
    this.text = text;
    this.own = own;
  }

  /** Returns the number of mails that may still be compared. */
  long left() {
    return left;
  }

  /** True when the text of a mail is like this text; counts the comparison. */
  boolean isAlike(Likeness other) {
    left--;
    return text.isAlike(other);
  }

  /** Counts a mail that is alike. */
  void add(String domain) {
    if (domain.equals(own)) {
      return;
    }
    mails++;
    if (domains.add(domain) && named.size() < NAMED) {
      named.add(domain);
    }
  }

  /** Returns the number of mails that are alike. */
  public long mails() {
    return mails;
  }

  /** Returns the number of their sender domains. */
  public int domains() {
    return domains.size();
  }

  /** Some of these domains; empty for mail without an envelope sender. */
  public List<String> named() {
    return List.copyOf(named);
  }
}

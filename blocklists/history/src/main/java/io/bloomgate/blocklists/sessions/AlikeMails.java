package io.bloomgate.blocklists.sessions;

import java.util.List;
import java.util.Map;

/**
 * Kept mails of other sender domains whose text is like that of one mail: what an entry for that
 * text would refuse beside it, as where most of it is a disclaimer. Counted by {@link
 * SessionSearch#alike} for {@code block add --like}. Immutable.
 *
 * @param domains number of their sender domains
 * @param named some of these; empty for mail without an envelope sender
 */
public record AlikeMails(long mails, int domains, List<String> named) {

  /** Mails that are compared, the newest: under a second. */
  static final long MOST_COMPARED = 500_000;

  /** Sender domains that are named. */
  private static final int NAMED = 5;

  static AlikeMails of(Map<String, Long> byDomain) {
    return new AlikeMails(
        byDomain.values().stream().mapToLong(Long::longValue).sum(),
        byDomain.size(),
        byDomain.keySet().stream().limit(NAMED).toList());
  }
}

package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.impact.PastSession.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a mail server refused, read from the text of its reply. Immutable.
 *
 * @param outcome {@code null} for no refusal
 * @param lists that the text names
 */
record Refusal(@Nullable Outcome outcome, List<String> lists) {

  static final Refusal NONE = new Refusal(null, List.of());

  /** The words in front of the list in replies of Postfix, postscreen and Exim. */
  private static final List<String> BEFORE_A_LIST =
      List.of("blocked using ", "listed at ", "listed in ", "listed by ", "found in ");

  /** Refusals that say nothing about the sender: recipients, relaying, size, the server's state. */
  private static final List<String> NO_LIST =
      List.of(
          "Relay access denied",
          "relay not permitted",
          "User unknown",
          "Unrouteable address",
          "Unknown user",
          "No such user",
          "Recipient address rejected: undeliverable",
          "cannot deliver mail for",
          "Message size exceeds",
          "Server configuration",
          "Service currently unavailable",
          "too many connections",
          "all screening ports busy");

  private static final String EXIM_FOR_NOW = " temporarily rejected ";

  /** Longest name of a list that is kept: most are zones of DNS. */
  private static final int MAX_NAME = LogText.MAX_DOMAIN;

  /** A refusal by something that has a name, for good or for now. */
  static Refusal by(String list, boolean forNow) {
    return new Refusal(outcome(forNow), List.of(LogText.start(list, MAX_NAME)));
  }

  private static Outcome outcome(boolean forNow) {
    return forNow ? Outcome.PUT_OFF : Outcome.REFUSED;
  }

  /** The refusal with this reply. */
  static Refusal of(String reply) {
    // Of Postfix and Haraka the code is first, of Exim the verb.
    boolean forNow = reply.startsWith("4") || reply.startsWith(EXIM_FOR_NOW);
    for (String before : BEFORE_A_LIST) {
      String list = LogText.word(reply, before);
      if (list != null && !list.isEmpty()) {
        return by(withoutMarks(list), forNow);
      }
    }
    boolean other = NO_LIST.stream().anyMatch(reply::contains);
    return new Refusal(other ? Outcome.OTHER : outcome(forNow), List.of());
  }

  /** The name without the punctuation marks at its end. */
  private static String withoutMarks(String list) {
    int end = list.length();
    while (end > 0 && ";:,.".indexOf(list.charAt(end - 1)) >= 0) {
      end--;
    }
    return list.substring(0, end);
  }
}

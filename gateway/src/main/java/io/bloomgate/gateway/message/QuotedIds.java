package io.bloomgate.gateway.message;

import io.bloomgate.blocklists.sessions.IncidentId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Finds what may be an incident id in a message of a person or a program. A refusal prints its id
 * in brackets, and that form counts in any case of letters. People also copy the id without
 * brackets; then it must have a digit and a letter, because ten letters are a word and ten digits
 * are a time or a telephone number. One id in forty has no digit and counts only in brackets. Pure;
 * called by sessions for mail to exempt recipients.
 */
public final class QuotedIds {

  private QuotedIds() {}

  /**
   * Ids as replies print them, each once, those in brackets first.
   *
   * @param message its octets, or the first of them
   * @param most ids that are returned
   */
  public static List<String> in(byte[] message, int most) {
    SequencedSet<String> inBrackets = new LinkedHashSet<>();
    SequencedSet<String> bare = new LinkedHashSet<>();
    for (String text : ReadableText.of(message)) {
      int from = 0;
      while (from < text.length() && inBrackets.size() < most) {
        int to = endOfWord(text, from);
        if (to - from == IncidentId.LENGTH) {
          String word = text.substring(from, to);
          if (isInBrackets(text, from, to)) {
            IncidentId.canonical(word).ifPresent(inBrackets::add);
          } else if (bare.size() < most && isMixed(word)) {
            IncidentId.canonical(word).ifPresent(bare::add);
          }
        }
        from = to + 1;
      }
    }
    inBrackets.addAll(bare);
    return inBrackets.stream().limit(most).toList();
  }

  private static boolean isInBrackets(String text, int from, int to) {
    return from > 0 && text.charAt(from - 1) == '[' && to < text.length() && text.charAt(to) == ']';
  }

  /** Index of the first character that is no letter or digit of ASCII. */
  private static int endOfWord(String text, int from) {
    int to = from;
    while (to < text.length() && (isDigit(text.charAt(to)) || isLetter(text.charAt(to)))) {
      to++;
    }
    return to;
  }

  private static boolean isMixed(String word) {
    return word.chars().anyMatch(QuotedIds::isDigit) && word.chars().anyMatch(QuotedIds::isLetter);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
}

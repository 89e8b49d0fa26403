package io.bloomgate.gateway.smtp;

import java.util.Locale;
import java.util.Optional;

/**
 * One command line, split into its verb and the rest (RFC 5321 section 4.1.1). Immutable.
 *
 * @param verb in upper case, letters only
 * @param argument without white space at either end; empty when there is none
 */
public record CommandLine(String verb, String argument) {

  /**
   * Reads a line without its CRLF. The verb is the whole first word, so that {@code QUITX} is not
   * QUIT; empty when the first word is not one of letters.
   */
  public static Optional<CommandLine> parse(String line) {
    int start = 0;
    while (start < line.length() && isBlank(line.charAt(start))) {
      start++;
    }
    int end = start;
    while (end < line.length() && isLetter(line.charAt(end))) {
      end++;
    }
    boolean wordEnds = end == line.length() || isBlank(line.charAt(end));
    if (end == start || !wordEnds) {
      return Optional.empty();
    }
    int from = end;
    int to = line.length();
    while (from < to && isBlank(line.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(line.charAt(to - 1))) {
      to--;
    }
    String verb = line.substring(start, end).toUpperCase(Locale.ROOT);
    return Optional.of(new CommandLine(verb, line.substring(from, to)));
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  /** A space or a tab: clients send both between words. */
  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}

package io.bloomgate.gateway.smtp;

import java.util.Locale;

/** The input where a command line was expected. Immutable. */
public sealed interface CommandInput {

  /**
   * One command line, split into its verb and the rest (RFC 5321 section 4.1.1).
   *
   * @param text without its CRLF, and without control characters
   * @param verb in upper case; empty when the first word is not one of letters
   * @param argument without white space at either end; empty when there is none
   */
  record Line(String text, String verb, String argument) implements CommandInput {

    /** Splits a line. The verb is the whole first word, so that {@code QUITX} is not QUIT. */
    public static Line parse(String line) {
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
        return new Line(line, "", "");
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
      return new Line(line, verb, line.substring(from, to));
    }

    private static boolean isLetter(char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    /** A space or a tab: clients send both between words. */
    static boolean isBlank(char c) {
      return c == ' ' || c == '\t';
    }
  }

  /** A line above {@code command_line_length}; it was skipped. */
  record TooLong() implements CommandInput {}

  /** A line that held a bare LF or CR, which RFC 5321 section 2.3.8 forbids. */
  record BareLineEnd() implements CommandInput {}

  /** A line without control characters that is not UTF-8; the text has a character an octet. */
  record NotUtf8(Line line) implements CommandInput {}

  /** A line with control characters. */
  record BadCharacters() implements CommandInput {}
}

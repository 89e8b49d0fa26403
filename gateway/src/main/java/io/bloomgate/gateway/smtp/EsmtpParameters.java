package io.bloomgate.gateway.smtp;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Takes {@code Mail-parameters} and {@code Rcpt-parameters} apart (RFC 5321 section 4.1.2). */
final class EsmtpParameters {

  private EsmtpParameters() {}

  /**
   * Keywords in upper case with their values, an empty value for none. The last counts of those
   * that are there twice. A value may hold what RFC 5321 forbids there, such as an equals sign, or
   * blanks between quotes: what reads the value decides about it.
   *
   * @param text what follows the path: nothing, or a blank and parameters
   */
  static Map<String, String> split(String text) throws ArgumentException {
    if (text.isEmpty()) {
      return Map.of();
    }
    if (!CommandLine.isBlank(text.charAt(0))) {
      throw invalid("a space must be between address and parameters");
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (int at = 0; at < text.length(); at++) {
      int end = endOfWord(text, at);
      if (end == at) {
        continue;
      }
      String word = text.substring(at, end);
      at = end;
      int equals = word.indexOf('=');
      String keyword = equals < 0 ? word : word.substring(0, equals);
      String value = equals < 0 ? "" : word.substring(equals + 1);
      if (!isKeyword(keyword)) {
        throw invalid("malformed parameter keyword");
      }
      found.put(keyword.toUpperCase(Locale.ROOT), value);
    }
    return found;
  }

  /** Index of the first blank outside quotes. */
  private static int endOfWord(String text, int from) {
    boolean quoted = false;
    int at = from;
    while (at < text.length() && (quoted || !CommandLine.isBlank(text.charAt(at)))) {
      quoted ^= text.charAt(at) == '"';
      at++;
    }
    return at;
  }

  private static boolean isKeyword(String keyword) {
    if (keyword.isEmpty() || keyword.charAt(0) == '-') {
      return false;
    }
    for (int i = 0; i < keyword.length(); i++) {
      char c = keyword.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static ArgumentException invalid(String problem) {
    return new ArgumentException(Replies.syntax("Syntax of parameters: " + problem));
  }
}

package io.bloomgate.gateway.smtp;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes {@code Mail-parameters} and {@code Rcpt-parameters} apart (RFC 5321 section 4.1.2). */
final class EsmtpParameters {

  private EsmtpParameters() {}

  /**
   * Index of the path behind a keyword with its colon, in any case; spaces behind the colon, which
   * many clients send, are skipped. -1 when the keyword is not there.
   */
  static int behindKeyword(String argument, String keyword) {
    if (!argument.regionMatches(true, 0, keyword, 0, keyword.length())) {
      return -1;
    }
    int at = keyword.length();
    while (at < argument.length() && argument.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  /**
   * Keywords in upper case with their values, an empty value for none.
   *
   * @param text what follows the path: nothing, or a space and parameters
   */
  static Argument<Map<String, String>> split(String text) {
    if (text.isEmpty()) {
      return new Argument.Valid<>(Map.of());
    }
    if (text.charAt(0) != ' ') {
      return invalid("a space must be between address and parameters");
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (String word : text.substring(1).split(" ", -1)) {
      if (word.isEmpty()) {
        continue;
      }
      int equals = word.indexOf('=');
      String keyword = equals < 0 ? word : word.substring(0, equals);
      String value = equals < 0 ? "" : word.substring(equals + 1);
      String problem = problemOf(keyword, value, equals >= 0);
      if (problem != null) {
        return invalid(problem);
      }
      if (found.put(keyword.toUpperCase(Locale.ROOT), value) != null) {
        return invalid("a parameter is there twice");
      }
    }
    return new Argument.Valid<>(found);
  }

  private static @Nullable String problemOf(String keyword, String value, boolean hasValue) {
    if (keyword.isEmpty() || keyword.charAt(0) == '-') {
      return "malformed parameter keyword";
    }
    for (int i = 0; i < keyword.length(); i++) {
      char c = keyword.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-') {
        return "malformed parameter keyword";
      }
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c == '=' || c > '~') {
        return "malformed parameter value";
      }
    }
    return hasValue && value.isEmpty() ? "a parameter has no value" : null;
  }

  private static <T> Argument<T> invalid(String problem) {
    return new Argument.Invalid<>(Replies.syntax("Syntax of parameters: " + problem));
  }
}

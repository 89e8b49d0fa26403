package io.bloomgate.blocklists.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of a log line, in time linear in its length, whatever the line holds. Pure. */
final class LogText {

  /** Octets of a domain, RFC 5321 section 4.5.3.1.2. */
  static final int MAX_DOMAIN = 255;

  /** Octets of a path, and of its local part alone, RFC 5321 section 4.5.3.1.3. */
  static final int MAX_PATH = 256;

  /** Characters at the beginning of a line among which the own line of a mail server begins. */
  static final int MAX_BEFORE = 1_024;

  /** Lines that were not understood and are shown, and what is shown of one. */
  private static final int MAX_EXAMPLES = 3;

  private static final int MAX_EXAMPLE = 300;

  private LogText() {}

  /** Keeps the first lines that were not understood. */
  static void example(List<String> kept, String line) {
    if (kept.size() < MAX_EXAMPLES && !line.isBlank()) {
      kept.add(line.substring(0, Math.min(line.length(), MAX_EXAMPLE)));
    }
  }

  /** The beginning of a text that is too long: one character more, so that it stays too long. */
  static String start(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most + 1);
  }

  /**
   * The text by which lists are asked about a domain: of one that is too long the end, still too
   * long.
   */
  static String domain(String text) {
    return text.substring(Math.max(0, text.length() - MAX_DOMAIN - 1));
  }

  /** The text by which lists are asked about an address: of one that is too long no local part. */
  static String address(String text) {
    int sign = text.lastIndexOf('@');
    String domain = domain(text.substring(sign + 1));
    return sign < 0 ? domain : (sign > MAX_PATH ? "" : text.substring(0, sign)) + "@" + domain;
  }

  /** The text between two others; {@code null} when either is missing. */
  static @Nullable String between(String line, String open, String close) {
    int from = line.indexOf(open);
    if (from < 0) {
      return null;
    }
    int to = line.indexOf(close, from + open.length());
    return to < 0 ? null : line.substring(from + open.length(), to);
  }

  /** The word behind a text, up to a space or the end; {@code null} when the text is missing. */
  static @Nullable String word(String line, String before) {
    int from = line.indexOf(before);
    if (from < 0) {
      return null;
    }
    int to = line.indexOf(' ', from + before.length());
    return line.substring(from + before.length(), to < 0 ? line.length() : to);
  }

  /** True for ASCII letters and digits alone, of this number. */
  static boolean isId(String text, int fewest, int most) {
    if (text.length() < fewest || text.length() > most) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!letter && (c < '0' || c > '9')) {
        return false;
      }
    }
    return true;
  }
}

package io.bloomgate.blocklists.replay;

import org.jspecify.annotations.Nullable;

/** Parts of a log line, in time linear in its length, whatever the line holds. Pure. */
final class LogText {

  private LogText() {}

  /** What is between two texts; {@code null} when either is missing. */
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

package io.bloomgate.blocklists.url;

import org.jspecify.annotations.Nullable;

/**
 * Puts back the dots, colons and slashes that somebody hid so that nobody follows a URL by
 * accident: {@code hxxp[:]//example[.]com}, {@code example(dot)com}, {@code example\.com}
 * (draft-grimminck-safe-ioc-sharing, and what reports write beside). Called by {@link UrlScanner}
 * for words with a bracket or a backslash; pure, any thread.
 */
final class Refanged {

  private static final String[] HIDDEN = {".", "dot", ":", "://", ":/", "/", "@", "at"};
  private static final String[] MEANT = {".", ".", ":", "://", ":/", "/", "@", "@"};

  /** The longest of the hidden marks. */
  private static final int MAX_HIDDEN = 3;

  private Refanged() {}

  /** The word as it was meant, or {@code null} when nothing is hidden in it. */
  static char @Nullable [] plain(char[] text, int from, int to) {
    StringBuilder plain = null;
    int copied = from;
    for (int i = from; i + 1 < to; i++) {
      int mark = mark(text, i, to);
      if (mark < 0 && !isEscapedDot(text, from, i, to)) {
        continue;
      }
      if (plain == null) {
        plain = new StringBuilder(to - from);
      }
      plain.append(text, copied, i - copied);
      plain.append(mark < 0 ? "." : MEANT[mark]);
      copied = mark < 0 ? i + 2 : i + HIDDEN[mark].length() + 2;
      i = copied - 1;
    }
    if (plain == null) {
      return null;
    }
    plain.append(text, copied, to - copied);
    return plain.toString().toCharArray();
  }

  /** True for a word that is nothing but a hidden dot: {@code dot}, {@code [.]}, {@code (dot)}. */
  static boolean isDot(char[] text, int from, int to) {
    if (to - from == HIDDEN[1].length() && is(HIDDEN[1], text, from)) {
      return true;
    }
    int mark = to - from > 2 ? mark(text, from, to) : -1;
    return mark >= 0 && MEANT[mark].equals(".") && HIDDEN[mark].length() + 2 == to - from;
  }

  /** True where a hidden mark begins. */
  static boolean isMark(char[] text, int at, int to) {
    return mark(text, at, to) >= 0;
  }

  /** Which hidden mark begins here, or -1. */
  private static int mark(char[] text, int at, int to) {
    char close =
        switch (text[at]) {
          case '[' -> ']';
          case '(' -> ')';
          case '{' -> '}';
          default -> 0;
        };
    if (close == 0) {
      return -1;
    }
    int end = at + 1;
    while (end < to && end - at <= MAX_HIDDEN + 1 && text[end] != close) {
      end++;
    }
    if (end == to || text[end] != close) {
      return -1;
    }
    for (int i = 0; i < HIDDEN.length; i++) {
      if (HIDDEN[i].length() == end - at - 1 && is(HIDDEN[i], text, at + 1)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean is(String mark, char[] text, int at) {
    for (int i = 0; i < mark.length(); i++) {
      char c = text[at + i];
      if (c != mark.charAt(i) && Character.toLowerCase(c) != mark.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEscapedDot(char[] text, int from, int at, int to) {
    return text[at] == '\\'
        && at > from
        && at + 2 < to
        && text[at + 1] == '.'
        && TextKinds.isLetterOrDigit(text[at - 1])
        && TextKinds.isLetterOrDigit(text[at + 2]);
  }
}

package io.bloomgate.blocklists.url;

import org.jspecify.annotations.Nullable;

/**
 * The beginning of a URL in a text: {@code http://}, {@code https:\\}, {@code hxxp://}. {@link
 * WordReader} asks at each colon; pure, any thread.
 *
 * @param start of the first letter
 * @param behind where user or host begin, behind the slashes
 * @param form {@link Form#DEFANGED} when the two letters in the middle are hidden
 */
record Scheme(int start, int behind, Form form) {

  /** Characters in front of the colon and behind it that belong to a scheme, at most. */
  static final int MAX_LENGTH = 16;

  private static final String HIDDEN = "xX*#+_-?";

  /** The scheme around a colon, or {@code null} when there is none. */
  static @Nullable Scheme at(char[] text, int from, int colon, int to) {
    int slashes = colon + 1;
    while (slashes < to && TextKinds.isSlash(text[slashes])) {
      slashes++;
    }
    if (slashes == colon + 1) {
      return null;
    }
    int end = colon;
    if (end > from && (text[end - 1] | 0x20) == 's') {
      end--;
    }
    int start = end - 4;
    if (start < from || (text[start] | 0x20) != 'h' || (text[end - 1] | 0x20) != 'p') {
      return null;
    }
    boolean whole = isT(text[start + 1]) && isT(text[start + 2]);
    if (whole || (isHidden(text[start + 1]) && isHidden(text[start + 2]))) {
      return new Scheme(start, slashes, whole ? Form.WHOLE : Form.DEFANGED);
    }
    return null;
  }

  private static boolean isT(char c) {
    return (c | 0x20) == 't';
  }

  private static boolean isHidden(char c) {
    return isT(c) || HIDDEN.indexOf(c) >= 0;
  }
}

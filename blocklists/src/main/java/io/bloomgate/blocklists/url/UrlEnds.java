package io.bloomgate.blocklists.url;

/**
 * Where a URL ends inside a word of a text. Called by {@link WordReader}; pure, any thread, linear
 * time.
 */
final class UrlEnds {

  private static final String OPENING = "([{";
  private static final String CLOSING = ")]}";

  /** Marks of a sentence that are no part of the URL in front of them. */
  private static final String SENTENCE = ".,;:!?'|\u3002\uff0e\uff61\u2026";

  /** Marks of emphasis and quotation, which are taken off when they are on both sides. */
  private static final String PAIRED = "*_~'";

  /** Characters between two URLs that were written without a space. */
  private static final String SEPARATORS = ",;|)]}'*";

  /** By character of ASCII: true for those between which a URL may end. */
  private static final boolean[] MARKS = marks();

  private UrlEnds() {}

  private static boolean[] marks() {
    boolean[] marks = new boolean[128];
    for (char c : (OPENING + CLOSING + SEPARATORS).toCharArray()) {
      marks[c] = true;
    }
    return marks;
  }

  /**
   * The end of the URL, sentence marks in front of it included.
   *
   * @param wordFrom where the word begins
   * @param start of the URL
   * @param from behind its scheme
   * @param to where the word ends
   */
  static int end(char[] text, int wordFrom, int start, int from, int to) {
    char before = start > wordFrom ? text[start - 1] : 0;
    int end = from;
    boolean path = false;
    int[] open = new int[OPENING.length()];
    for (; end < to; end++) {
      char c = text[end];
      if (c >= 128) {
        // In a host these are dots, in a path they are the end of a Chinese sentence.
        if (path && TextKinds.isWideDot(c)) {
          break;
        }
        continue;
      }
      if (TextKinds.isNameCharacter(c)) {
        continue;
      }
      path |= TextKinds.endsAuthority(c);
      if (!MARKS[c]) {
        continue;
      }
      int bracket = OPENING.indexOf(c);
      if (bracket >= 0) {
        open[bracket]++;
        continue;
      }
      bracket = CLOSING.indexOf(c);
      if ((bracket >= 0 && --open[bracket] < 0) || (c == '\'' && before == '\'')) {
        break;
      }
      if (SEPARATORS.indexOf(c) >= 0 && beginsUrl(text, end + 1, to)) {
        break;
      }
    }
    return end;
  }

  /** True when a scheme follows at once. */
  static boolean beginsUrl(char[] text, int at, int to) {
    int colon = at;
    while (colon < to && colon - at < Scheme.MAX_LENGTH && text[colon] != ':') {
      colon++;
    }
    if (colon == to || text[colon] != ':') {
      return false;
    }
    Scheme scheme = Scheme.at(text, at, colon, to);
    return scheme != null && scheme.start() == at;
  }

  /**
   * The end without the marks of the sentence around the URL.
   *
   * @param to as {@link #end} gives it
   */
  static int trimmed(char[] text, int wordFrom, int start, int from, int to) {
    char before = start > wordFrom ? text[start - 1] : 0;
    int end = to;
    boolean paired = PAIRED.indexOf(before) >= 0;
    while (end > from) {
      char last = text[end - 1];
      boolean opening = OPENING.indexOf(last) >= 0;
      if (!opening && SENTENCE.indexOf(last) < 0 && !(paired && last == before)) {
        break;
      }
      end--;
    }
    return end;
  }
}

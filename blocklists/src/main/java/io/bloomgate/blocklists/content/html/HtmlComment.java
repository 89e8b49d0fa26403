package io.bloomgate.blocklists.content.html;

/**
 * Reads what begins with {@code <!} while its characters pass: a comment, a declaration, or a
 * comment that Outlook reads as HTML ({@code <!--[if mso]>}); WHATWG HTML section 13.2.5.42 and
 * following. One object serves all of a text. Used by {@link HtmlTokens}.
 */
final class HtmlComment {

  /** What the characters so far are. */
  enum Read {
    /** Not ended. */
    OPEN,
    /** The character was the last. */
    ENDED,
    /** Everything up to the next {@code >} is none of the text; then HTML goes on. */
    DECLARATION,
    /** The same, and HTML goes on for Outlook; for others a comment goes on. */
    CONDITIONAL
  }

  private static final String CDATA = "[CDATA[";

  /** The first characters, enough to know a comment and Outlook's. */
  private final char[] mark = new char[5];

  private int marked;
  private boolean comment;

  /** Characters of {@code [CDATA[} so far; SVG and MathML alone have such sections. */
  private int cdata;

  private boolean foreign;
  private int brackets;

  /** Hyphens at the end so far, at most two; three for two and an exclamation mark. */
  private int hyphens;

  /**
   * Begins behind {@code <!}.
   *
   * @param inForeign true inside SVG or MathML
   */
  void start(boolean inForeign) {
    foreign = inForeign;
    cdata = 0;
    brackets = 0;
    marked = 0;
    comment = false;
    hyphens = 0;
  }

  /** Takes the next character. */
  Read add(char c) {
    if (foreign && cdata == CDATA.length()) {
      boolean ended = c == '>' && brackets >= 2;
      brackets = c == ']' ? Math.min(2, brackets + 1) : 0;
      return ended ? Read.ENDED : Read.OPEN;
    }
    if (foreign && c == CDATA.charAt(cdata) && marked == 0) {
      cdata++;
      return Read.OPEN;
    }
    if (cdata > 0) {
      return c == '>' ? Read.ENDED : Read.DECLARATION;
    }
    return comment ? inComment(c) : beginning(c);
  }

  private Read beginning(char c) {
    mark[marked++] = c;
    if (mark[0] != '-' || (marked == 2 && mark[1] != '-')) {
      return c == '>' ? Read.ENDED : Read.DECLARATION;
    }
    boolean empty = c == '>' && (marked == 3 || (marked == 4 && mark[2] == '-')); // <!--> <!--->
    if (empty) {
      return Read.ENDED;
    }
    if (marked < 5 && !(marked == 3 && c != '[' && c != '-')) {
      return Read.OPEN;
    }
    if (marked == 5 && mark[2] == '[' && (mark[3] | 0x20) == 'i' && (c | 0x20) == 'f') {
      return Read.CONDITIONAL;
    }
    comment = true;
    for (int i = 2; i < marked; i++) {
      if (inComment(mark[i]) == Read.ENDED) {
        return Read.ENDED;
      }
    }
    return Read.OPEN;
  }

  /** {@code -->} and {@code --!>} end a comment. */
  private Read inComment(char c) {
    if (c == '>' && hyphens >= 2) {
      return Read.ENDED;
    }
    hyphens = hyphens(hyphens, c);
    return Read.OPEN;
  }

  /**
   * Hyphens at the end so far, at most two; three for two and an exclamation mark. From two on a
   * {@code >} ends a comment.
   *
   * @param before the same without the character
   */
  static int hyphens(int before, char c) {
    if (c == '-') {
      return before >= 3 ? 1 : Math.min(2, before + 1);
    }
    return c == '!' && before == 2 ? 3 : 0;
  }
}

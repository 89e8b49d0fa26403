package io.bloomgate.blocklists.content.html;

/**
 * Looks for the end of a script, a style or a title while its characters pass: {@code </name} with
 * white space, a slash or {@code >} behind it. Used by {@link HtmlTokens}.
 */
final class RawText {

  private static final String COMMENT = "<!--";

  private long wanted;
  private long name;
  private int length;

  /** How much of {@code </} was seen. */
  private int seen;

  /** How much of {@code <!--} was seen, all of it inside a comment of a script. */
  private int comment;

  /** A tag seems to begin in a style or a title. */
  private boolean tag;

  /** Hyphens at the end so far, at most two. */
  private int hyphens;

  /** Behind {@code <script} in a comment of a script: the next end of one ends only that. */
  private boolean twice;

  /** Begins behind the tag with that name. */
  void start(long of) {
    wanted = of;
    tag = false;
    seen = 0;
    comment = 0;
    hyphens = 0;
    twice = false;
  }

  /** Takes the next character; true when it is the first behind the name that ends the text. */
  boolean ends(char c) {
    if (wanted == HtmlNames.SCRIPT) {
      inScript(c);
    }
    if (c == '<') {
      seen = 1;
    } else if (seen == 1) {
      name = 0;
      length = 0;
      if (c == '/') {
        seen = 2;
      } else if (comment == COMMENT.length() && HtmlNames.isLetter(c)) {
        seen = 3;
        name = HtmlNames.more(name, length++, c);
      } else {
        tag |= wanted != HtmlNames.SCRIPT && HtmlNames.isLetter(c);
        seen = 0;
      }
    } else if (seen >= 2) {
      if (HtmlNames.isBlank(c) || c == '/' || c == '>') {
        boolean ends = seen == 2 && name == wanted && !twice;
        if (name == wanted) {
          twice = seen == 3;
        }
        seen = 0;
        return ends;
      }
      name = HtmlNames.more(name, length++, c);
    }
    return false;
  }

  /** True behind {@code <} and a letter, unless that is in a script. */
  boolean hasTag() {
    return tag;
  }

  /** A script in a comment of a script has its own end; WHATWG HTML section 13.2.5.20 and next. */
  private void inScript(char c) {
    if (comment == COMMENT.length()) {
      if (c == '>' && hyphens == 2) {
        comment = 0;
        twice = false;
      }
      hyphens = c == '-' ? Math.min(2, hyphens + 1) : 0;
    } else if (c == COMMENT.charAt(comment)) {
      comment++;
      hyphens = comment == COMMENT.length() ? 2 : 0;
    } else {
      comment = c == '<' ? 1 : 0;
    }
  }
}

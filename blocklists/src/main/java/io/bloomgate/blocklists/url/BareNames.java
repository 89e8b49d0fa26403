package io.bloomgate.blocklists.url;

import io.bloomgate.blocklists.entry.PublicSuffixes;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.WebUrl;

/**
 * Finds hosts without a scheme in a word of a text: {@code www.example.com/a}, and where it is
 * wanted any name below a public suffix. Called by {@link WordReader}; of one thread, linear time.
 */
final class BareNames {

  private static final String WWW = "www";

  private final Found found;
  private final MayMap mayMap;
  private long work;
  private long cost;

  /** Asked for a name before it is read by international rules. */
  @FunctionalInterface
  interface MayMap {
    boolean test(char[] text, int from, int to);
  }

  /** For a name that the caller has asked for. */
  BareNames(Found found) {
    this(found, (text, from, to) -> true);
  }

  BareNames(Found found, MayMap mayMap) {
    this.found = found;
    this.mayMap = mayMap;
  }

  /** Characters that were looked at so far, for the test of linear time. */
  long work() {
    return work;
  }

  /** Characters that were read as names since the last call. */
  long takeCost() {
    long taken = cost;
    cost = 0;
    return taken;
  }

  /**
   * Finds the names between two places of a word.
   *
   * @param wordFrom where the word begins
   * @param wordTo where the word ends
   * @param all false for those with {@code www.} only
   * @param least the form of what has {@code www.}
   */
  void find(char[] text, int wordFrom, int from, int to, int wordTo, boolean all, Form least) {
    work += to - from;
    int at = from;
    while (at < to) {
      while (at < to && !TextKinds.isHostCharacter(text[at])) {
        at++;
      }
      int start = at;
      boolean dot = false;
      while (at < to && TextKinds.isHostCharacter(text[at])) {
        dot |= isDot(text[at++]);
      }
      if (dot && !isPartOfOther(text, wordFrom, start, at, wordTo)) {
        at = Math.max(at, name(text, wordFrom, start, at, to, all, least));
      }
    }
  }

  private static boolean isDot(char c) {
    return c == '.' || TextKinds.isWideDot(c);
  }

  /** True behind a slash or an at sign, and in front of an at sign. */
  private static boolean isPartOfOther(char[] text, int wordFrom, int from, int to, int wordTo) {
    if (to < wordTo && text[to] == '@') {
      return true;
    }
    char before = from > wordFrom ? text[from - 1] : ' ';
    return before == '@' || TextKinds.isSlash(before);
  }

  /** Reads one run of host characters; returns the end of what was found in it. */
  private int name(
      char[] text, int wordFrom, int runFrom, int runTo, int to, boolean all, Form least) {
    int from = nameStart(text, runFrom, runTo);
    boolean www = isWww(text, from, runTo);
    if (!www && !all) {
      return runTo;
    }
    int end = runTo;
    while (end > from && !isNameEnd(text[end - 1])) {
      end--;
    }
    int last = end;
    while (last > from && !isDot(text[last - 1])) {
      last--;
    }
    if (last == from) {
      return runTo;
    }
    int glued = wide(text, last, end);
    boolean cut = glued > last && TopLevelNames.contains(text, last, glued);
    int nameEnd = cut ? glued : end;
    if (!mayMap.test(text, from, nameEnd)) {
      return runTo;
    }
    if (!isTopLevel(text, from, last, nameEnd)
        || (!www && least == Form.WHOLE && FileNames.isFileLike(text, from, last, nameEnd))) {
      return runTo;
    }
    // The host is read before the path, which may be as long as the word.
    work += runTo - runFrom;
    cost += runTo - runFrom + UrlsLeft.EACH;
    WebUrl url = WebUrl.asked(text, from, nameEnd).orElse(null);
    if (url == null || !(url.host() instanceof DomainName host) || PublicSuffixes.contains(host)) {
      return runTo;
    }
    int urlEnd = nameEnd;
    int trimmed = nameEnd;
    if (nameEnd == runTo && runTo < to && continues(text, runTo, to)) {
      urlEnd = UrlEnds.end(text, wordFrom, from, runTo, to);
      trimmed = UrlEnds.trimmed(text, wordFrom, from, from, urlEnd);
      work += urlEnd - from + (trimmed - from);
      url = WebUrl.asked(text, from, trimmed).orElse(url);
    }
    Form form = www || least == Form.DEFANGED ? least : Form.SCHEMELESS;
    found.accept(text, from, trimmed, url, form);
    return urlEnd;
  }

  /**
   * Behind Chinese, Japanese or Korean text, and behind anything in front of {@code www.} but
   * ASCII, that is written next to the name; and behind dots.
   */
  private static int nameStart(char[] text, int from, int to) {
    int start = from;
    for (int i = from; i < to && !isDot(text[i]); i++) {
      boolean before = TextKinds.isUnspaced(text[i]) || (text[i] >= 128 && isWww(text, i + 1, to));
      if (before && i + 1 < to && TextKinds.isLetterOrDigit(text[i + 1])) {
        start = i + 1;
      }
    }
    while (start < to && !isNameEnd(text[start])) {
      start++;
    }
    return start;
  }

  private static boolean isNameEnd(char c) {
    return TextKinds.isLetterOrDigit(c) || (c >= 128 && !TextKinds.isWideDot(c));
  }

  /** Where text begins behind a name that is not ASCII, or the end. */
  static int wide(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] >= 128) {
        return i;
      }
    }
    return to;
  }

  private static boolean isWww(char[] text, int from, int to) {
    if (to - from <= WWW.length() || !isDot(text[from + WWW.length()])) {
      return false;
    }
    for (int i = 0; i < WWW.length(); i++) {
      if ((text[from + i] | 0x20) != WWW.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isTopLevel(char[] text, int from, int last, int to) {
    for (int i = last; i < to; i++) {
      if (text[i] >= 128) {
        cost += to - from + UrlsLeft.EACH;
        return DomainName.parse(new String(text, from, to - from))
            .toOptional()
            .filter(BareNames::isBelowTopLevel)
            .isPresent();
      }
    }
    return TopLevelNames.contains(text, last, to);
  }

  private static boolean isBelowTopLevel(DomainName name) {
    int last = name.labelOffset(name.labels() - 1);
    char[] label = name.toString().toCharArray();
    return TopLevelNames.contains(label, last, label.length);
  }

  /** True when path, query or port follow the name. */
  private static boolean continues(char[] text, int at, int to) {
    char c = text[at];
    return TextKinds.endsAuthority(c)
        || (c == ':' && at + 1 < to && text[at + 1] >= '0' && text[at + 1] <= '9');
  }
}

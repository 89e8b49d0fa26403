package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;

/**
 * Finds the URLs in one word of a text, the run of characters between white space, quotes and angle
 * brackets. Called by {@link UrlScanner} and {@link SpokenUrls}; of one thread, linear time.
 */
final class WordReader {

  /** ASCII marks beside hyphens that a host of a text may have; others end the URL. */
  private static final String HOST_MARKS = ".%:[]@";

  private static final int WHOLE = -1;
  private static final int HIDDEN = -2;

  private final UrlsLeft left;
  private final Found found;
  private final BareNames bareNames;
  private long work;
  private long cost;

  WordReader(UrlsLeft left, Found found) {
    this.left = left;
    this.found = found;
    // Mail programs make a link of www.example.com, and people write it for the name of a site.
    this.bareNames =
        new BareNames(
            (text, from, to, url, form) ->
                found.accept(text, from, to, url, form == Form.WHOLE ? Form.SCHEMELESS : form),
            left::mayMapBare);
  }

  /** Characters that were read as URLs and names since the last call. */
  long takeCost() {
    long taken = cost + bareNames.takeCost();
    cost = 0;
    return taken;
  }

  /** Characters that were looked at so far, for the test of linear time. */
  long work() {
    return work + bareNames.work();
  }

  /**
   * Reads a word.
   *
   * @param bare whether names without scheme and {@code www.} are wanted
   * @param least the form of what is found with its scheme
   */
  void read(char[] text, int from, int to, boolean bare, Form least) {
    scan(text, from, to, bare, least, false);
  }

  /** Reads a word behind a scheme that stands alone: only bare names, all of them defanged. */
  void readBare(char[] text, int from, int to) {
    bareNames(text, from, from, to, to, true, Form.DEFANGED);
  }

  /**
   * Reads the beginning of a word that goes on.
   *
   * @return from where the text is needed again, when the rest is known: the beginning of a URL
   *     that reaches the end, which is found now only when it begins the text; or behind the last
   *     URL
   */
  int readOpen(char[] text, int from, int to) {
    return scan(text, from, to, false, Form.WHOLE, true);
  }

  private int scan(char[] text, int from, int to, boolean bare, Form least, boolean open) {
    work += to - from;
    int done = from;
    boolean failed = false;
    for (int colon = from; colon < to; colon++) {
      if (text[colon] != ':') {
        continue;
      }
      Scheme scheme = Scheme.at(text, done, colon, to);
      // What fails once in a word may fail a thousand times: then the host is read first.
      if (scheme == null || (failed && !hasHost(text, scheme, to))) {
        continue;
      }
      int end = UrlEnds.end(text, from, scheme.start(), scheme.behind(), to);
      work += end - scheme.behind();
      cost += end - scheme.start() + UrlsLeft.EACH;
      if (open && end == to && scheme.start() > from) {
        return scheme.start();
      }
      if (!url(text, from, scheme, end, least)) {
        failed = true;
        continue;
      }
      bareNames(text, from, done, scheme.start(), to, bare, least);
      done = end;
      colon = end - 1;
    }
    if (!open) {
      bareNames(text, from, done, to, to, bare, least);
    }
    return done;
  }

  private void bareNames(
      char[] text, int wordFrom, int from, int to, int wordTo, boolean bare, Form least) {
    if (from < to) {
      bareNames.find(text, wordFrom, from, to, wordTo, bare, least);
    }
  }

  private boolean hasHost(char[] text, Scheme scheme, int to) {
    int end = authorityEnd(text, scheme.behind(), to);
    work += end - scheme.behind();
    cost += end - scheme.start() + UrlsLeft.EACH;
    return hostCut(text, scheme.behind(), end) != HIDDEN
        && left.asked(text, scheme.behind() - 1, end) != null;
  }

  private static int authorityEnd(char[] text, int from, int to) {
    int end = from;
    while (end < to && !TextKinds.endsAuthority(text[end])) {
      end++;
    }
    return end;
  }

  /** Gives the URL behind a scheme; false when there is none. */
  private boolean url(char[] text, int wordFrom, Scheme scheme, int end, Form least) {
    int behind = scheme.behind();
    int trimmed = UrlEnds.trimmed(text, wordFrom, scheme.start(), behind, end);
    int cut = hostCut(text, behind, authorityEnd(text, behind, trimmed));
    if (cut == HIDDEN) {
      return false;
    }
    work += trimmed - behind;
    // The slash in front makes sure that no user is taken for a scheme.
    WebUrl url = cut < 0 ? null : left.asked(text, behind - 1, cut);
    int last = url == null ? trimmed : cut;
    if (url == null) {
      url = left.asked(text, behind - 1, trimmed);
    }
    Form form = least == Form.WHOLE ? scheme.form() : least;
    if (url != null) {
      found.accept(text, scheme.start(), last, url, form);
      if (last < trimmed && text[last] < 128) {
        // Some mail programs take a mark in the host for a part of it.
        WebUrl all = left.asked(text, behind - 1, trimmed);
        if (all != null) {
          found.accept(text, scheme.start(), trimmed, all, form);
        }
      }
    }
    int glued = glued(text, behind, last);
    WebUrl shorter = null;
    if (glued > behind) {
      int before = UrlEnds.trimmed(text, wordFrom, scheme.start(), behind, glued);
      shorter = left.asked(text, behind - 1, before);
      if (shorter != null) {
        found.accept(text, scheme.start(), before, shorter, form);
      }
    }
    return url != null || shorter != null;
  }

  /**
   * Where text may begin that is not part of the URL for many mail programs: anything but ASCII
   * behind a word of its path, or behind a top-level name in its host. Such a URL is read in both
   * ways.
   *
   * @return -1 for nowhere
   */
  private static int glued(char[] text, int from, int to) {
    if (TextKinds.isAscii(text, from, to)) {
      return -1;
    }
    int label = from;
    boolean path = false;
    for (int i = from; i < to; i++) {
      char c = text[i];
      if (c >= 128 && !TextKinds.isWideDot(c)) {
        if (path
            ? TextKinds.isNameCharacter(text[i - 1])
            : TopLevelNames.contains(text, label, i)) {
          return i;
        }
      } else if (TextKinds.endsAuthority(c)) {
        path = true;
      } else if (c == '.' || c == '@' || c >= 128) {
        label = i + 1;
      }
    }
    return -1;
  }

  private static boolean hasDot(char[] text, int from, int to) {
    for (int i = from; i + 1 < to; i++) {
      if ((text[i] == '.' || TextKinds.isWideDot(text[i])) && text[i + 1] != '.') {
        return true;
      }
    }
    return false;
  }

  /**
   * Where text begins that is written next to the host and not part of it: a mark that no host has,
   * or Chinese, Japanese or Korean text behind a top-level name.
   *
   * @return {@link #WHOLE} when all of it is the host, {@link #HIDDEN} when a dot of it is hidden
   */
  private static int hostCut(char[] text, int from, int to) {
    int host = from;
    for (int i = from; i < to; i++) {
      if (text[i] == '@') {
        host = i + 1;
      }
    }
    int label = host;
    for (int i = host; i < to; i++) {
      char c = text[i];
      if (c == '.' || TextKinds.isWideDot(c)) {
        label = i + 1;
      } else if (TextKinds.isUnspaced(c)) {
        boolean isLast = TopLevelNames.contains(text, label, i) && !hasDot(text, i, to);
        return isLast ? i : WHOLE;
      } else if (c < 128 && !TextKinds.isNameCharacter(c) && HOST_MARKS.indexOf(c) < 0) {
        return Refanged.isMark(text, i, to) ? HIDDEN : i;
      } else if (c == '[' && i > host) {
        return Refanged.isMark(text, i, to) ? HIDDEN : i;
      }
    }
    return WHOLE;
  }
}

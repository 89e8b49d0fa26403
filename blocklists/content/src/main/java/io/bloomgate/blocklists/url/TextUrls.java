package io.bloomgate.blocklists.url;

import java.util.EnumSet;
import org.nibor.autolink.LinkExtractor;
import org.nibor.autolink.LinkSpan;
import org.nibor.autolink.LinkType;
import org.nibor.autolink.Span;

/**
 * Finds the links that mail programs make of a text: URLs with a scheme, {@code www.} and, where it
 * is asked for, bare names such as {@code example.com/a}. Where a URL ends says autolink. Used by
 * the reader of a mail, one for all its texts; of one thread, linear time.
 */
public final class TextUrls {

  /** Names without a scheme that are looked at in one mail: a look costs as much as 100 octets. */
  private static final int MAX_BARE = 10_000;

  /** Characters between angle brackets that may be a URL. */
  private static final int MAX_BRACKETED = 2_000;

  private static final LinkExtractor LINKS =
      LinkExtractor.builder().linkTypes(EnumSet.of(LinkType.URL, LinkType.WWW)).build();

  private static final String SCHEME = "://";
  private static final String SENTENCE = ".,;:!?'|*_~)]}";

  private final Sink sink;
  private int bareLeft = MAX_BARE;

  /** Takes what is found. */
  @FunctionalInterface
  public interface Sink {

    /**
     * One link.
     *
     * @param at where it begins in the text
     * @param hasScheme false for {@code www.} and bare names
     */
    void found(int at, String url, boolean hasScheme);
  }

  /** Finds links for this sink. */
  public TextUrls(Sink sink) {
    this.sink = sink;
  }

  /** True when there were more bare names than are looked at. */
  public boolean isLimited() {
    return bareLeft == 0;
  }

  /**
   * Reads a text.
   *
   * @param isPlain true for one that programs find bare names and bracketed URLs in
   */
  public void read(String text, boolean isPlain) {
    if (text.indexOf('.') < 0 && text.indexOf(SCHEME) < 0) {
      return;
    }
    for (Span span : LINKS.extractSpans(text)) {
      if (span instanceof LinkSpan link) {
        link(text, link);
      } else if (isPlain) {
        bare(text, span.getBeginIndex(), span.getEndIndex());
      }
    }
    if (isPlain) {
      bracketed(text);
    }
  }

  private void link(String text, LinkSpan link) {
    int from = link.getBeginIndex();
    int to = link.getEndIndex();
    if (link.getType() == LinkType.WWW) {
      www(text, from, to);
      return;
    }
    int colon = text.indexOf(SCHEME, from);
    int start = webScheme(text, from, colon);
    if (start < 0) {
      return;
    }
    // A URL may touch the one in front of it, as in http://a.example,http://b.example.
    for (int next = nextScheme(text, colon + 1, to); next >= 0; ) {
      sink.found(start, trimmed(text, start, next), true);
      start = next;
      colon = text.indexOf(SCHEME, start);
      next = nextScheme(text, colon + 1, to);
    }
    int end = gluedText(text, colon + SCHEME.length(), to);
    // Marks of emphasis on both sides.
    boolean isPaired = start > 0 && "*_~".indexOf(text.charAt(start - 1)) >= 0;
    while (isPaired && text.charAt(end - 1) == text.charAt(start - 1)) {
      end--;
    }
    sink.found(start, text.substring(start, end), true);
  }

  private void www(String text, int from, int to) {
    int end = nameEnd(text, from, to);
    if (bareLeft > 0 && HostNames.isHost(text, from, end, false)) {
      bareLeft--;
      sink.found(from, "//" + text.substring(from, to), false);
    }
  }

  /** Finds {@code http} or {@code https} in front of a colon; -1 for another scheme. */
  private static int webScheme(String text, int from, int colon) {
    for (String scheme : new String[] {"https", "http"}) {
      int at = colon - scheme.length();
      if (at >= from && text.regionMatches(true, at, scheme, 0, scheme.length())) {
        return at;
      }
    }
    return -1;
  }

  /** Finds where the next URL begins that a mark divides from this one; -1 when none does. */
  private static int nextScheme(String text, int from, int to) {
    for (int colon = text.indexOf(SCHEME, from);
        colon >= 0 && colon < to;
        colon = text.indexOf(SCHEME, colon + 1)) {
      int at = webScheme(text, from, colon);
      if (at > from && ",;|)]}'*".indexOf(text.charAt(at - 1)) >= 0) {
        return at;
      }
    }
    return -1;
  }

  /** Finds where a script without spaces touches the top-level name of a host. */
  private static int gluedText(String text, int from, int to) {
    int label = from;
    for (int i = from; i < to && "/?#\\".indexOf(text.charAt(i)) < 0; i++) {
      char c = text.charAt(i);
      if (c == '.' || c == '@') {
        label = i + 1;
      } else if (c >= 0x80 && TopLevelNames.contains(text, label, i)) {
        return i;
      }
    }
    return to;
  }

  private void bare(String text, int from, int to) {
    int at = from;
    while (at < to) {
      while (at < to && !HostNames.isPart(text.charAt(at))) {
        at++;
      }
      int start = at;
      boolean dot = false;
      while (at < to && HostNames.isPart(text.charAt(at))) {
        dot |= text.charAt(at++) == '.';
      }
      if (dot && bareLeft > 0 && !isPartOfOther(text, start, at)) {
        at = name(text, start, at, to);
      }
    }
  }

  /** Reads one run of characters of names; returns the end of what was found in it. */
  private int name(String text, int runFrom, int runTo, int to) {
    int from = runFrom;
    while (from < runTo && "-._".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    int end = runTo;
    while (end > from && "-._".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    int dot = text.lastIndexOf('.', end - 1);
    if (dot <= from || !TopLevelNames.contains(text, dot + 1, end)) {
      return runTo;
    }
    bareLeft--;
    if (!HostNames.isHost(text, from, end, true)) {
      return runTo;
    }
    int urlEnd = runTo;
    if (end == runTo && runTo < to && "/?:".indexOf(text.charAt(runTo)) >= 0) {
      while (urlEnd < to && !endsUrl(text.charAt(urlEnd))) {
        urlEnd++;
      }
      end = urlEnd;
    }
    sink.found(from, "//" + trimmed(text, from, end), false);
    return urlEnd;
  }

  /** True behind a slash and around an at sign. */
  private static boolean isPartOfOther(String text, int from, int to) {
    boolean before = from > 0 && "@/\\".indexOf(text.charAt(from - 1)) >= 0;
    return before || (to < text.length() && text.charAt(to) == '@');
  }

  private static int nameEnd(String text, int from, int to) {
    int end = from;
    while (end < to && HostNames.isPart(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean endsUrl(char c) {
    return c <= ' ' || c == '<' || c == '>' || c == '"' || Character.isSpaceChar(c);
  }

  /** Returns the text without the marks of the sentence around it. */
  private static String trimmed(String text, int from, int to) {
    int end = to;
    while (end > from && SENTENCE.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(from, end);
  }

  /** URLs in angle brackets with line breaks inside, which are left out (RFC 3986 appendix C). */
  private void bracketed(String text) {
    for (int at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
      int from = at + (text.regionMatches(true, at + 1, "URL:", 0, 4) ? 5 : 1);
      if (!text.regionMatches(true, from, "http", 0, 4)) {
        continue;
      }
      int end = from;
      boolean blank = false;
      int limit = Math.min(text.length(), from + MAX_BRACKETED);
      while (end < limit && text.charAt(end) != '>' && text.charAt(end) != '<') {
        blank |= text.charAt(end) <= ' ';
        end++;
      }
      String inside = text.substring(from, end);
      if (blank && end < limit && text.charAt(end) == '>' && !inside.contains("\n\n")) {
        sink.found(at, inside.replaceAll("\\s", ""), true);
      }
    }
  }
}

package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.url.FoundUrl;
import io.bloomgate.blocklists.url.UrlScanner;
import io.bloomgate.blocklists.url.UrlsLeft;
import io.bloomgate.config.name.WebUrl;
import org.jspecify.annotations.Nullable;

/**
 * Hands the text and the links of one leaf to the scanner of URLs, and what it finds to the keys.
 * Used by {@link LeafReader}.
 */
final class Urls {

  /**
   * Hyphens or underscores with which a line begins above a quote whose lines have no marks, as in
   * {@code -----Original Message-----}.
   */
  private static final int LEAST_RULE = 5;

  private static final char NO_BREAK_SPACE = '\u00a0';

  private final EvidenceKeys keys;
  private final UrlsLeft left;
  private @Nullable UrlScanner scanner;
  private @Nullable WebUrl base;
  private boolean based;
  private boolean isPlain;
  private TextPlace place = TextPlace.of(false);

  /** Quotes around what comes now. */
  private int quotes;

  /** Something was said outside of quotes. */
  private boolean ownText;

  /** Nothing but blanks since the line began. */
  private boolean lineBegins;

  /** What the line began with, as long as it may be a rule, otherwise 0; and how often. */
  private char rule;

  private int ofRule;

  /** All that follows is quoted. */
  private boolean belowRule;

  private final EarlyLinks early;

  Urls(EvidenceKeys keys, UrlsLeft left) {
    this.keys = keys;
    this.left = left;
    this.early = new EarlyLinks(left);
  }

  /** Begins a leaf. */
  void start(boolean plain, TextPlace at) {
    UrlScanner before = scanner;
    if (before != null) {
      before.start(plain);
    }
    isPlain = plain;
    place = at;
    base = at.location();
    based = false;
    early.clear();
    quotes = 0;
    ownText = false;
    lineBegins = true;
    rule = 0;
    belowRule = false;
  }

  /** In the middle of a text that another one read until here. */
  void quotedLike(Urls other) {
    quotes = other.quotes;
    ownText = other.ownText;
    belowRule = other.belowRule;
  }

  /** The next characters of the visible text. */
  void text(char[] text, int from, int to) {
    UrlScanner open = scanner();
    if (!place.reply()) {
      open.put(text, from, to);
    } else if (isPlain) {
      lines(open, text, from, to);
    } else {
      ownText |= quotes == 0 && !isBlank(text, from, to);
      open.put(text, from, to);
    }
  }

  private UrlScanner scanner() {
    UrlScanner reader = scanner == null ? new UrlScanner(isPlain, left, this::found) : scanner;
    scanner = reader;
    return reader;
  }

  /** Line by line, because a line is quoted or not; a word ends with its line. */
  private void lines(UrlScanner open, char[] text, int from, int to) {
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && text[end] != '\n') {
        if (lineBegins && text[end] > ' ') {
          lineBegins = false;
          beginLine(text[end]);
        }
        if (rule != 0) {
          inRule(text[end]);
        }
        end++;
      }
      boolean ends = end < to;
      open.put(text, at, ends ? end + 1 : end);
      lineBegins |= ends;
      rule = ends ? 0 : rule;
      at = end + 1;
    }
  }

  private void beginLine(char first) {
    quotes = first == '>' ? 1 : 0;
    rule = first == '-' || first == '_' ? first : 0;
    ofRule = 0;
    ownText |= quotes == 0 && rule == 0;
  }

  private void inRule(char next) {
    if (next != rule) {
      rule = 0;
      ownText = true;
    } else if (++ofRule == LEAST_RULE) {
      rule = 0;
      belowRule |= ownText;
    }
  }

  private static boolean isBlank(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] > ' ' && text[i] != NO_BREAK_SPACE) {
        return false;
      }
    }
    return true;
  }

  /** A quote of HTML begins or ends. */
  void quote(boolean begins) {
    quotes = Math.max(0, quotes + (begins ? 1 : -1));
  }

  /** A URL that nobody follows by a click. */
  void mention(String value) {
    UrlScanner other = new UrlScanner(false, left, found -> keys.url(found.url(), Place.NESTED));
    other.link(value.toCharArray(), value.length(), null);
  }

  /** The value of an attribute. */
  void link(String value) {
    link(value.toCharArray(), value.length());
  }

  /** The same of the first characters. */
  void link(char[] value, int length) {
    if (!based && isRelative(value, length)) {
      early.add(value, length);
    }
    scanner().link(value, length, base);
  }

  /** The content of a refresh. */
  void refresh(String content) {
    scanner().refresh(content, base);
  }

  /** What later links are relative to; the first of a text counts. */
  void base(String value) {
    WebUrl said = based ? null : WebUrl.asked(value.strip()).orElse(null);
    if (said != null) {
      base = said;
      based = true;
    }
    link(value);
    if (said != null && !early.take(this::link)) {
      keys.skipped(Skipped.MANY_LINKS);
    }
  }

  /** Without a scheme in front of its path. */
  private static boolean isRelative(char[] value, int length) {
    for (int i = 0; i < length; i++) {
      char c = value[i];
      if (c == '/' || c == '?' || c == '\\') {
        return true;
      }
      if (c == ':' || c == '#') {
        return false;
      }
    }
    return length > 0;
  }

  /** Ends the leaf. */
  void end() {
    UrlScanner open = scanner;
    if (open != null) {
      open.end();
    }
    early.clear();
    if (left.isLimited()) {
      keys.skipped(Skipped.MANY_LINKS);
    }
  }

  private void found(FoundUrl found) {
    keys.url(
        found.url(),
        place.nested() || (place.reply() && ((quotes > 0 && ownText) || belowRule))
            ? Place.NESTED
            : switch (found.form()) {
              case WHOLE -> Place.OPEN;
              case SCHEMELESS -> Place.SCHEMELESS;
              case DEFANGED -> Place.DEFANGED;
              case NESTED -> Place.NESTED;
            });
  }
}

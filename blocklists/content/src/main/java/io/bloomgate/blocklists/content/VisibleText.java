package io.bloomgate.blocklists.content;

import java.util.ArrayList;
import java.util.List;

/**
 * The visible part of one text, as a reader of a mail sees it, and the links in it by their places.
 * Filled by {@link PageText} or with plain text, read by {@link Texts}; of one thread.
 */
final class VisibleText {

  final StringBuilder text = new StringBuilder();
  final List<Link> links = new ArrayList<>();

  /** Quotes that HTML marks, outer ones only. */
  final List<Span> quotes = new ArrayList<>();

  /** Places behind which the text of another mail follows, by a line that is drawn. */
  final List<Integer> rules = new ArrayList<>();

  /** True when an element had more attributes than are read. */
  boolean isLimited;

  /** The kind of a link. */
  enum Kind {
    /** An attribute that a click or the display follows. */
    FOLLOWED,
    /** A URL that nobody follows by a click: in a script, or where a quote is from. */
    MENTIONED
  }

  /** A link at a place of the text. */
  record Link(int at, String value, Kind kind) {}

  /** A part of the text. */
  record Span(int from, int to) {}

  void link(String value, Kind kind) {
    links.add(new Link(text.length(), value, kind));
  }

  /** Ends a line, unless it has just begun. */
  void line() {
    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
  }
}

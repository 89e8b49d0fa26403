package io.bloomgate.blocklists.content;

import java.util.List;

/** A form that the characters of a text are read in. Chosen by {@link PartHead}. */
enum TextForm {
  PLAIN,
  /** Text whose lines are joined without the space at their ends (RFC 3676). */
  FLOWED,
  /** HTML as mail clients and browsers read it. */
  HTML,
  /** XHTML, SVG and other XML. */
  XML,
  /** A calendar or an address card. */
  FOLDED,
  /** The same, for the HTML in it. */
  FOLDED_HTML;

  static final List<TextForm> NONE = List.of();
  static final List<TextForm> TEXTS = List.of(PLAIN);
  static final List<TextForm> FLOWED_TEXTS = List.of(PLAIN, FLOWED);
  static final List<TextForm> PAGES = List.of(HTML);
  static final List<TextForm> DOCUMENTS = List.of(XML);
  static final List<TextForm> PAGES_OF_XML = List.of(XML, HTML);
  static final List<TextForm> TEXTS_OF_XML = List.of(PLAIN, XML);
  static final List<TextForm> CARDS = List.of(FOLDED, FOLDED_HTML);

  boolean isFolded() {
    return this == FOLDED || this == FOLDED_HTML;
  }

  boolean hasTags() {
    return this == HTML || this == XML || this == FOLDED_HTML;
  }
}

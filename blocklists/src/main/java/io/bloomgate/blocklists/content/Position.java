package io.bloomgate.blocklists.content;

/**
 * Where in a mail something is. Made by {@link MimeSplitter}.
 *
 * @param depth multiparts and messages around it
 * @param nested messages around it
 * @param part number of the header block, from 1
 * @param message true in the header block of a mail, false in that of a part
 */
record Position(int depth, int nested, int part, boolean message) {

  /** In front of a mail that is in no other. */
  static final Position FIRST = new Position(0, 0, 0, true);
}

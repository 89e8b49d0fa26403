package io.bloomgate.blocklists.content;

/**
 * Something of a mail that was not read, or that its sender wrote against the rules. Collected by
 * {@link MailKeys}; shown by {@code explain}, in the log and by the signs {@code partly_read} and
 * {@code malformed}.
 */
enum Oddity {
  /** The text goes on behind {@link MailKeys#MAX_TEXT_OCTETS}. */
  MANY_OCTETS("text behind the first 1 MiB", true),
  /** The page has more than {@link PageText#MAX_TAGS} or {@link PageText#MAX_ATTRIBUTES}. */
  MANY_TAGS("what many HTML tags or attributes mean", true),
  /** The mail has more than {@link MailKeys#MAX_KEYS}. */
  MANY_KEYS("links, addresses and files behind the first 2,000", true),
  /** The part is deeper than {@link MimeWalk#MAX_DEPTH} and read as one text. */
  DEEP_PART("parts within 20 others", true),
  /** Header beyond {@link MimeWalk#MAX_HEADER_OCTETS} or {@link HeaderKeys#MAX_CHARACTERS}. */
  LONG_HEADER("what follows a long header", true),
  /** RFC 2045 and 2046: a field that is none, a part that does not end. */
  BROKEN_MIME("broken MIME", false),
  /** RFC 2045 section 6: the first counts. */
  SECOND_FIELD("second Content-Type or Content-Transfer-Encoding of a part", false),
  /** RFC 2046 section 5.1: the first counts. */
  SECOND_BOUNDARY("two boundaries of a multipart", false),
  /** RFC 2046 section 5.1.1: read as text. */
  NO_BOUNDARY("multipart without a boundary", false),
  /** RFC 2045 section 6.1: read as 8bit. */
  UNKNOWN_ENCODING("unknown Content-Transfer-Encoding", false),
  /** RFC 2045 section 6.8: what is no Base64 is passed over. */
  BROKEN_ENCODING("broken Base64 or quoted-printable", false),
  /** Read as UTF-8, or as windows-1252 where it is none. */
  UNKNOWN_CHARSET("unknown charset", false);

  private final String text;
  private final boolean limit;

  Oddity(String text, boolean limit) {
    this.text = text;
    this.limit = limit;
  }

  /** True for what was not read, because there is too much of it; false for what is malformed. */
  boolean isLimit() {
    return limit;
  }

  /** Returns the words, plain ASCII without anything of the mail. */
  String text() {
    return text;
  }
}

package io.bloomgate.blocklists.content;

/**
 * What of a mail was not looked at, or can be read in two ways. Shown by {@code explain} and in the
 * log; collected by {@link MailScanner}.
 */
enum Skipped {
  /** Behind {@link HeaderReader#MOST_OCTETS} of a field. */
  LONG_FIELD("header field beyond 16 KiB", true),
  /** RFC 5322 section 2.1. */
  NO_EMPTY_LINE("header without an empty line behind it"),
  /** The first and the last are read. */
  SECOND_TYPE("second Content-Type or Content-Transfer-Encoding of a part"),
  /** Read as text. */
  NO_BOUNDARY("multipart without a boundary"),
  /** Behind {@link OpenLeaves#MOST_PREAMBLE}: some readers show it as text. */
  LONG_PREAMBLE("text beyond 16 KiB of a multipart without a part", true),
  /** RFC 2046 section 5.1.1 lets such a line separate parts; some mail clients do not. */
  TEXT_BEHIND_BOUNDARY("boundary with text behind it"),
  /** Read as parts; most mail clients pass them over. */
  BEHIND_END("parts behind the end of their multipart"),
  /** Behind {@link MailShape#MOST_FURTHER}. */
  MANY_READINGS("ways to read a text behind the first three", true),
  /** Read like 8bit. */
  UNKNOWN_ENCODING("unknown Content-Transfer-Encoding"),
  /** Read as Latin-1. */
  UNKNOWN_CHARSET("unknown charset"),
  /** Behind {@link TextDecoder#MOST_UNREADABLE}: only ASCII is read. */
  UNREADABLE("text behind 16,384 octets that its charset does not have", true),
  /** Behind {@link io.bloomgate.blocklists.url.UrlsLeft}. */
  MANY_LINKS("links beyond 4 MiB, or bare names beyond 10,000", true),
  /** Behind {@link MimeLimits#depth}. */
  DEEP_PART("parts deeper than limits.mime.depth", true),
  /** Behind {@link LeafReader#MOST_ENCODED}. */
  ENCODED_MAILS("mails in encoded mails", true),
  /** Behind {@link io.bloomgate.blocklists.url.UrlScanner#MAX_WORD}. */
  LONG_ATTRIBUTE("HTML attribute beyond 16,384 characters", true),
  /** Behind {@link EvidenceKeys#MOST_MAILBOXES}. */
  MANY_MAILBOXES("mailboxes behind the first 1,000 of From or Reply-To", true),
  /** Behind {@link EvidenceKeys#MOST_READ_SUBJECTS}. */
  MANY_SUBJECTS("subjects behind the first 200", true),
  /** Behind {@link EvidenceKeys#MOST_HOSTS}. */
  MANY_HOSTS("hosts behind the first 2,000, or behind 512 KiB of what was found", true),
  /** Behind {@link EvidenceKeys#MOST_URLS}. */
  MANY_URLS("URLs behind the first 4,000, or behind 512 KiB of what was found", true),
  /** Behind {@link EvidenceKeys#MOST_OTHERS}. */
  MANY_KEYS("addresses and attachments behind the first 2,000", true);

  private final String text;
  private final boolean limit;

  Skipped(String text) {
    this(text, false);
  }

  Skipped(String text, boolean limit) {
    this.text = text;
    this.limit = limit;
  }

  /** True for what was not read at all, because there is too much of it. */
  boolean isLimit() {
    return limit;
  }

  /** In words, plain ASCII without anything of the mail. */
  String text() {
    return text;
  }
}

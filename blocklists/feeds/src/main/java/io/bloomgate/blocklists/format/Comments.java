package io.bloomgate.blocklists.format;

import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.WebUrl;

/** Finds the comment of a line. Used by the line parsers; pure. */
final class Comments {

  private Comments() {}

  private static final String SLASHES = "//";

  /** True for a line that is empty or all comment; {@code from} is its first non-blank. */
  static boolean isWhole(byte[] text, int from, int to) {
    return from == to
        || text[from] == '#'
        || text[from] == ';'
        || (Octets.startsWith(text, from, to, SLASHES) && !isUrl(text, from, to));
  }

  /**
   * True for {@code //host/path}, as exports write URLs: one word, a host with a dot and a slash
   * behind it. An entry that is switched off with two slashes has no path; a network has, and is
   * one.
   */
  static boolean isUrl(byte[] text, int from, int to) {
    if (!Octets.startsWith(text, from, to, SLASHES) || Octets.tokenEnd(text, from, to) != to) {
      return false;
    }
    int host = from + SLASHES.length();
    int slash = Octets.indexOf(text, host, to, '/');
    if (slash <= host || Octets.indexOf(text, host, slash, '.') < 0) {
      return false;
    }
    String rest = Octets.decode(text, host, to);
    return IpPrefix.parse(rest).toOptional().isEmpty()
        && WebUrl.parse(SLASHES + rest).toOptional().isPresent();
  }

  /** The end of the line without its inline comment and the blanks before that. */
  static int trimmed(byte[] text, int from, int to) {
    return OctetKinds.any(OctetKinds.of(text, from, to), OctetKinds.COMMENT)
        ? Octets.trimEnd(text, from, start(text, from, to))
        : to;
  }

  /**
   * The beginning of an inline comment, or {@code to}: at a {@code #} or {@code ;} after a blank,
   * or anywhere when the line names no mailbox, whose local part may hold a {@code #}.
   */
  private static int start(byte[] text, int from, int to) {
    int at = from;
    if (text[from] == '"') {
      // Nothing inside a quoted local part begins a comment.
      at = closingQuote(text, from, to);
    }
    boolean mailbox = Octets.indexOf(text, from, to, '@') >= 0;
    for (; at < to; at++) {
      boolean sign = text[at] == '#' || text[at] == ';';
      if (sign && at > from && (!mailbox || Octets.isBlank(text[at - 1]))) {
        return at;
      }
    }
    return to;
  }

  private static int closingQuote(byte[] text, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (text[i] == '\\') {
        i++;
      } else if (text[i] == '"') {
        return i;
      }
    }
    return to;
  }
}

package io.bloomgate.blocklists.key;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads names of plain ASCII octets; whatever has an octet above 127 or a label that begins with
 * {@code xn--} goes on to {@link InternationalName}. Called by {@link DomainName}, on any thread;
 * pure.
 */
final class DomainText {

  private static final String BAD_CHARACTER = "character that no domain name has";

  /** The octet as names have it (letters in lower case), 0 for what no name has. */
  private static final byte[] FOLDED = folded();

  private DomainText() {}

  private static byte[] folded() {
    byte[] table = new byte[128];
    for (int c = 0; c < table.length; c++) {
      boolean allowed = Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
      table[c] = (byte) (allowed ? Character.toLowerCase(c) : 0);
    }
    return table;
  }

  /** Reads a name that may hold anything. */
  static Parsed<DomainName> parse(byte[] text, int from, int to) {
    int end = to > from && text[to - 1] == '.' ? to - 1 : to;
    if (end - from > DomainName.MAX_OCTETS) {
      return Parsed.bad("domain name too long");
    }
    byte[] name = new byte[end - from];
    for (int i = from; i < end; i++) {
      if (text[i] < 0) {
        return InternationalName.parse(new String(text, from, to - from, UTF_8));
      }
      byte octet = FOLDED[text[i]];
      if (octet == 0) {
        return Parsed.bad(BAD_CHARACTER);
      }
      name[i - from] = octet;
    }
    return hasAceLabel(name) ? InternationalName.parse(new String(name, UTF_8)) : checked(name);
  }

  /** Judges lengths and labels of a name whose octets are all allowed and in lower case. */
  static Parsed<DomainName> checked(byte[] name) {
    if (name.length > DomainName.MAX_OCTETS) {
      return Parsed.bad("domain name too long");
    }
    int labels = 0;
    int start = 0;
    boolean numeric = true;
    for (int i = 0; i <= name.length; i++) {
      if (i < name.length && name[i] != '.') {
        numeric &= name[i] >= '0' && name[i] <= '9';
        continue;
      }
      if (i == start) {
        return Parsed.bad("empty label in a domain name");
      }
      if (i - start > DomainName.MAX_LABEL_OCTETS) {
        return Parsed.bad("label longer than 63 octets");
      }
      labels++;
      start = i + 1;
      if (i < name.length) {
        numeric = true;
      }
    }
    if (labels < 2) {
      return Parsed.bad("single label, too broad for a list");
    }
    // RFC 3696 section 2: otherwise 192.0.2.999 would be a name.
    return numeric ? Parsed.bad("last label is a number") : Parsed.ok(new DomainName(name, labels));
  }

  /** True when every octet may stand in a name. */
  static boolean isAllowed(CharSequence ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      char c = ascii.charAt(i);
      if (c >= 128 || FOLDED[c] == 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasAceLabel(byte[] name) {
    for (int i = 0; i + 4 <= name.length; i++) {
      if (name[i] == 'x'
          && name[i + 1] == 'n'
          && name[i + 2] == '-'
          && name[i + 3] == '-'
          && (i == 0 || name[i - 1] == '.')) {
        return true;
      }
    }
    return false;
  }
}

package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads names of plain ASCII octets; {@link InternationalName} reads names with an octet above 127
 * or a label that begins with {@code xn--}. Called by {@link DomainName}, on any thread; pure.
 *
 * <p>Feeds hold names by the million, so a plain one is read in one pass that decides nothing on
 * the way: octets are gathered as bits of words, which are judged at the end. What is not plain is
 * read again, step by step.
 */
final class DomainText {

  private static final String BAD_CHARACTER = "character that no domain name has";

  /** Names with an octet more are read step by step: their octets are not bits of one word. */
  static final int PLAIN_OCTETS = 63;

  /** The number of characters of ASCII. */
  private static final int ASCII = 128;

  private static final int DOT = 1 << 8;
  private static final int DASH = 1 << 9;
  private static final int DIGIT = 1 << 10;

  /** The octet is none of a plain name. */
  private static final int NOT_PLAIN = 1 << 11;

  /**
   * A table by octet: the octet as names have it in the lowest eight bits, and its class above
   * them.
   */
  private static final short[] PLAIN = plain();

  private DomainText() {}

  private static short[] plain() {
    short[] table = new short[1 << Byte.SIZE];
    Arrays.fill(table, (short) NOT_PLAIN);
    for (int c = 0; c < ASCII; c++) {
      if (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.') {
        int kind = c == '.' ? DOT : c == '-' ? DASH : c >= '0' && c <= '9' ? DIGIT : 0;
        table[c] = (short) (Character.toLowerCase(c) | kind);
      }
    }
    return table;
  }

  /** Reads a name that may hold anything. */
  static Parsed<DomainName> parse(byte[] text, int from, int to) {
    int length = (to > from && text[to - 1] == '.' ? to - 1 : to) - from;
    DomainName name = plain(text, from, length);
    return name == null ? stepByStep(text, from, to) : Parsed.ok(name);
  }

  /** The name, or {@code null} when it is none or not plain. */
  static @Nullable DomainName plain(byte[] text, int from, int length) {
    if (length == 0 || length > PLAIN_OCTETS) {
      return null;
    }
    byte[] name = new byte[length];
    int all = 0;
    long dots = 0;
    long dashes = 0;
    long digits = 0;
    for (int i = 0; i < length; i++) {
      int kind = PLAIN[text[from + i] & 0xff];
      name[i] = (byte) kind;
      all |= kind;
      dots |= (long) (kind >>> 8 & 1) << i;
      dashes |= (long) (kind >>> 9 & 1) << i;
      digits |= (long) (kind >>> 10 & 1) << i;
    }
    // A dot at either end or behind another leaves a label empty; two dashes may be an A-label's.
    long edges = 1 | 1L << (length - 1);
    if ((all & NOT_PLAIN) != 0
        || dots == 0
        || (dots & (edges | dots << 1)) != 0
        || (dashes & dashes << 1) != 0) {
      return null;
    }
    int lastLabel = Long.SIZE - Long.numberOfLeadingZeros(dots);
    boolean numeric = digits >>> lastLabel == (1L << (length - lastLabel)) - 1;
    return numeric ? null : new DomainName(name, Long.bitCount(dots) + 1);
  }

  /** Reads any name, and says what is wrong with what is none. */
  static Parsed<DomainName> stepByStep(byte[] text, int from, int to) {
    int end = to > from && text[to - 1] == '.' ? to - 1 : to;
    if (end - from > DomainName.MAX_OCTETS) {
      return Parsed.bad("domain name too long");
    }
    byte[] name = new byte[end - from];
    for (int i = from; i < end; i++) {
      if (text[i] < 0) {
        return InternationalName.parse(new String(text, from, to - from, UTF_8));
      }
      if (PLAIN[text[i]] == NOT_PLAIN) {
        return Parsed.bad(BAD_CHARACTER);
      }
      name[i - from] = (byte) PLAIN[text[i]];
    }
    return hasAceLabel(name, name.length)
        ? InternationalName.parse(new String(name, UTF_8))
        : checked(name);
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

  /** True when every character is allowed in a name. */
  static boolean isAllowed(CharSequence text) {
    return text.chars().allMatch(c -> c < ASCII && PLAIN[c] != NOT_PLAIN);
  }

  /** True when every character that is ASCII is allowed in a name. */
  static boolean isAllowedInAscii(String text) {
    return text.chars().allMatch(c -> c >= ASCII || PLAIN[c] != NOT_PLAIN);
  }

  /** True when a label begins with {@code xn--}, in any case. */
  static boolean hasAceLabel(byte[] name, int length) {
    for (int i = 0; i + 4 <= length; i++) {
      if ((name[i] | 0x20) == 'x'
          && (name[i + 1] | 0x20) == 'n'
          && name[i + 2] == '-'
          && name[i + 3] == '-'
          && (i == 0 || name[i - 1] == '.')) {
        return true;
      }
    }
    return false;
  }
}

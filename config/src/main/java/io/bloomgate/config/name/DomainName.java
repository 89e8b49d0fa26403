package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A domain name of at least two labels as lower-case A-labels without the trailing dot (UTS 46,
 * non-transitional). Immutable; equality is by name.
 *
 * <p>Feeds hold names by the million, so a plain one is read in one pass that decides nothing on
 * the way: octets are gathered as bits of words, which are judged at the end. What is not plain is
 * read again, step by step; {@link InternationalName} reads names with an octet above 127 or a
 * label that begins with {@code xn--}.
 */
public final class DomainName implements Subject, ListKey, Comparable<DomainName> {

  /** Octets of a whole name without the trailing dot, RFC 1035 section 2.3.4. */
  public static final int MAX_OCTETS = 253;

  /** Octets of one label, RFC 1035 section 2.3.4. */
  public static final int MAX_LABEL_OCTETS = 63;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * RFC 6761, RFC 6762 with appendix G, RFC 7686, RFC 8375, and what ICANN keeps for private use.
   */
  private static final Pattern INSIDE =
      Pattern.compile(
          ".*\\.(?:local|localhost|internal|intranet|private|corp|home|lan|home\\.arpa|onion)");

  private static final String BAD_CHARACTER = "character that no domain name has";

  /** Names with an octet more are read step by step: their octets are not bits of one word. */
  private static final int PLAIN_OCTETS = 63;

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

  private final byte[] octets;
  private final int labels;
  private final int hash;

  DomainName(byte[] octets, int labels) {
    this.octets = octets;
    this.labels = labels;
    this.hash = Arrays.hashCode(octets);
  }

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

  /**
   * Reads a name: any case, U-labels or A-labels, one trailing dot allowed. Labels have 1 to 63
   * octets of letters, digits, hyphen and underscore, the whole at most 253; the last label is not
   * numeric.
   */
  public static Parsed<DomainName> parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return InternationalName.parse(text);
      }
    }
    byte[] octets = text.getBytes(ISO_8859_1);
    return parse(octets, 0, octets.length);
  }

  /**
   * The same for the octets {@code from} to {@code to} (exclusive) of a line in UTF-8. Plain names
   * make no string.
   */
  public static Parsed<DomainName> parse(byte[] text, int from, int to) {
    int length = (to > from && text[to - 1] == '.' ? to - 1 : to) - from;
    DomainName name = plain(text, from, length);
    return name == null ? stepByStep(text, from, to) : Parsed.ok(name);
  }

  /** The name, or {@code null}, for those who need not know why a text is none. */
  public static @Nullable DomainName orNull(String text) {
    byte[] octets = text.getBytes(ISO_8859_1);
    DomainName name = plain(octets, 0, octets.length);
    return name == null ? parse(text).toOptional().orElse(null) : name;
  }

  /** The name, or {@code null} when it is none or not plain. */
  private static @Nullable DomainName plain(byte[] text, int from, int length) {
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
    if (end - from > MAX_OCTETS) {
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
    if (name.length > MAX_OCTETS) {
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
      if (i - start > MAX_LABEL_OCTETS) {
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

  /**
   * True when a text, in any case, spells this name as A-labels or as its canonical U-labels. False
   * for what only UTS 46 takes for the name: full-width letters, soft hyphens, other dots. Who
   * hands such a text on cannot know what the next program takes it for.
   */
  public boolean isSpelled(String text) {
    String own = toString();
    if (text.equals(own)) {
      return true;
    }
    // Nothing but itself becomes ASCII then: the Kelvin sign is a small k in lower case.
    if (!Normalizer.isNormalized(text, Normalizer.Form.NFC)) {
      return false;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.equals(own) || lower.equals(InternationalName.unicode(own));
  }

  /**
   * The name that lists are asked about: the name itself, or what can be read of a broken one, so
   * that a broken label hides no listed parent. For asking only: the name may begin with a label
   * {@code ?}, which no list holds.
   *
   * @return empty when not even two labels can be read
   */
  public static Optional<DomainName> asked(String text) {
    return Optional.ofNullable(orNull(text)).or(() -> BrokenName.asked(text));
  }

  /** True for a name in lower case that only networks of one's own know, and nobody outside. */
  public static boolean isInside(String name) {
    return INSIDE.matcher(name).matches();
  }

  /** The labels, at least two. */
  public int labels() {
    return labels;
  }

  /** Octets of the name. */
  public int length() {
    return octets.length;
  }

  /** The ASCII octet at a position; with {@link #length} this reads the name without a copy. */
  public byte octetAt(int index) {
    return octets[index];
  }

  /**
   * Eight octets as one number, the first in its lowest bits, for comparing names.
   *
   * @param index of the first; eight octets follow
   */
  public long wordAt(int index) {
    return (long) WORDS.get(octets, index);
  }

  /** The octets themselves, for hashing; they must not be changed. */
  public byte[] octets() {
    return octets;
  }

  /**
   * The offset in octets at which a label begins.
   *
   * @param label 0 for the leftmost, up to {@code labels() - 1}
   */
  public int labelOffset(int label) {
    int at = 0;
    for (int passed = 0; passed < label; at++) {
      if (octets[at] == '.') {
        passed++;
      }
    }
    return at;
  }

  /**
   * The offset in octets at which the next label begins.
   *
   * @param offset where a label begins that is not the last
   */
  public int nextLabel(int offset) {
    int at = offset;
    while (octets[at] != '.') {
      at++;
    }
    return at + 1;
  }

  /**
   * The name without its leftmost labels.
   *
   * @param label the first label that stays; at least two must stay
   */
  public DomainName from(int label) {
    if (label < 0 || labels - label < 2) {
      throw new IllegalArgumentException("label " + label + " of " + labels);
    }
    return label == 0
        ? this
        : new DomainName(
            Arrays.copyOfRange(octets, labelOffset(label), octets.length), labels - label);
  }

  /** True when {@code other} is this name or below it. */
  public boolean covers(DomainName other) {
    int start = other.octets.length - octets.length;
    return start >= 0
        && (start == 0 || other.octets[start - 1] == '.')
        && Arrays.equals(octets, 0, octets.length, other.octets, start, other.octets.length);
  }

  /** Order of the octets. */
  @Override
  public int compareTo(DomainName other) {
    return Arrays.compare(octets, other.octets);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DomainName that
        && hash == that.hash
        && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The A-label text. */
  @Override
  public String toString() {
    return new String(octets, ISO_8859_1);
  }
}

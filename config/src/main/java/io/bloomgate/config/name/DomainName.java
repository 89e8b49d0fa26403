package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A domain name of at least two labels as lower-case A-labels without the trailing dot (UTS 46,
 * non-transitional). Immutable; equality is by name.
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

  private final byte[] octets;
  private final int labels;
  private final int hash;

  DomainName(byte[] octets, int labels) {
    this.octets = octets;
    this.labels = labels;
    this.hash = Arrays.hashCode(octets);
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
    return DomainText.parse(octets, 0, octets.length);
  }

  /**
   * The same for the octets {@code from} to {@code to} (exclusive) of a line in UTF-8. Plain names
   * make no string.
   */
  public static Parsed<DomainName> parse(byte[] text, int from, int to) {
    return DomainText.parse(text, from, to);
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
    Optional<DomainName> name = parse(text).toOptional();
    return name.isPresent() ? name : BrokenName.asked(text);
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

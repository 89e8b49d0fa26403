package io.bloomgate.blocklists.sessions;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Incident ids: 50 random bits as 10 characters of Crockford's base32, which a person can read over
 * the telephone.
 *
 * <p>Pure except for the generator that is given; any thread.
 */
public final class IncidentId {

  /** Characters of an id. */
  public static final int LENGTH = 10;

  /** Description of an id, for people. */
  public static final String FORM = "an incident id (10 letters and digits, as in 7K3Q9ZT2AB)";

  /** The digit of each number of 5 bits. */
  static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private static final int BITS = 5 * LENGTH;

  private static final Pattern IN_BRACKETS = Pattern.compile("\\[([^\\[\\]]+)]");

  private IncidentId() {}

  /** Fresh ids of this source, as {@link #random}. */
  public static Supplier<String> of(RandomGenerator random) {
    return () -> random(random);
  }

  /** A fresh id; {@code random} must be safe for the calling threads. */
  public static String random(RandomGenerator random) {
    return format(random.nextLong() >>> (Long.SIZE - BITS));
  }

  /** The text of 50 bits. */
  public static String format(long bits) {
    byte[] text = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      text[i] = (byte) ALPHABET.charAt((int) (bits >>> (5 * (LENGTH - 1 - i))) & 31);
    }
    return new String(text, ISO_8859_1);
  }

  /**
   * Returns the last id in brackets of a whole refusal that was pasted; any other text as it is.
   */
  public static String inRefusal(String pasted) {
    return IN_BRACKETS
        .matcher(pasted)
        .results()
        .map(found -> found.group(1))
        .filter(text -> canonical(text).isPresent())
        .reduce((_, last) -> last)
        .orElse(pasted);
  }

  /**
   * The id as replies print it, of one as people write it: any case, O for 0, I and L for 1, in the
   * brackets of a bounce or without. Empty when the text is none.
   */
  public static Optional<String> canonical(String text) {
    String stripped = text.strip();
    boolean inBrackets = stripped.startsWith("[") && stripped.endsWith("]");
    String id =
        inBrackets && stripped.length() > 1
            ? stripped.substring(1, stripped.length() - 1)
            : stripped;
    if (id.length() != LENGTH) {
      return Optional.empty();
    }
    StringBuilder digits = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      char c = id.charAt(i);
      // By characters of ASCII: the upper case of other letters may be longer, or a digit of an id.
      char digit =
          switch (c) {
            case 'O', 'o' -> '0';
            case 'I', 'i', 'L', 'l' -> '1';
            default -> c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
          };
      if (ALPHABET.indexOf(digit) < 0) {
        return Optional.empty();
      }
      digits.append(digit);
    }
    return Optional.of(digits.toString());
  }
}

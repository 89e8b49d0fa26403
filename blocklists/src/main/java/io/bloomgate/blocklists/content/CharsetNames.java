package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The charsets that the texts of one mail name. Used by {@link TextDecoder} and {@link
 * OtherCharset}.
 */
final class CharsetNames {

  /** Names that are looked up for one mail: a look-up of an unknown one asks every provider. */
  private static final int MOST_NAMES = 20;

  private static final int LONGEST_NAME = 40;
  private static final int LEADS = 0x80;

  /** ASCII, and what other charsets than UTF-16 have begun with since: shifts and escapes. */
  private static final byte[] LETTERS =
      "<http://a.example>~{<\">\u000e<\">\u001b$B<\">\u001b(I<\">\n<\">".getBytes(US_ASCII);

  private @Nullable String lastName;
  private @Nullable Charset lastCharset;
  private int names;
  private @Nullable Map<String, Boolean> doubts;

  /** The charset of a name, {@code null} for an unknown one. */
  @Nullable Charset find(String name) {
    Charset common = common(name);
    if (common != null) {
      return common;
    }
    String lower = name.strip().toLowerCase(Locale.ROOT);
    if (lower.equals("utf-8") || lower.equals("utf8")) {
      return UTF_8;
    }
    if (lower.isEmpty() || lower.equals("us-ascii") || lower.equals("ascii")) {
      return US_ASCII;
    }
    if (!lower.equals(lastName)) {
      lastName = lower;
      lastCharset = null;
      if (lower.length() <= LONGEST_NAME && names < MOST_NAMES) {
        names++;
        lastCharset = lookUp(lower);
      }
    }
    return lastCharset;
  }

  /** The charset of a name that needs no look-up, {@code null} for any other. */
  static @Nullable Charset common(String name) {
    return name.equalsIgnoreCase("utf-8")
        ? UTF_8
        : name.equalsIgnoreCase("us-ascii") ? US_ASCII : null;
  }

  /** The charset of a name, {@code null} for an unknown one or one that only encodes. */
  private static @Nullable Charset lookUp(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return null;
    }
  }

  /** True for the names of UTF-7 at IANA, and those that clients know beside. */
  static boolean isSeven(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith("utf-7") || lower.endsWith("utf7");
  }

  /**
   * True when ASCII can be something else in a charset that is not {@link #isCommon}, so that a
   * reader that does not know it, or leaves it earlier, shows another text.
   */
  boolean isDoubtful(String name) {
    Map<String, Boolean> before = doubts == null ? new HashMap<>() : doubts;
    doubts = before;
    Boolean known = before.get(name);
    if (known == null) {
      known = before.size() == MOST_NAMES || looksDoubtful(name);
      if (before.size() < MOST_NAMES) {
        before.put(name, known);
      }
    }
    return known;
  }

  /** True for the charsets of nearly all mails, which need no look-up. */
  static boolean isCommon(String name) {
    return common(name) != null || name.equalsIgnoreCase("iso-8859-1");
  }

  private boolean looksDoubtful(String name) {
    if (isSeven(name)) {
      return true;
    }
    Charset charset = find(name);
    if (charset == null) {
      return true;
    }
    if (UTF_8.equals(charset) || US_ASCII.equals(charset) || ISO_8859_1.equals(charset)) {
      return false;
    }
    byte[] sample = new byte[LETTERS.length + 2 * LEADS];
    System.arraycopy(LETTERS, 0, sample, 0, LETTERS.length);
    for (int i = 0; i < LEADS; i++) {
      sample[LETTERS.length + 2 * i] = (byte) (LEADS + i);
      sample[LETTERS.length + 2 * i + 1] = '"';
    }
    String read = new String(sample, charset);
    long quotes = read.chars().filter(c -> c == '"').count();
    return !read.startsWith(new String(LETTERS, US_ASCII))
        || quotes < LEADS + new String(LETTERS, US_ASCII).chars().filter(c -> c == '"').count();
  }
}

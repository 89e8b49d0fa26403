package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The charsets that the texts of a mail name. Used by {@link TextDecoder} and {@link OtherCharset}
 * on the thread of the mail.
 */
final class CharsetNames {

  /** As most mails of Western Europe name it, and what browsers read for Latin-1. */
  static final Charset WINDOWS =
      Charset.isSupported("windows-1252") ? Charset.forName("windows-1252") : ISO_8859_1;

  private static final byte[] USUAL = "utf-8".getBytes(US_ASCII);

  private static final int LEADS = 0x80;

  /** ASCII, and what other charsets than UTF-16 have begun with since: shifts and escapes. */
  private static final byte[] LETTERS =
      "<http://a.example>~{<\">\u000e<\">\u001b$B<\">\u001b(I<\">\n<\">".getBytes(US_ASCII);

  private @Nullable Map<Charset, Boolean> doubts;

  /**
   * All names and aliases that the JDK knows, in lower case. The JDK itself is asked for no name of
   * a mail: for an unknown one it asks every provider, and a mail may have any number of them.
   */
  private static final class Known {

    /** Made with the first name that is none of the usual ones. */
    static final Map<String, Charset> ALL = all();

    private static Map<String, Charset> all() {
      Map<String, Charset> all = new HashMap<>();
      for (Charset charset : Charset.availableCharsets().values()) {
        all.put(charset.name().toLowerCase(Locale.ROOT), charset);
        charset.aliases().forEach(alias -> all.put(alias.toLowerCase(Locale.ROOT), charset));
      }
      return Map.copyOf(all);
    }
  }

  /** The name that octets are; the one of most mails makes no new text. */
  static String name(byte[] octets, int from, int to) {
    return Octets.isLower(octets, from, to, USUAL)
        ? "utf-8"
        : new String(octets, from, to - from, ISO_8859_1);
  }

  /** The charset of a name, {@code null} for an unknown one. */
  static @Nullable Charset find(String name) {
    Charset common = common(name);
    if (common != null) {
      return common;
    }
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "utf-8", "utf8" -> UTF_8;
      case "", "us-ascii", "ascii" -> US_ASCII;
      case "iso-8859-1" -> ISO_8859_1;
      case "windows-1252" -> WINDOWS;
      default -> Known.ALL.get(lower);
    };
  }

  /** The charset of a name that needs no look-up, {@code null} for any other. */
  static @Nullable Charset common(String name) {
    return name.equalsIgnoreCase("utf-8")
        ? UTF_8
        : name.equalsIgnoreCase("us-ascii") ? US_ASCII : null;
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
    Charset charset = isSeven(name) ? null : find(name);
    if (charset == null) {
      return true;
    }
    Map<Charset, Boolean> before = doubts == null ? new HashMap<>() : doubts;
    doubts = before;
    return before.computeIfAbsent(charset, CharsetNames::looksDoubtful);
  }

  /** True for the charsets of nearly all mails, which need no look-up. */
  static boolean isCommon(String name) {
    return common(name) != null || name.equalsIgnoreCase("iso-8859-1");
  }

  private static boolean looksDoubtful(Charset charset) {
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

package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Octets of a mail as characters, in the charset that the mail names, as WHATWG's Encoding Standard
 * maps the names. Used by the readers of parts; pure, any thread.
 */
final class Charsets {

  private static final Charset WINDOWS_1252 = supported("windows-1252", ISO_8859_1);

  /** Octets of a text one of which is zero when it is UTF-16. */
  private static final int MAX_WIDE_OCTETS = 64;

  /** Octets at the beginning of a page that may name its charset (HTML section 13.2.3.2). */
  private static final int MAX_META_OCTETS = 1_024;

  private static final String SAMPLE = "<a href=\"http://a.example/\">";

  private static final Pattern META =
      Pattern.compile(
          "<meta[^<>]*?charset\\s*+=\\s*+[\"']?([-_:.\\w]++)", Pattern.CASE_INSENSITIVE);

  private Charsets() {}

  /** Charsets by name in small letters; a look-up by the JDK takes 0.3 ms for an unknown one. */
  private static final class Known {
    private static final Map<String, Charset> ALL = all();

    private static Map<String, Charset> all() {
      Map<String, Charset> all = new HashMap<>();
      for (Charset charset : Charset.availableCharsets().values()) {
        all.put(charset.name().toLowerCase(Locale.ROOT), charset);
        charset.aliases().forEach(alias -> all.put(alias.toLowerCase(Locale.ROOT), charset));
      }
      // No mail program shows by charsets in which tags are no tags, such as EBCDIC.
      all.values()
          .removeIf(charset -> !SAMPLE.equals(new String(SAMPLE.getBytes(ISO_8859_1), charset)));
      all.put("utf-16", UTF_16LE);
      all.put("utf-16le", UTF_16LE);
      all.put("utf-16be", UTF_16BE);
      for (String latin : new String[] {"iso-8859-1", "latin1", "iso8859-1", "ansi", "x-ansi"}) {
        all.put(latin, WINDOWS_1252);
      }
      all.put("iso-8859-9", supported("windows-1254", ISO_8859_1));
      all.put("iso-8859-8-i", supported("iso-8859-8", ISO_8859_1));
      all.put("gb2312", supported("gb18030", ISO_8859_1));
      all.put("gbk", supported("gb18030", ISO_8859_1));
      all.put("shift_jis", supported("windows-31j", ISO_8859_1));
      all.put("ks_c_5601-1987", supported("x-windows-949", ISO_8859_1));
      all.put("euc-kr", supported("x-windows-949", ISO_8859_1));
      all.put("iso-8859-11", supported("x-windows-874", ISO_8859_1));
      all.put("utf8", UTF_8);
      return Map.copyOf(all);
    }
  }

  private static Charset supported(String name, Charset otherwise) {
    return Charset.isSupported(name) ? Charset.forName(name) : otherwise;
  }

  /** The charset of this name; {@code null} for none, and for one that is not known. */
  static @Nullable Charset find(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "utf-8" -> UTF_8;
      case "", "us-ascii", "ascii" -> null;
      default -> Known.ALL.get(lower);
    };
  }

  /** True for a name that a mail may have: of a charset that is known, or of none. */
  static boolean isKnown(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return lower.isEmpty()
        || lower.equals("us-ascii")
        || lower.equals("ascii")
        || lower.equals("utf-7")
        || find(lower) != null;
  }

  /**
   * The characters.
   *
   * @param name as the mail has it; without one, and for ASCII, it is UTF-8 where the octets are
   *     that, and windows-1252 otherwise
   * @param isPage true for HTML, which may name its charset itself
   */
  static String decoded(byte[] octets, int length, String name, boolean isPage) {
    Charset marked = byteOrderMark(octets, length);
    if (marked != null) {
      return new String(octets, 0, length, marked).replace("\ufeff", "");
    }
    if (name.strip().equalsIgnoreCase("utf-7")) {
      return Utf7.decoded(new String(octets, 0, length, ISO_8859_1));
    }
    Charset charset = find(name);
    if (charset == null && isPage) {
      String head = new String(octets, 0, Math.min(length, MAX_META_OCTETS), ISO_8859_1);
      Matcher meta = META.matcher(head);
      charset = meta.find() ? find(meta.group(1)) : null;
      charset = charset != null && charset.name().startsWith("UTF-16") ? UTF_8 : charset;
    }
    return charset == null ? guessed(octets, length) : new String(octets, 0, length, charset);
  }

  /** UTF-8 where the octets are that, windows-1252 otherwise. */
  static String guessed(byte[] octets, int length) {
    for (int i = 0; i < length; i++) {
      if (octets[i] < 0) {
        try {
          return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, length)).toString();
        } catch (CharacterCodingException _) {
          return new String(octets, 0, length, WINDOWS_1252);
        }
      }
    }
    return new String(octets, 0, length, ISO_8859_1);
  }

  private static @Nullable Charset byteOrderMark(byte[] octets, int length) {
    if (length >= 3 && octets[0] == -17 && octets[1] == -69 && octets[2] == -65) {
      return UTF_8;
    }
    boolean isWide = false;
    for (int i = 0; i < Math.min(length, MAX_WIDE_OCTETS); i++) {
      isWide |= octets[i] == 0;
    }
    if (!isWide) {
      return null; // mail programs do not look for one in a text of ASCII
    }
    if (length >= 2 && octets[0] == -2 && octets[1] == -1) {
      return UTF_16BE;
    }
    return length >= 2 && octets[0] == -1 && octets[1] == -2 ? UTF_16LE : null;
  }
}

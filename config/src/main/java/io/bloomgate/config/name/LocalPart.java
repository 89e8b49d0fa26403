package io.bloomgate.config.name;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;

/**
 * The part of an address before the at sign: quoting off where it is needless, lower case, and the
 * tags that senders put into it. Called by {@link MailAddress}, on any thread; pure.
 */
final class LocalPart {

  /** RFC 5321 section 4.1.2, atext of RFC 5322 section 3.2.3, without letters and digits. */
  private static final String ATEXT_SIGNS = "!#$%&'*+-/=?^_`{|}~";

  private static final String PRVS = "prvs=";

  private LocalPart() {}

  /**
   * The canonical form of a local part as written: quotes and backslashes only where a sign needs
   * them, lower case, composed Unicode (RFC 6532 section 3.1).
   */
  static Parsed<String> canonical(String written) {
    if (written.isEmpty()) {
      return Parsed.bad("nothing before the at sign");
    }
    if (written.charAt(0) != '"') {
      return isPlain(written)
          ? Parsed.ok(folded(written))
          : Parsed.bad("character that needs quotes before the at sign");
    }
    Optional<String> content = unquoted(written);
    return content.isPresent()
        ? Parsed.ok(quotedIfNeeded(folded(content.get())))
        : Parsed.bad("broken quotes before the at sign");
  }

  /** Case has no meaning in lists; the wire keeps what the sender wrote. */
  private static String folded(String content) {
    String lower = content.toLowerCase(Locale.ROOT);
    boolean isAscii = lower.chars().allMatch(c -> c < 0x80);
    return isAscii ? lower : Normalizer.normalize(lower, Normalizer.Form.NFC);
  }

  /** The content of a canonical local part, without quotes. */
  static String content(String canonical) {
    return canonical.startsWith("\"") ? unquoted(canonical).orElse(canonical) : canonical;
  }

  /** Writes content so that it can be read again: quoted only if a sign in it asks for it. */
  static String quotedIfNeeded(String content) {
    if (!content.isEmpty() && isPlain(content)) {
      return content;
    }
    StringBuilder out = new StringBuilder(content.length() + 2).append('"');
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    return out.append('"').toString();
  }

  /** True for a canonical local part, as nearly all are, that has neither quotes nor a tag. */
  static boolean isUntagged(String canonical) {
    return canonical.indexOf('"') < 0 && canonical.indexOf('+') < 0 && !canonical.startsWith(PRVS);
  }

  /** The content without {@code prvs=TAG=} (BATV, draft-levine-smtp-batv), if it has such a tag. */
  static String withoutPrvs(String content) {
    int end = content.startsWith(PRVS) ? content.indexOf('=', PRVS.length()) : -1;
    return end > PRVS.length() && end + 1 < content.length() ? content.substring(end + 1) : content;
  }

  /** The content without {@code +tag} (RFC 5233), if another character is before the plus. */
  static String withoutTag(String content) {
    int plus = content.indexOf('+');
    return plus > 0 ? content.substring(0, plus) : content;
  }

  /**
   * Atext and dots. Dots are allowed anywhere: addresses with two in a row are against RFC 5321 and
   * in daily use, and a list that names one means it.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain =
          c >= 0xa0
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || ATEXT_SIGNS.indexOf(c) >= 0;
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** RFC 5321 section 4.1.2, Quoted-string; empty when the quotes do not fit. */
  private static Optional<String> unquoted(String written) {
    int last = written.length() - 1;
    if (last < 1 || written.charAt(last) != '"') {
      return Optional.empty();
    }
    StringBuilder out = new StringBuilder(last);
    for (int i = 1; i < last; i++) {
      char c = written.charAt(i);
      if (c == '\\') {
        if (++i == last) {
          return Optional.empty();
        }
        c = written.charAt(i);
      } else if (c == '"') {
        return Optional.empty();
      }
      if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
        return Optional.empty();
      }
      out.append(c);
    }
    return Optional.of(out.toString());
  }
}

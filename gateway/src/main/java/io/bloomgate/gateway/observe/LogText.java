package io.bloomgate.gateway.observe;

import io.bloomgate.config.settings.Settings.Log.Privacy;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes texts from outside fit for a log line: no byte of theirs can end a line, open a field or
 * close one (contract, section 5), and addresses are shortened as {@code log.privacy} asks.
 *
 * <p>Pure; called by the writers of this package on any thread.
 */
final class LogText {

  private static final String SPECIAL = "<>[]\"=\\;";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  /** An address inside a reply: a quoted or plain local part, an at sign, a domain or literal. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\"[^\"]*+\"|[^\\s<>\\[\\]\"@]++)@(\\[[^\\]\\s]*+\\]|[^\\s<>\\[\\]\"]++)");

  private LogText() {}

  /**
   * Every byte beyond {@code [!-~]} and each of space {@code < > [ ] " = \ ;} becomes {@code \xHH}.
   */
  static String escape(String text) {
    int clean = 0;
    while (clean < text.length() && isPlain(text.charAt(clean))) {
      clean++;
    }
    if (clean == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain((char) (octet & 0xff))) {
        out.append((char) octet);
      } else {
        out.append("\\x").append(HEX[(octet >> 4) & 15]).append(HEX[octet & 15]);
      }
    }
    return out.toString();
  }

  /**
   * A reply's own words stay readable; only what would look like the opening of a field is
   * disarmed, because a reply may quote what a client or the upstream said.
   */
  static String reply(String text, Privacy privacy) {
    return maskInside(text, privacy).replace("=<", "\\x3D<");
  }

  /** One address, shortened; the null reverse-path stays what it is. */
  static String mask(String address, Privacy privacy) {
    if (address.isEmpty()) {
      return address;
    }
    return switch (privacy) {
      case FULL -> address;
      case NO_LOCALPART -> {
        int at = address.lastIndexOf('@');
        yield at < 0 ? "*" : "*" + address.substring(at);
      }
      case NO_ADDRESSES -> "*";
    };
  }

  /** A list entry: shortened only when it is an address. */
  static String maskEntry(String entry, Privacy privacy) {
    return entry.indexOf('@') < 0 ? entry : mask(entry, privacy);
  }

  /** All addresses inside a longer text, shortened. */
  static String maskInside(String text, Privacy privacy) {
    if (privacy == Privacy.FULL || text.indexOf('@') < 0) {
      return text;
    }
    return ADDRESS
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(mask(found.group(), privacy)));
  }

  private static boolean isPlain(char c) {
    return c >= '!' && c <= '~' && SPECIAL.indexOf(c) < 0;
  }
}

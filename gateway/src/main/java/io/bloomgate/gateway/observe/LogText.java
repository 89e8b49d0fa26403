package io.bloomgate.gateway.observe;

import io.bloomgate.config.settings.Settings.Log.Privacy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes replies and addresses fit for a log line: addresses are shortened as {@code log.privacy}
 * asks, and a reply cannot open a field. Single values are escaped by {@link
 * io.bloomgate.gateway.smtp.Escape}.
 *
 * <p>Pure; called by the writers of this package on any thread.
 */
final class LogText {

  /** An address inside a reply: a quoted or plain local part, an at sign, a domain or literal. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\"[^\"]*+\"|[^\\s<>\\[\\]\"@]++)@(\\[[^\\]\\s]*+\\]|[^\\s<>\\[\\]\"]++)");

  private LogText() {}

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
}

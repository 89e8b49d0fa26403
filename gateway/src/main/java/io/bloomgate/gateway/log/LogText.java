package io.bloomgate.gateway.log;

import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.smtp.Escape;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes replies and addresses fit for a log line: addresses are shortened as {@code log.privacy}
 * asks, values are escaped and cut, and a reply cannot begin a field.
 *
 * <p>Pure; called by the writers of this package on any thread.
 */
public final class LogText {

  /** An address inside a reply: a quoted or plain local part, an at sign, a domain or literal. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\"[^\"]*+\"|[^\\s<>\\[\\]\"@]++)@(\\[[^\\]\\s]*+\\]|[^\\s<>\\[\\]\"]++)");

  /** The code and the enhanced code of a reply. */
  private static final Pattern CODES = Pattern.compile("\\d{3} (?:\\d\\.\\d{1,3}\\.\\d{1,3} )?");

  /** Characters of one value, behind its escapes; an attacker's octet makes four of them. */
  private static final int MAX_VALUE_CHARACTERS = 320;

  private LogText() {}

  /** A value from outside: escaped, and cut where it is long. */
  static String value(String text) {
    return Escape.text(text, MAX_VALUE_CHARACTERS);
  }

  /** The same for an address. */
  static String address(String address, Privacy privacy) {
    return value(mask(address, privacy));
  }

  /**
   * The text of a reply stays readable; only what looks like the start of a field is changed,
   * because a reply may quote a client or the mail server. It is cut at the length of one reply
   * line (RFC 5321, section 4.5.3.1.5), which keeps our incident id.
   */
  static String reply(String text, Privacy privacy) {
    String whole = maskInside(text, privacy).replace("=<", "\\x3D<");
    return whole.length() <= Reply.MAX_LINE_OCTETS
        ? whole
        : whole.substring(0, Reply.MAX_LINE_OCTETS - 3) + "...";
  }

  /** One address, shortened; the null reverse-path is not changed. */
  public static String mask(String address, Privacy privacy) {
    if (address.isEmpty()) {
      return address;
    }
    return switch (privacy) {
      case FULL -> address;
      case NO_LOCALPART -> {
        // A quoted local part without a domain may hold one.
        int at = address.endsWith("\"") ? -1 : address.lastIndexOf('@');
        yield at < 0 ? "*" : "*" + address.substring(at);
      }
      case NO_ADDRESSES -> "*";
    };
  }

  /** A list entry or the name of a client: shortened only when it is an address. */
  public static String maskEntry(String entry, Privacy privacy) {
    return entry.indexOf('@') < 0 ? entry : mask(entry, privacy);
  }

  /** All addresses inside a longer text, shortened. */
  public static String maskInside(String text, Privacy privacy) {
    if (privacy == Privacy.FULL || text.indexOf('@') < 0) {
      return text;
    }
    return ADDRESS
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(mask(found.group(), privacy)));
  }

  /**
   * The local parts of these addresses inside the text of a reply, where they are words of their
   * own, shortened. Its codes are not changed.
   */
  public static String maskLocalParts(String reply, List<String> addresses, Privacy privacy) {
    if (privacy == Privacy.FULL) {
      return reply;
    }
    String locals =
        addresses.stream()
            .map(address -> address.substring(0, Math.max(0, address.lastIndexOf('@'))))
            .filter(local -> !local.isEmpty())
            .distinct()
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    Matcher codes = CODES.matcher(reply);
    int text = codes.lookingAt() ? codes.end() : 0;
    return locals.isEmpty()
        ? reply
        : reply.substring(0, text)
            + Pattern.compile(
                    "(?<![\\w.+-])(?:" + locals + ")(?![\\w+-]|\\.\\w)", Pattern.CASE_INSENSITIVE)
                .matcher(reply.substring(text))
                .replaceAll("*");
  }
}

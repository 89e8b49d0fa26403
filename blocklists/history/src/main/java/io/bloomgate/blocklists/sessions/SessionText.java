package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of a session as rows hold them. In a reply marks take the places of id and address, so that
 * {@code top --by limit} counts replies that differ in both only as one. Pure.
 */
final class SessionText {

  /** Mark in place of the id; no reply has control characters. */
  static final String ID_MARK = "\u0001";

  /** Mark in place of the client's address. */
  static final String CLIENT_MARK = "\u0002";

  /** The longest text that is kept, in characters; one reply line has 512 octets. */
  static final int MAX_CHARACTERS = 512;

  private static final String CUT = "...";

  private static final Pattern CODE = Pattern.compile("[0-9]{3}");

  private SessionText() {}

  /** A text that fits; a longer one ends with {@link #CUT}. */
  static String bounded(String text) {
    return isCut(text) ? text.substring(0, MAX_CHARACTERS - CUT.length()) + CUT : text;
  }

  /** The same without that end. */
  static String begin(String bounded) {
    return bounded.endsWith(CUT) ? bounded.substring(0, bounded.length() - CUT.length()) : bounded;
  }

  /** True for a text that is kept in part only. */
  static boolean isCut(String text) {
    return text.length() > MAX_CHARACTERS;
  }

  /** A reply as rows hold it. */
  static String marked(String reply, String id, IpAddress client) {
    String text = reply.replace(CLIENT_MARK, "").replace(ID_MARK, "");
    if (text.indexOf('[') < 0) {
      return text;
    }
    text = text.replace("[" + client + "]", "[" + CLIENT_MARK + "]");
    return id.isEmpty() ? text : text.replace("[" + id + "]", "[" + ID_MARK + "]");
  }

  /** The reply that {@link #marked} was given. */
  static String unmarked(String text, String id, IpAddress client) {
    return text.replace(CLIENT_MARK, client.toString()).replace(ID_MARK, id);
  }

  /** The code at the begin of a reply; 0 when it has none. */
  static int code(String reply) {
    Matcher code = CODE.matcher(reply);
    return code.lookingAt() ? Integer.parseInt(code.group()) : 0;
  }

  /** Returns what is before the last at sign; all of a text without one. */
  static String localPart(String address) {
    int at = address.lastIndexOf('@');
    return at < 0 ? address : address.substring(0, at);
  }

  /**
   * The local part of a recipient as settings name it: lower-case, unquoted.
   *
   * @param recipient an address, or a local part alone, whose at signs are between quotes
   */
  static String recipientLocalPart(String recipient) {
    String local = recipient.endsWith("\"") ? recipient : localPart(recipient);
    boolean quoted = local.length() > 1 && local.startsWith("\"") && local.endsWith("\"");
    String bare =
        quoted ? local.substring(1, local.length() - 1).replaceAll("\\\\(.)", "$1") : local;
    return bare.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns what is behind the last at sign, as {@link #normal}; empty without one. A quoted local
   * part may hold one.
   */
  static String domain(String address) {
    int at = address.lastIndexOf('@');
    return at < 0 || address.endsWith("\"") ? "" : normal(address.substring(at + 1));
  }

  /** A domain as rows hold it and as questions ask for it: lower-case A-labels. */
  static String normal(String domain) {
    if (isPlain(domain)) {
      return domain;
    }
    return switch (DomainName.parse(domain)) {
      case Parsed.Ok<DomainName>(DomainName name, var ignored) -> name.toString();
      case Parsed.Bad<DomainName> ignored -> domain.toLowerCase(Locale.ROOT);
    };
  }

  /** True for what a row holds as it is, as nearly all domains: asked for two of each session. */
  private static boolean isPlain(String domain) {
    for (int i = 0; i < domain.length(); i++) {
      char c = domain.charAt(i);
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.') {
        return false;
      }
    }
    return !domain.endsWith(".") && !domain.contains("--");
  }
}

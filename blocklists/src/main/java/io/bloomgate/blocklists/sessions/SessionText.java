package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.IpAddress;
import java.util.Locale;

/**
 * Texts of a session as rows hold them. Replies that differ in id and address only are one text in
 * the file: marks take the places of both. Pure.
 */
final class SessionText {

  /** In place of the id; no reply has control characters. */
  static final String ID_MARK = "\u0001";

  /** In place of the client's address. */
  static final String CLIENT_MARK = "\u0002";

  /** The longest text that is kept, in characters; one reply line has 512 octets. */
  static final int MAX_CHARACTERS = 512;

  private SessionText() {}

  /** A text that fits; a longer one ends with {@link KeptSession#CUT}. */
  static String bounded(String text) {
    return text.length() <= MAX_CHARACTERS
        ? text
        : text.substring(0, MAX_CHARACTERS - KeptSession.CUT.length()) + KeptSession.CUT;
  }

  /** A reply as rows hold it. */
  static String marked(String reply, String id, IpAddress client) {
    String text = reply.replace(CLIENT_MARK, "").replace(ID_MARK, "");
    text = text.replace("[" + client + "]", "[" + CLIENT_MARK + "]");
    return id.isEmpty() ? text : text.replace("[" + id + "]", "[" + ID_MARK + "]");
  }

  /** The reply that {@link #marked} was given. */
  static String unmarked(String text, String id, IpAddress client) {
    return text.replace(CLIENT_MARK, client.toString()).replace(ID_MARK, id);
  }

  /** The code at the begin of a reply; 0 when it has none. */
  static int code(String reply) {
    int code = 0;
    for (int i = 0; i < 3 && i < reply.length(); i++) {
      int digit = Character.digit(reply.charAt(i), 10);
      if (digit < 0) {
        return 0;
      }
      code = code * 10 + digit;
    }
    return code;
  }

  /** What is before the last at sign; all of a text without one. */
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

  /** What is behind the last at sign, in lower case; empty without one. */
  static String domain(String address) {
    int at = address.lastIndexOf('@');
    return at < 0 ? "" : address.substring(at + 1).toLowerCase(Locale.ROOT);
  }
}

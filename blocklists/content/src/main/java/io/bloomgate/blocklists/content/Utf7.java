package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.UTF_16BE;

import java.util.Base64;

/**
 * UTF-7 (RFC 2152), which Outlook and Thunderbird show and the JDK does not know. Used by {@link
 * Charsets}; pure.
 */
final class Utf7 {

  private static final int BITS_A_DIGIT = 6;

  private Utf7() {}

  static String decoded(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '+') {
        plain.append(c);
        continue;
      }
      int end = at;
      while (end < text.length() && isDigit(text.charAt(end))) {
        end++;
      }
      // Behind the last whole character there may be a few bits of nothing.
      int digits = (end - at) * BITS_A_DIGIT / Character.SIZE * Character.SIZE;
      int whole = at + Math.ceilDiv(digits, BITS_A_DIGIT);
      byte[] octets = Base64.getDecoder().decode(padded(text.substring(at, whole)));
      plain.append(new String(octets, 0, digits / Byte.SIZE, UTF_16BE));
      boolean isClosed = end < text.length() && text.charAt(end) == '-';
      if (isClosed && end == at) {
        plain.append('+');
      }
      at = isClosed ? end + 1 : end;
    }
    return plain.toString();
  }

  private static String padded(String digits) {
    return digits.length() % 4 == 1 ? digits + "A" : digits;
  }

  private static boolean isDigit(char c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
        || c == '+'
        || c == '/';
  }
}

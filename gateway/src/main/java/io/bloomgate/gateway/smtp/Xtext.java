package io.bloomgate.gateway.smtp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The encoding {@code xtext} of RFC 3461 section 4, used by DSN parameters and XCLIENT. Pure. */
public final class Xtext {

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private Xtext() {}

  /** The UTF-8 octets of a text: printable ASCII save {@code + =} as they are, others as +HH. */
  public static String encode(String text) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(octets.length);
    for (byte octet : octets) {
      int c = octet & 0xff;
      if (c > ' ' && c <= '~' && c != '+' && c != '=') {
        out.append((char) c);
      } else {
        out.append('+').append(HEX[c >>> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }

  /**
   * The text that was encoded, with hexadecimal digits in any case; octets that are no UTF-8 are a
   * character each, as in a command line. Empty for anything that is not xtext.
   */
  public static Optional<String> decode(String xtext) {
    ByteBuffer octets = octets(xtext, true);
    if (octets == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(octets).toString());
    } catch (CharacterCodingException e) {
      return Optional.of(StandardCharsets.ISO_8859_1.decode(octets.rewind()).toString());
    }
  }

  /** True when the text is made of xtext characters and whole +HH groups. */
  static boolean isValid(String xtext) {
    return octets(xtext, false) != null;
  }

  private static @Nullable ByteBuffer octets(String xtext, boolean anyCase) {
    ByteBuffer octets = ByteBuffer.allocate(xtext.length());
    for (int i = 0; i < xtext.length(); i++) {
      char c = xtext.charAt(i);
      if (c == '+') {
        boolean whole = i + 2 < xtext.length();
        int high = whole ? hex(xtext.charAt(i + 1), anyCase) : -1;
        int low = whole ? hex(xtext.charAt(i + 2), anyCase) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        octets.put((byte) (high << 4 | low));
        i += 2;
      } else if (c > ' ' && c <= '~' && c != '=') {
        octets.put((byte) c);
      } else {
        return null;
      }
    }
    return octets.flip();
  }

  /** Value of a digit: RFC 3461 section 4 knows no lower case. */
  private static int hex(char c, boolean anyCase) {
    return anyCase || c < 'a' ? HexFormat.isHexDigit(c) ? HexFormat.fromHexDigit(c) : -1 : -1;
  }
}

package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Octets of a part of a URL while it is made canonical: escapes are taken off while octets are
 * added, however often they were put on; then the path is resolved and escaped again. Used by
 * {@link WebUrlText}; of one thread, every step takes linear time.
 */
final class UrlOctets {

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

  /** Half of a pair is no character; browsers send the replacement character for it. */
  private static final Pattern HALF_OF_PAIR = Pattern.compile("\\p{Cs}");

  private final byte[] octets;
  private int length;
  private boolean ascii;

  private UrlOctets(byte[] octets, boolean ascii) {
    this.octets = octets;
    this.ascii = ascii;
  }

  /** The text in UTF-8, without escapes. */
  static UrlOctets unescaped(String text) {
    boolean isAscii = text.chars().allMatch(c -> c < 0x80);
    byte[] utf8 =
        (isAscii ? text : HALF_OF_PAIR.matcher(text).replaceAll("\ufffd")).getBytes(UTF_8);
    // One more for the slash that a path may lack.
    UrlOctets result = new UrlOctets(Arrays.copyOf(utf8, utf8.length + 1), isAscii);
    if (text.indexOf('%') < 0) {
      result.length = utf8.length;
      return result;
    }
    for (byte octet : utf8) {
      result.push(octet);
    }
    return result;
  }

  byte[] octets() {
    return octets;
  }

  int length() {
    return length;
  }

  /** True when no octet is above 127. */
  boolean isAscii() {
    return ascii;
  }

  /**
   * Adds an octet. When it ends an escape, the octet that the escape stands for replaces the
   * escape, and may end another one. Each replacement takes two octets away, so the time is linear;
   * escapes never overlap, so the result is the one of unescaping the whole again and again.
   */
  private void push(byte octet) {
    byte last = octet;
    int low = digit(last);
    while (low >= 0 && length >= 2 && octets[length - 2] == '%') {
      int high = digit(octets[length - 1]);
      if (high < 0) {
        break;
      }
      length -= 2;
      last = (byte) (high << 4 | low);
      low = digit(last);
    }
    ascii &= last >= 0;
    octets[length++] = last;
  }

  private static int digit(byte octet) {
    return octet <= ' ' ? -1 : Character.digit(octet, 16);
  }

  /**
   * Makes this a path with query that begins with a slash: backslashes become slashes, {@code /./}
   * and {@code /../} are resolved, then runs of slashes become one. The query, which begins at the
   * first question mark, stays as it is.
   */
  void resolvePath() {
    if (length == 0 || (octets[0] != '/' && octets[0] != '\\')) {
      System.arraycopy(octets, 0, octets, 1, length++);
      octets[0] = '/';
    }
    int end = 0;
    while (end < length && octets[end] != '?') {
      if (octets[end] == '\\') {
        octets[end] = '/';
      }
      end++;
    }
    int kept = singleSlashes(withoutDots(end));
    System.arraycopy(octets, end, octets, kept, length - end);
    length -= end - kept;
  }

  /** Resolves dot segments up to an end; returns the new end. */
  private int withoutDots(int end) {
    int kept = 0;
    int at = 0;
    while (at < end) {
      int next = at + 1;
      while (next < end && octets[next] != '/') {
        next++;
      }
      int dots = dots(at + 1, next);
      if (dots == 2) {
        do {
          kept = Math.max(0, kept - 1);
        } while (kept > 0 && octets[kept] != '/');
      }
      if (dots == 0) {
        System.arraycopy(octets, at, octets, kept, next - at);
        kept += next - at;
      } else if (next == end) {
        octets[kept++] = '/';
      }
      at = next;
    }
    return kept;
  }

  /** 1 for {@code .}, 2 for {@code ..}, 0 for another segment. */
  private int dots(int from, int to) {
    int segment = to - from;
    boolean only = segment == 1 || segment == 2;
    return only && octets[from] == '.' && octets[to - 1] == '.' ? segment : 0;
  }

  private int singleSlashes(int end) {
    int kept = 0;
    for (int i = 0; i < end; i++) {
      if (octets[i] != '/' || kept == 0 || octets[kept - 1] != '/') {
        octets[kept++] = octets[i];
      }
    }
    return kept;
  }

  /** Octets of the escaped form. */
  int escapedLength() {
    int escaped = length;
    for (int i = 0; i < length; i++) {
      escaped += isEscaped(octets[i]) ? 2 : 0;
    }
    return escaped;
  }

  /**
   * Writes the escaped form: {@code #}, {@code %}, octets up to 32 and from 127 as {@code %XX}.
   *
   * @param to behind the last octet of the target that may be written
   * @return behind the last octet that was written; what did not fit is left out, escapes as a
   *     whole
   */
  int escapeInto(byte[] target, int from, int to) {
    int at = from;
    for (int i = 0; i < length; i++) {
      byte octet = octets[i];
      boolean escape = isEscaped(octet);
      if (at + (escape ? 3 : 1) > to) {
        return at;
      }
      if (escape) {
        target[at++] = '%';
        target[at++] = HEX[octet >>> 4 & 0xf];
        target[at++] = HEX[octet & 0xf];
      } else {
        target[at++] = octet;
      }
    }
    return at;
  }

  private static boolean isEscaped(byte octet) {
    return octet <= ' ' || octet == 127 || octet == '#' || octet == '%';
  }
}

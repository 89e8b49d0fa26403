package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Whole URLs inside another one: in its path, query or fragment, as they are, escaped once or
 * twice, or in Base64. Whether the page leads there nobody knows. Asked by the reader of a mail for
 * each link; pure, any thread, linear time.
 */
public final class InnerUrls {

  private static final int MAX_UNESCAPES = 2;

  /** The beginning of a URL in Base64: {@code http}. */
  private static final String BASE64_HTTP = "aHR0c";

  private static final String END_OF_PIECE = "&;?#";
  private static final String NO_URL = "\"'<>`\\^{|}";

  private InnerUrls() {}

  /** The URLs inside of a text, behind its first character, with their schemes. */
  public static List<String> of(String url) {
    List<String> found = new ArrayList<>(0);
    schemes(url, found);
    if (url.indexOf('%') >= 0) {
      int from = 0;
      for (int i = 0; i <= url.length(); i++) {
        if (i == url.length() || END_OF_PIECE.indexOf(url.charAt(i)) >= 0) {
          escaped(url.substring(from, i), found);
          from = i + 1;
        }
      }
    }
    for (int at = url.indexOf(BASE64_HTTP); at >= 0; ) {
      int end = at;
      while (end < url.length() && isBase64(url.charAt(end))) {
        end++;
      }
      schemes(" " + base64(url.substring(at, end)), found);
      at = url.indexOf(BASE64_HTTP, end);
    }
    return found;
  }

  private static void escaped(String piece, List<String> found) {
    String text = piece;
    for (int i = 0; i < MAX_UNESCAPES && text.indexOf('%') >= 0; i++) {
      text = TargetTexts.unescapedOnce(text);
    }
    if (text.length() < piece.length()) {
      schemes(" " + text, found);
    }
  }

  /** Finds each scheme's text up to the next one or to the next parameter of the outer URL. */
  private static void schemes(String text, List<String> found) {
    int from = scheme(text, 1);
    while (from >= 0) {
      int next = scheme(text, from + 1);
      int limit = next < 0 ? text.length() : next;
      int end = from;
      boolean query = false;
      while (end < limit && text.charAt(end) > ' ' && NO_URL.indexOf(text.charAt(end)) < 0) {
        query |= text.charAt(end) == '?';
        if (text.charAt(end) == '&' && !query) {
          break;
        }
        end++;
      }
      found.add(text.substring(from, end));
      from = next;
    }
  }

  /** Finds where {@code http:/} or {@code https:/} begins; -1 when neither does. */
  private static int scheme(String text, int from) {
    for (int colon = text.indexOf(":/", from); colon >= 0; colon = text.indexOf(":/", colon + 1)) {
      for (String scheme : List.of("https", "http")) {
        int at = colon - scheme.length();
        if (at >= from && text.regionMatches(true, at, scheme, 0, scheme.length())) {
          return at;
        }
      }
    }
    return -1;
  }

  private static boolean isBase64(char c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
        || "+/-_".indexOf(c) >= 0;
  }

  /** The text whose Base64, of either alphabet, is at the begin of this one. */
  static String base64(String text) {
    int end = 0;
    while (end < text.length() && isBase64(text.charAt(end))) {
      end++;
    }
    String whole = text.substring(0, end - (end % 4 == 1 ? 1 : 0));
    return new String(
        Base64.getUrlDecoder().decode(whole.replace('+', '-').replace('/', '_')), UTF_8);
  }

  /** The octets of a text in which two hexadecimal digits behind that character are one. */
  public static byte[] unescaped(String text, char escape) {
    byte[] written = text.getBytes(UTF_8);
    ByteArrayOutputStream octets = new ByteArrayOutputStream(written.length);
    for (int i = 0; i < written.length; i++) {
      boolean isEscape = written[i] == escape && i + 2 < written.length;
      int high = isEscape ? Character.digit(written[i + 1], 16) : -1;
      int low = isEscape ? Character.digit(written[i + 2], 16) : -1;
      boolean isWhole = high >= 0 && low >= 0;
      octets.write(isWhole ? high << 4 | low : written[i]);
      i += isWhole ? 2 : 0;
    }
    return octets.toByteArray();
  }

  /** True for a text that begins with a name below a public suffix, which is no name of a file. */
  public static boolean beginsWithName(String text) {
    int end = 0;
    while (end < text.length() && "/?#:\\".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return HostNames.isHost(text, 0, end, true);
  }
}

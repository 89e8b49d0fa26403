package io.bloomgate.cli.support;

import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes out of a text what nobody else should see: keys that are known, everything that looks like
 * a key, all of an address of a web server but scheme, host and the name of a file, and mail
 * addresses; of log lines also addresses of machines. Rather too much than too little. Pure.
 */
final class Mask {

  /** A shorter secret would be found in half of all words; no real key is so short. */
  private static final int LEAST_CHARACTERS = 4;

  private static final String HIDDEN = "***";

  private static final Pattern WEB_ADDRESS =
      Pattern.compile("(?i)\\b((?:https?|rsync|ftp)://)([^\\s\"'<>]*)");
  private static final Pattern SCHEME_OF_KEY =
      Pattern.compile("(?i)\\b(basic|bearer|digest)\\s+[A-Za-z0-9+/=._~-]{4,}");

  /** The part before the sign may be in quotes, which JSON escapes; the one behind in brackets. */
  private static final Pattern MAIL_ADDRESS =
      Pattern.compile(
          "(?:\\\\?\"(?!\\\\\")(?:[^\"\\\\\\v]|\\\\.){1,320}?\\\\?\"|[^\\s<>\\[\\]\"(),;:=]+)"
              + "@(?:\\[[^\\]\\s]*+\\]|[^\\s<>\\[\\]\"(),;]+)");

  /** Long words of letters and digits; words of letters alone, and of digits alone, are none. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])"
              + "[A-Za-z0-9_-]{20,}(?![A-Za-z0-9_-])");

  /**
   * The end of the path of a web address that may be a key, as some lists have it there: a word
   * that names no file, or the name of a file that is a short {@link #KEY}.
   */
  private static final Pattern KEY_AS_FILE =
      Pattern.compile(
          "[^/.?]{"
              + LEAST_CHARACTERS
              + ",}(?=\\.?$|\\?|\\.[^A-Za-z0-9])"
              + "|(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{8,}(?=\\.)");

  private static final Pattern IPV4 = Pattern.compile("\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b");
  private static final Pattern IPV6 =
      Pattern.compile(
          "(?i)(?<![\\w:.])(?:IPv6:)?(?:[0-9a-f:]*::[0-9a-f:.]*|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})");

  private final List<Pattern> known;

  /**
   * A mask.
   *
   * @param known keys, tokens and passwords as they are; each is hidden wherever it is found
   */
  Mask(List<String> known) {
    this.known =
        known.stream()
            .filter(secret -> secret.length() >= LEAST_CHARACTERS)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            // The settings write a zone as they like, its parsed name is in small letters.
            .map(secret -> Pattern.compile(secret, Pattern.LITERAL | Pattern.CASE_INSENSITIVE))
            .toList();
  }

  /** Any text. */
  String text(String text) {
    String masked = text;
    for (Pattern secret : known) {
      masked = secret.matcher(masked).replaceAll(HIDDEN);
    }
    masked = WEB_ADDRESS.matcher(masked).replaceAll(Mask::webAddress);
    masked = SCHEME_OF_KEY.matcher(masked).replaceAll("$1 " + Matcher.quoteReplacement(HIDDEN));
    masked = MAIL_ADDRESS.matcher(masked).replaceAll("[mail]");
    return KEY.matcher(masked).replaceAll(Matcher.quoteReplacement(HIDDEN));
  }

  /** A line of a log. */
  String logLine(String line) {
    String masked = text(line);
    return IPV4.matcher(IPV6.matcher(masked).replaceAll("[ip]")).replaceAll("[ip]");
  }

  /**
   * The address without user name, password, folders (some lists have the key there), query and
   * fragment.
   */
  private static String webAddress(MatchResult found) {
    String rest = found.group(2);
    int path = rest.indexOf('/');
    String host = path < 0 ? rest : rest.substring(0, path);
    String behind = (path < 0 ? "" : rest.substring(path)).replaceFirst("[?#].*", "?...");
    int file = behind.lastIndexOf('/');
    int at = host.lastIndexOf('@');
    return Matcher.quoteReplacement(
        found.group(1)
            + (at < 0 ? host : host.substring(at + 1)).replaceFirst("[?#].*", "?...")
            + (file > 0 ? "/..." : "")
            + (file < 0 ? behind : "/" + withoutKey(behind.substring(file + 1))));
  }

  private static String withoutKey(String file) {
    Matcher key = KEY_AS_FILE.matcher(file);
    return key.lookingAt() ? HIDDEN + file.substring(key.end()) : file;
  }
}

package io.bloomgate.blocklists.content.html;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The named character references of HTML, all of them: letters with marks are in hosts, and
 * browsers read the name of a script letter in a host as the plain letter (UTS 46). Used by {@link
 * HtmlTokens}.
 */
final class Entities {

  /** Characters of the longest name. */
  static final int LONGEST = 31;

  private static final String FILE = "entities.txt";

  /** Open addressing: names, and what they stand for. */
  private static final String[] NAMES = new String[8_192];

  private static final String[] STAND_FOR = new String[NAMES.length];

  /** Those that need no semicolon. */
  private static final boolean[] BARE = new boolean[NAMES.length];

  static {
    try (InputStream resource =
            Objects.requireNonNull(Entities.class.getResourceAsStream(FILE), FILE);
        BufferedReader lines = new BufferedReader(new InputStreamReader(resource, US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          add(line.split(" ", -1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + FILE, e);
    }
  }

  private Entities() {}

  /** A name, a star when it needs no semicolon, code points. */
  private static void add(String[] words) {
    char[] text = words[0].toCharArray();
    int slot = slot(text, 0, text.length);
    boolean bare = words[1].equals("*");
    StringBuilder standsFor = new StringBuilder();
    for (int i = bare ? 2 : 1; i < words.length; i++) {
      standsFor.appendCodePoint(Integer.parseInt(words[i], 16));
    }
    NAMES[slot] = words[0];
    STAND_FOR[slot] = standsFor.toString();
    BARE[slot] = bare;
  }

  /** Where a name is, or would be. */
  private static int slot(char[] text, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + text[i];
    }
    int slot = hash & (NAMES.length - 1);
    while (NAMES[slot] != null && !isAt(slot, text, from, to)) {
      slot = (slot + 1) & (NAMES.length - 1);
    }
    return slot;
  }

  private static boolean isAt(int slot, char[] text, int from, int to) {
    String there = NAMES[slot];
    if (there.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (there.charAt(i - from) != text[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a name stands for, empty when it is not known here.
   *
   * @param semicolon false when none is behind the name, which only few names allow
   */
  static String of(char[] text, int from, int to, boolean semicolon) {
    int slot = slot(text, from, to);
    String found = NAMES[slot];
    return found != null && (semicolon || BARE[slot]) ? STAND_FOR[slot] : "";
  }

  /** What a number stands for; browsers read no other character in a number that is none. */
  static int numbered(int point) {
    boolean none =
        point <= 0
            || point > Character.MAX_CODE_POINT
            || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    return none ? 0xfffd : point;
  }
}

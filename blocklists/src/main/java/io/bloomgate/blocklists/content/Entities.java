package io.bloomgate.blocklists.content;

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
    int slot = slot(text, text.length);
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
  private static int slot(char[] name, int length) {
    int hash = length;
    for (int i = 0; i < length; i++) {
      hash = hash * 31 + name[i];
    }
    int slot = hash & (NAMES.length - 1);
    while (NAMES[slot] != null && !isAt(slot, name, length)) {
      slot = (slot + 1) & (NAMES.length - 1);
    }
    return slot;
  }

  private static boolean isAt(int slot, char[] name, int length) {
    String there = NAMES[slot];
    if (there.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (there.charAt(i) != name[i]) {
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
  static String of(char[] name, int length, boolean semicolon) {
    int slot = slot(name, length);
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

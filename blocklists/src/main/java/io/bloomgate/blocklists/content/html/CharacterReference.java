package io.bloomgate.blocklists.content.html;

import java.util.HexFormat;

/**
 * Reads one character reference of HTML while its characters pass, a name or a number behind an
 * ampersand; WHATWG HTML section 13.2.5.72 and following. One object serves all of a text. Used by
 * {@link HtmlTokens}.
 */
final class CharacterReference {

  /** Greater than any character, so that more digits change nothing. */
  private static final int TOO_LARGE = 0x110000;

  /**
   * An ampersand and the name, or {@code #} and {@code #x} of a number; at the end what the
   * reference stands for, or its own text.
   */
  private final char[] text = new char[Entities.LONGEST + 2];

  /** Behind the name in {@link #text}. */
  private int end;

  private int digits;
  private int point;

  /** Begins behind an ampersand. */
  void start() {
    end = 1;
    text[1] = 0;
    digits = 0;
    point = 0;
  }

  /** Takes the next characters; returns where the reference ends, or the end. */
  int add(char[] more, int from, int to) {
    int i = from;
    int last = Math.min(to, from + Entities.LONGEST - end);
    while (i < last && HtmlNames.isLetter(more[i]) && text[1] != '#') {
      text[end++] = more[i++]; // as nearly all, and faster
    }
    while (i < to && add(more[i])) {
      i++;
    }
    return i;
  }

  /** Takes the next character; false when it belongs to the reference no more. */
  private boolean add(char c) {
    if (end > 1 && text[1] == '#') {
      return number(c);
    }
    boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    boolean named = letter || (end > 1 && c >= '0' && c <= '9') || (end == 1 && c == '#');
    if (!named || end > Entities.LONGEST) {
      return false;
    }
    text[end++] = c;
    return true;
  }

  private boolean number(char c) {
    if (end == 2 && digits == 0 && (c == 'x' || c == 'X')) {
      text[end++] = c;
      return true;
    }
    int base = end == 3 ? 16 : 10;
    int digit = HexFormat.isHexDigit(c) ? HexFormat.fromHexDigit(c) : base;
    if (digit >= base) {
      return false;
    }
    // browsers read any number of zeros in front
    point = Math.min(TOO_LARGE, point * base + digit);
    digits++;
    return true;
  }

  /**
   * Ends the reference.
   *
   * @param semicolon true when one follows
   * @param literal true where a name without semicolon stands for itself
   * @return how many characters of {@link #result} are to be written
   */
  int end(boolean semicolon, boolean literal) {
    if (digits > 0) {
      return Character.toChars(Entities.numbered(point), text, 0);
    }
    String stands = !semicolon && literal ? "" : Entities.of(text, 1, end, semicolon);
    if (!stands.isEmpty()) {
      stands.getChars(0, stands.length(), text, 0);
      return stands.length();
    }
    text[0] = '&';
    if (semicolon) {
      text[end++] = ';';
    }
    return end;
  }

  /** The characters that {@link #end} counts. */
  char[] result() {
    return text;
  }
}

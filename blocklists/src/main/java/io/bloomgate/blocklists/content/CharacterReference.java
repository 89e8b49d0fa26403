package io.bloomgate.blocklists.content;

/**
 * Reads one character reference of HTML while its characters pass, a name or a number behind an
 * ampersand; WHATWG HTML section 13.2.5.72 and following. One object serves all of a text. Used by
 * {@link HtmlTokens}.
 */
final class CharacterReference {

  /** Greater than any character, so that more digits change nothing. */
  private static final int TOO_LARGE = 0x110000;

  /** The name, or {@code #} and {@code #x} of a number. */
  private final char[] name = new char[Entities.LONGEST];

  /** What the reference stands for, or its own text with ampersand and semicolon. */
  private final char[] result = new char[Entities.LONGEST + 2];

  private int length;
  private int digits;
  private int point;

  /** Begins behind an ampersand. */
  void start() {
    length = 0;
    digits = 0;
    point = 0;
  }

  /** Takes the next character; false when it belongs to the reference no more. */
  boolean add(char c) {
    if (length > 0 && name[0] == '#') {
      return number(c);
    }
    boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    boolean named = letter || (length > 0 && c >= '0' && c <= '9') || (length == 0 && c == '#');
    if (!named || length == name.length) {
      return false;
    }
    name[length++] = c;
    return true;
  }

  private boolean number(char c) {
    if (length == 1 && digits == 0 && (c == 'x' || c == 'X')) {
      name[length++] = c;
      return true;
    }
    int base = length == 2 ? 16 : 10;
    int digit = Octets.hex(c);
    if (digit < 0 || digit >= base) {
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
      return Character.toChars(Entities.numbered(point), result, 0);
    }
    String stands = !semicolon && literal ? "" : Entities.of(name, length, semicolon);
    if (!stands.isEmpty()) {
      stands.getChars(0, stands.length(), result, 0);
      return stands.length();
    }
    result[0] = '&';
    System.arraycopy(name, 0, result, 1, length);
    if (semicolon) {
      result[length + 1] = ';';
    }
    return length + (semicolon ? 2 : 1);
  }

  /** The characters that {@link #end} counts. */
  char[] result() {
    return result;
  }
}

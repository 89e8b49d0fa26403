package io.bloomgate.blocklists.url;

/**
 * Finds URLs that are spread over several words of a text: {@code example dot com}, {@code example
 * [.] com}, {@code h t t p : / / example.com}, {@code http:// example.com}. All of them are {@link
 * Form#DEFANGED}. Called by {@link UrlScanner} word by word; of one thread.
 */
final class SpokenUrls {

  /** Characters of a name that is put together; a longer one is given up. */
  static final int MAX_NAME = 255;

  /** Characters of a word that may begin a spoken name. */
  static final int MAX_LABEL = 63;

  private static final String WITHOUT_S = "http://";
  private static final String WITH_S = "https://";

  private final WordReader words;
  private final StringBuilder name = new StringBuilder();
  private final StringBuilder scheme = new StringBuilder(WITH_S.length());
  private boolean afterDot;
  private boolean afterScheme;

  SpokenUrls(WordReader words) {
    this.words = words;
  }

  /** Begins a text. */
  void start() {
    name.setLength(0);
    scheme.setLength(0);
    afterDot = false;
    afterScheme = false;
  }

  /** True when the next word matters whatever it is. */
  boolean isActive() {
    return afterScheme || !name.isEmpty() || !scheme.isEmpty();
  }

  /** True when a word may matter, by its first two letters and its length. */
  static boolean mayMatter(char[] text, int from, int to) {
    int length = to - from;
    return switch (text[from] | 0x20) {
      case 'h' ->
          length == 1
              || (length >= 4 && length <= WITH_S.length() && isSecond('h', text[from + 1]));
      case 'd' -> length == 3 && isSecond('d', text[from + 1]);
      // Opening brackets with the bit of lower case set.
      case '[' | 0x20, '(' | 0x20 -> length == 3 || length == 5;
      default -> false;
    };
  }

  /** True for a second letter of a scheme, or of a spoken dot. */
  static boolean isSecond(char first, char second) {
    int lower = second | 0x20;
    return (first | 0x20) == 'd' ? lower == 'o' : lower == 't' || lower == 'x';
  }

  /**
   * Takes the next word.
   *
   * @param before where the word before it is, empty when it was too long
   * @return whether bare names of the word have been found here, behind a scheme
   */
  boolean word(char[] text, int from, int to, char[] before, int beforeFrom, int beforeTo) {
    boolean taken = afterScheme;
    if (taken) {
      afterScheme = false;
      words.readBare(text, from, to);
    }
    spelled(text, from, to);
    if (Refanged.isDot(text, from, to)) {
      if (name.isEmpty()) {
        name.append(before, beforeFrom, beforeTo - beforeFrom);
        if (!isName(name)) {
          name.setLength(0);
        }
      }
      afterDot = !name.isEmpty() && name.length() < MAX_NAME;
    } else if (afterDot) {
      afterDot = false;
      name.append('.').append(text, from, Math.min(to - from, MAX_NAME));
      if (!isName(name)) {
        finish();
      }
    } else {
      finish();
    }
    return taken;
  }

  /** Gives what was put together so far. */
  void finish() {
    if (!name.isEmpty() && name.indexOf(".") > 0) {
      char[] whole = name.toString().toCharArray();
      words.read(whole, 0, whole.length, true, Form.DEFANGED);
    }
    name.setLength(0);
    afterDot = false;
  }

  private static boolean isName(CharSequence word) {
    for (int i = 0; i < word.length(); i++) {
      if (!TextKinds.isHostCharacter(word.charAt(i))) {
        return false;
      }
    }
    return !word.isEmpty() && word.length() <= MAX_NAME;
  }

  /** Follows a scheme that is spelled with spaces in it. */
  private void spelled(char[] text, int from, int to) {
    if (to - from <= WITH_S.length() - scheme.length()) {
      for (int i = from; i < to; i++) {
        char letter = (char) (text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 0x20 : text[i]);
        scheme.append(letter == 'x' ? 't' : letter);
      }
      boolean withS = begins(WITH_S);
      boolean begins = withS || begins(WITHOUT_S);
      afterScheme = begins && scheme.length() == (withS ? WITH_S : WITHOUT_S).length();
      if (begins && !afterScheme) {
        return;
      }
    }
    scheme.setLength(0);
  }

  private boolean begins(String whole) {
    if (scheme.length() > whole.length()) {
      return false;
    }
    for (int i = 0; i < scheme.length(); i++) {
      if (scheme.charAt(i) != whole.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}

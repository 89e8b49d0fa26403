package io.bloomgate.blocklists.content.html;

/**
 * The names of the tag and of the attribute that are read, as numbers. Part of {@link HtmlTokens}.
 */
final class TagName {

  private long tag;
  private long attribute;
  private int length;
  private boolean end;
  private boolean slash;

  /** Begins a tag. */
  void start(boolean isEnd) {
    end = isEnd;
    tag = 0;
    length = 0;
    slash = false;
  }

  /** The end tag of the same name begins. */
  void startEnd() {
    end = true;
    slash = false;
  }

  /** Begins an attribute. */
  void startAttribute() {
    attribute = 0;
    length = 0;
  }

  /**
   * Takes a character of the tag's name.
   *
   * @param xml where a name can have any prefix
   */
  void add(char c, boolean xml) {
    if (c == ':' && xml) {
      tag = 0;
      length = 0;
    } else {
      tag = HtmlNames.more(tag, length++, c);
    }
  }

  /** Takes the letters that the tag's name goes on with; returns where they end. */
  int addLetters(char[] text, int from, int to) {
    long number = tag;
    int i = from;
    for (; i < to && HtmlNames.isLetter(text[i]); i++) {
      number = HtmlNames.more(number, length + i - from, text[i]);
    }
    tag = number;
    length += i - from;
    return i;
  }

  /** The same of the attribute's name. */
  int addLettersOfAttribute(char[] text, int from, int to) {
    long number = attribute;
    int i = from;
    for (; i < to && HtmlNames.isLetter(text[i]); i++) {
      number = HtmlNames.more(number, length + i - from, text[i]);
    }
    attribute = number;
    length += i - from;
    return i;
  }

  /** Takes a character of the attribute's name. */
  void addAttribute(char c, boolean xml) {
    if (c == ':' && xml) {
      startAttribute();
    } else {
      attribute = HtmlNames.more(attribute, length++, c);
    }
  }

  /** The last character of the tag so far is a slash, or is none. */
  void slash(boolean is) {
    slash = is;
  }

  boolean closesItself() {
    return slash;
  }

  boolean isEnd() {
    return end;
  }

  long tag() {
    return tag;
  }

  long attribute() {
    return attribute;
  }
}

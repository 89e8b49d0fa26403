package io.bloomgate.config.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of a list that its publisher cuts into files: {@code 00..31}, {@code aa..az}, or
 * {@code 1..} up to the first that is not there. Digits keep at least the width of the first
 * number, letters exactly (as {@code split -d} and {@code split} name files). Immutable.
 *
 * @param first digits only or small letters only
 * @param last of the same kind, empty when the publisher's last one is not known
 */
public record PartNumbers(String first, String last) {

  /** Parts that one list may have. */
  public static final int MOST_PARTS = 1000;

  private static final Pattern SYNTAX =
      Pattern.compile("([0-9]{1,6})\\.\\.([0-9]{1,6})?|([a-z]{1,4})\\.\\.([a-z]{1,4})?");
  private static final int LETTERS = 26;

  /** Reads the text after {@code part:}. */
  static PartNumbers read(String text) throws BadValueException {
    Matcher m = SYNTAX.matcher(text);
    if (!m.matches()) {
      throw new BadValueException(
          "{part:" + Shown.bare(text) + "} is not a range",
          "write {part:00..31}, {part:aa..} or so");
    }
    boolean digits = m.group(1) != null;
    String end = m.group(digits ? 2 : 4);
    PartNumbers parts = new PartNumbers(m.group(digits ? 1 : 3), end == null ? "" : end);
    if (!parts.isOpen() && parts.count() < 1) {
      throw new BadValueException(
          "{part:" + text + "} ends before it begins", "write the first number first");
    }
    if (!parts.isOpen() && (parts.count() > MOST_PARTS || !parts.hasEvenLetters())) {
      throw new BadValueException(
          "{part:" + text + "} is more than one list can have",
          "at most " + MOST_PARTS + " parts, letters of one width");
    }
    return parts;
  }

  /** True when the last number is not known: the list ends where the next file is missing. */
  public boolean isOpen() {
    return last.isEmpty();
  }

  /** The number of the part at this place, from 0; empty behind the last. */
  public Optional<String> label(int index) {
    long value = value(first) + index;
    if (index >= MOST_PARTS || (!isOpen() && value > value(last))) {
      return Optional.empty();
    }
    return isDigits() ? Optional.of(digits(value)) : letters(value);
  }

  private boolean isDigits() {
    return first.charAt(0) <= '9';
  }

  private boolean hasEvenLetters() {
    return isDigits() || first.length() == last.length();
  }

  private long count() {
    return value(last) - value(first) + 1;
  }

  private long value(String label) {
    long value = 0;
    for (int i = 0; i < label.length(); i++) {
      char c = label.charAt(i);
      value = isDigits() ? value * 10 + c - '0' : value * LETTERS + c - 'a';
    }
    return value;
  }

  private String digits(long value) {
    String plain = Long.toString(value);
    return "0".repeat(Math.max(0, first.length() - plain.length())) + plain;
  }

  private Optional<String> letters(long value) {
    char[] label = new char[first.length()];
    long rest = value;
    for (int i = label.length - 1; i >= 0; i--) {
      label[i] = (char) ('a' + rest % LETTERS);
      rest /= LETTERS;
    }
    return rest == 0 ? Optional.of(new String(label)) : Optional.empty();
  }
}

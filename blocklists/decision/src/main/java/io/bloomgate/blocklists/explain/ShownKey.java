package io.bloomgate.blocklists.explain;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;

/**
 * Writes in words for people what lists are asked for: the hash of a subject or of a text says
 * nothing to anybody. Called by replies, answers of commands and the command line. Pure.
 */
public final class ShownKey {

  /** Hexadecimal digits of a hash that tell two of them apart for a person. */
  private static final int SHOWN_DIGITS = 12;

  private static final String CUT = "...";

  private ShownKey() {}

  /**
   * Returns words for a sentence about one mail: {@code the subject of this mail}, {@code the text
   * of this mail}; every other key as it is.
   *
   * @param check its key in settings and JSON
   * @param text of the key or the entry, canonical
   */
  public static String ofMail(String check, String text) {
    if (!isHash(text)) {
      return text;
    }
    return check.equals(Check.SUBJECT.key())
        ? "the subject of this mail"
        : isOfText(check, text) ? "the text of this mail" : text;
  }

  /** Returns words for a table or a reply: the begin of a hash, every other text as it is. */
  public static String shortened(String text) {
    int begin = isLikeness(text) ? text.indexOf(':') + 1 : 0;
    return isHash(text) ? text.substring(0, begin + SHOWN_DIGITS) + CUT : text;
  }

  /** The same for an entry: what an attachment is compared with is shown whole. */
  public static String ofEntry(Iterable<String> scope, String text) {
    if (isLikeness(text)) {
      return shortened(text);
    }
    for (String check : scope) {
      if (check.equals(Check.SUBJECT.key()) || check.equals(Check.BODY.key())) {
        return shortened(text);
      }
    }
    return text;
  }

  private static boolean isOfText(String check, String text) {
    return check.equals(Check.BODY.key()) || isLikeness(text);
  }

  private static boolean isHash(String text) {
    return isLikeness(text) || Fingerprint.parse(text).toOptional().isPresent();
  }

  private static boolean isLikeness(String text) {
    return Likeness.parse(text).toOptional().isPresent();
  }
}

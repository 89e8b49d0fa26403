package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.Fingerprint;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fingerprint of a subject, the same for subjects that differ in case, spaces, punctuation,
 * numbers, invisible characters and marks of answers. It has no seed, so that lists of such values
 * can be exchanged. Called by sessions and by {@code block add --subject}; any thread, pure.
 */
public final class SubjectPrint {

  /** Letters that a normalised subject needs to have a fingerprint: shorter ones say too little. */
  public static final int LEAST_LETTERS = 12;

  /** Begins what is hashed. Part of values that are exchanged: never changes. */
  private static final String TAG = "bloomgate subject 1\n";

  /**
   * One word that mail programs write before the subject of an answer or of a mail passed on; not
   * several, because a repeated group takes a piece of the stack for each.
   */
  private static final Pattern ANSWER =
      Pattern.compile("\\s*+(?:re|fwd?|aw|wg|sv|antw)(?:\\s*+\\[\\d{1,4}])?+\\s*+:");

  private static final Pattern PUNCTUATION =
      Pattern.compile("[^\\p{L}\\p{Mn}\\p{Mc}\\p{Nd}\\p{Z}\\p{Cc}]++");

  private static final Pattern NUMBER = Pattern.compile("\\p{Nd}++");
  private static final Pattern SPACE = Pattern.compile("[\\p{Z}\\p{Cc}]++");

  private SubjectPrint() {}

  /**
   * The fingerprint.
   *
   * @param subject decoded (RFC 2047)
   * @return empty for one of fewer than {@link #LEAST_LETTERS} letters
   */
  public static Optional<Fingerprint> of(String subject) {
    String text = normalised(subject);
    return text.codePoints().filter(Character::isLetter).count() < LEAST_LETTERS
        ? Optional.empty()
        : Optional.of(Fingerprint.ofText(TAG + text));
  }

  /**
   * Returns what is hashed: NFKC, case folded, without leading {@code Re:} and the like, each
   * number as one 0, otherwise letters only, single spaces.
   */
  public static String normalised(String subject) {
    String text = PlainText.folded(subject);
    Matcher answer = ANSWER.matcher(text);
    int from = 0;
    while (answer.region(from, text.length()).lookingAt()) {
      from = answer.end();
    }
    text = PUNCTUATION.matcher(text.substring(from)).replaceAll("");
    text = NUMBER.matcher(text).replaceAll("0");
    return SPACE.matcher(text).replaceAll(" ").strip();
  }
}

package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Fingerprint;
import java.nio.CharBuffer;
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

  /** Characters of a subject that are read. */
  public static final int MOST_CHARACTERS = 2_000;

  /** Begins what is hashed. Part of values that are exchanged: never changes. */
  private static final Sha256 SHA_256 = new Sha256("bloomgate subject 1\n");

  /**
   * What mail programs write before the subject of an answer or of a mail passed on; one of them,
   * because a repeated group takes a piece of the stack for each.
   */
  private static final Pattern ANSWER =
      Pattern.compile("\\s*+(?:re|fwd?|aw|wg|sv|antw)(?:\\s*+\\[\\d{1,4}])?+\\s*+:");

  private SubjectPrint() {}

  /**
   * The fingerprint.
   *
   * @param subject decoded (RFC 2047)
   * @return empty for one of fewer than {@link #LEAST_LETTERS} letters
   */
  public static Optional<Fingerprint> of(String subject) {
    String text = normalised(subject);
    int letters = 0;
    for (int i = 0; i < text.length() && letters < LEAST_LETTERS; ) {
      int codePoint = text.codePointAt(i);
      letters += Character.isLetter(codePoint) ? 1 : 0;
      i += Character.charCount(codePoint);
    }
    if (letters < LEAST_LETTERS) {
      return Optional.empty();
    }
    return Optional.of(Fingerprint.of(SHA_256.of(text.getBytes(UTF_8))));
  }

  /**
   * What is hashed: NFKC, case folded, without leading {@code Re:} and the like, each number as one
   * 0, otherwise letters only, single spaces.
   */
  public static String normalised(String subject) {
    char[] read = visible(beginning(subject)).toCharArray();
    char[] folded = PlainText.folded(read, 0, read.length);
    int from = 0;
    for (char c : folded) {
      if (c == ':') {
        from = behindAnswers(folded);
        break;
      }
    }
    int length = 0; // what is kept takes the place of what was read
    boolean isAfterSpace = false;
    boolean isAfterDigit = false;
    for (int i = from; i < folded.length; ) {
      int codePoint = Character.codePointAt(folded, i);
      i += Character.charCount(codePoint);
      boolean isDigit = Character.isDigit(codePoint);
      if (PlainText.isSpace(codePoint)) {
        isAfterSpace = true;
        isAfterDigit = false;
      } else if ((isDigit && !isAfterDigit) || PlainText.isLetter(codePoint)) {
        if (isAfterSpace && length > 0) {
          folded[length++] = ' ';
        }
        length += Character.toChars(isDigit ? '0' : codePoint, folded, length);
        isAfterSpace = false;
        isAfterDigit = isDigit;
      }
    }
    return new String(folded, 0, length);
  }

  /**
   * The characters that are read: of a long subject those that can be seen, of spaces one, so that
   * no number of others hides the words.
   */
  public static String beginning(String subject) {
    if (subject.length() <= MOST_CHARACTERS) {
      return subject;
    }
    StringBuilder read = new StringBuilder(MOST_CHARACTERS);
    boolean isAfterSpace = true;
    for (int i = 0; i < subject.length() && read.length() < MOST_CHARACTERS; ) {
      int codePoint = subject.codePointAt(i);
      i += Character.charCount(codePoint);
      boolean isSpace = PlainText.isSpace(codePoint);
      if (!PlainText.isInvisible(codePoint) && !(isSpace && isAfterSpace)) {
        read.appendCodePoint(codePoint);
        isAfterSpace = isSpace;
      }
    }
    return read.toString();
  }

  private static int behindAnswers(char[] text) {
    Matcher answer = ANSWER.matcher(CharBuffer.wrap(text));
    int from = 0;
    while (answer.region(from, text.length).lookingAt()) {
      from = answer.end();
    }
    return from;
  }

  private static String visible(String text) {
    int first = 0;
    while (first < text.length() && !PlainText.isInvisible(text.codePointAt(first))) {
      first += Character.charCount(text.codePointAt(first));
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder visible = new StringBuilder(text.length()).append(text, 0, first);
    for (int i = first; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      if (!PlainText.isInvisible(codePoint)) {
        visible.appendCodePoint(codePoint);
      }
      i += Character.charCount(codePoint);
    }
    return visible.toString();
  }
}

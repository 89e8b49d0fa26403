package io.bloomgate.blocklists.replay;

import java.util.regex.Pattern;

/**
 * Finds out whether a log is the decision log of Bloomgate itself, whose lines have the form of
 * Postfix's refusals. Such a log lacks accepted mail in that form, and the kept sessions hold more.
 * A log of both programs is a log of Postfix. Called by {@link LogFile}, one for each file.
 */
final class OwnLog {

  /** The reason that is given for such a file. */
  static final String REASON =
      "this is Bloomgate's own log; `bloomgate impact` asks its kept sessions, which hold more";

  /** A line of {@code log.format: json} or {@code kv}. */
  private static final Pattern FIELDS =
      Pattern.compile("\\{\"ts\":\"[^\"]*+\",\"event\":\"|(?:^|\\s)ts=\\S++ event=");

  /** The program's name in a line of the form of Postfix. */
  private static final Pattern PROGRAM = Pattern.compile("[ /]bloomgate(?:/[a-z]++)?\\[\\d++\\]: ");

  private static final String REFUSAL = "]: NOQUEUE: ";

  private boolean own;
  private boolean other;

  /** Looks at one more line of the file. */
  void line(String line) {
    if (FIELDS.matcher(line).find() || PROGRAM.matcher(line).find() || isAccepted(line)) {
      own = true;
    } else if (!line.contains(REFUSAL)) {
      other |= line.contains(" postfix");
    }
  }

  /** A line of mail that passed, whatever {@code log.tag} is. */
  private static boolean isAccepted(String line) {
    return line.contains(REFUSAL) && line.contains(" nrcpt=") && line.contains(" outcome=");
  }

  /** True when lines of Bloomgate were seen, and none of another program of Postfix's family. */
  boolean isLikely() {
    return own && !other;
  }
}

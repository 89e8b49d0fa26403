package io.bloomgate.blocklists.operator;

/**
 * Why an entry is not taken. Immutable.
 *
 * @param message what is wrong, for the person who asked
 * @param hint how to mend it
 * @param log the same for the log, one line
 * @param forceable true when {@code --force} takes the entry all the same
 */
public record Refusal(String message, String hint, String log, boolean forceable) {

  /** A refusal that {@code --force} lifts. */
  static Refusal unlessForced(NewEntry entry, String message, String hint) {
    return new Refusal(message, hint, log(entry, message), true);
  }

  /** A refusal of something that has no meaning. */
  static Refusal always(NewEntry entry, String message, String hint) {
    return new Refusal(message, hint, log(entry, message), false);
  }

  private static String log(NewEntry entry, String message) {
    return "refused " + Words.of(entry.list()) + " " + entry.subject() + ": " + message;
  }
}

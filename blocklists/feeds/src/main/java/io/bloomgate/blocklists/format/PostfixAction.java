package io.bloomgate.blocklists.format;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The effect that the right side of a Postfix access table has on mail, {@code access(5)}. */
public enum PostfixAction {
  /** The client gets a refusal, now or later, or the mail is dropped. */
  REFUSES,
  /** The mail passes this table and those behind it. */
  PERMITS,
  /** {@code DUNNO}: the mail passes this table, and no wider key of it is looked at. */
  PASSES_ON,
  /** Restrictions of {@code main.cf}, whose outcome depends on the session. */
  RESTRICTIONS,
  /** A code of three digits alone: Postfix permits, and its author meant a refusal. */
  CODE_ALONE,
  /** None of these: read as one of them it would do harm. */
  OTHER,
  /** Nothing is written. */
  MISSING;

  private static final Set<String> REFUSE = Set.of("REJECT", "DISCARD", "DEFER", "DEFER_IF_PERMIT");

  /** An action that decides nothing alone: what follows it in Postfix decides. */
  private static final String DEFER_IF_REJECT = "DEFER_IF_REJECT";

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final Pattern CODE = Pattern.compile("[45][0-9][0-9]");

  /** Reads the right side of a line. */
  public static PostfixAction of(String right) {
    String action = word(right);
    boolean alone = action.length() == right.length();
    if (action.isEmpty()) {
      return MISSING;
    }
    if (action.equals("DUNNO")) {
      return PASSES_ON;
    }
    if (REFUSE.contains(action)) {
      return REFUSES;
    }
    if (CODE.matcher(action).matches()) {
      return alone ? CODE_ALONE : REFUSES;
    }
    // access(5): an all-numerical result is OK, and text behind OK counts for nothing.
    if (action.equals("OK")
        || (alone && (action.equals("PERMIT") || NUMBER.matcher(action).matches()))) {
      return PERMITS;
    }
    boolean restrictions =
        action.equals("PERMIT") || action.indexOf(',') >= 0 || action.indexOf('_') >= 0;
    return restrictions && !action.equals(DEFER_IF_REJECT) ? RESTRICTIONS : OTHER;
  }

  /** False for a refusal that Postfix means for now only, or does not tell the client. */
  public static boolean isForGood(String right) {
    String action = word(right);
    return action.equals("REJECT") || action.startsWith("5");
  }

  private static String word(String right) {
    return right.split("\\s", 2)[0].toUpperCase(Locale.ROOT);
  }

  /** The reason why an entry with this action cannot be taken; empty when it can. */
  public String problem() {
    return switch (this) {
      case MISSING -> "entry without an action";
      case RESTRICTIONS -> "lists of restrictions are not supported";
      case CODE_ALONE -> "a code without a text is OK for Postfix; write REJECT if it is to refuse";
      case OTHER -> "action that neither refuses nor permits";
      case REFUSES, PERMITS, PASSES_ON -> "";
    };
  }
}

package io.bloomgate.blocklists.postfix;

import java.util.Locale;
import java.util.Set;

/** What the right side of a Postfix access table does with mail, {@code access(5)}. */
public enum PostfixAction {
  /** The client gets a refusal, now or later, or the mail is dropped. */
  REFUSES,
  /** The mail passes this table and those behind it. */
  PERMITS,
  /** {@code DUNNO}: the mail passes this table, and no wider key of it is looked at. */
  PASSES_ON,
  /** None of these: read as one of them it would do harm. */
  OTHER,
  /** Nothing is written. */
  MISSING;

  private static final Set<String> REFUSE =
      Set.of("REJECT", "DISCARD", "DEFER", "DEFER_IF_REJECT", "DEFER_IF_PERMIT");

  /** Reads the first word of the right side. */
  public static PostfixAction of(String word) {
    String action = word.toUpperCase(Locale.ROOT);
    if (action.isEmpty()) {
      return MISSING;
    }
    if (action.equals("DUNNO")) {
      return PASSES_ON;
    }
    if (REFUSE.contains(action) || action.matches("[45][0-9][0-9]")) {
      return REFUSES;
    }
    // access(5): an all-numerical result is OK.
    boolean permits =
        action.equals("OK")
            || action.equals("PERMIT")
            || action.startsWith("PERMIT_")
            || action.matches("[0-9]+");
    return permits ? PERMITS : OTHER;
  }

  /** Why an entry with this action cannot be taken; empty when it can. */
  public String problem() {
    return switch (this) {
      case MISSING -> "entry without an action";
      case OTHER -> "action that neither refuses nor permits";
      case REFUSES, PERMITS, PASSES_ON -> "";
    };
  }
}

package io.bloomgate.blocklists.feed;

import java.util.Locale;
import java.util.Set;

/** What the right side of a Postfix access table does with mail, {@code access(5)}. */
enum PostfixAction {
  /** The client hears a refusal, now or later, or the mail goes nowhere. */
  REFUSES,
  /** The mail passes this table. */
  PERMITS,
  /** Neither of both: read as one of them it would do harm. */
  OTHER,
  /** Nothing is written. */
  MISSING;

  private static final Set<String> REFUSE =
      Set.of("REJECT", "DISCARD", "DEFER", "DEFER_IF_REJECT", "DEFER_IF_PERMIT");

  private static final Set<String> PERMIT = Set.of("OK", "PERMIT", "DUNNO");

  /** Reads the first word of the right side. */
  static PostfixAction of(String word) {
    String action = word.toUpperCase(Locale.ROOT);
    if (action.isEmpty()) {
      return MISSING;
    }
    if (REFUSE.contains(action) || action.matches("[45][0-9][0-9]")) {
      return REFUSES;
    }
    // access(5): an all-numerical result is OK.
    return PERMIT.contains(action) || action.startsWith("PERMIT_") || action.matches("[0-9]+")
        ? PERMITS
        : OTHER;
  }

  /** Why an entry with this action cannot be taken. */
  String reason() {
    return switch (this) {
      case MISSING -> "entry without an action";
      case OTHER -> "action that neither refuses nor permits";
      case REFUSES, PERMITS -> throw new IllegalStateException("nothing is wrong with " + this);
    };
  }
}

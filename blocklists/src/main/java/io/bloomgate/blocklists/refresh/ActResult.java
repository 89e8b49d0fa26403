package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/** How {@code feeds accept} or {@code feeds rollback} ended. Immutable. */
public sealed interface ActResult {

  /**
   * It is done, and live.
   *
   * @param feed an object that says what is live now and what was let through or left
   * @param version number of the version that is live now
   * @param notes sentences for the operator
   */
  record Done(JsonObject feed, long version, List<String> notes) implements ActResult {
    public Done {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Nothing was changed, or not for long.
   *
   * @param exitCode 1 when it cannot be done, 2 for a name that is no feed, 4 when it is live and
   *     will be forgotten at a restart (contract, section 1)
   */
  record Refused(int exitCode, String message, String hint) implements ActResult {}

  /** Nothing was changed, with exit code 1. */
  static ActResult refused(String message, String hint) {
    return new Refused(1, message, hint);
  }
}

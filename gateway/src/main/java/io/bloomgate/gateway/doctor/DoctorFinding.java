package io.bloomgate.gateway.doctor;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.Locale;

/**
 * What one check found. Immutable.
 *
 * @param check the check's name, as the option of the command has it
 * @param what was seen, one sentence
 * @param where it was seen: a listener, a host, a feed
 * @param mend what to do about it; empty when nothing is to be done
 */
public record DoctorFinding(String check, State state, String what, String where, String mend) {

  /** How bad it is. */
  public enum State {
    OK,
    WARN,
    FAIL
  }

  static DoctorFinding ok(String check, String where, String what) {
    return new DoctorFinding(check, State.OK, what, where, "");
  }

  static DoctorFinding warn(String check, String where, String what, String mend) {
    return new DoctorFinding(check, State.WARN, what, where, mend);
  }

  static DoctorFinding fail(String check, String where, String what, String mend) {
    return new DoctorFinding(check, State.FAIL, what, where, mend);
  }

  /** As scripts read it. */
  public JsonObject json() {
    return JsonValue.object()
        .put("check", check)
        .put("state", state.name().toLowerCase(Locale.ROOT))
        .put("what", what)
        .put("where", where)
        .put("mend", mend)
        .build();
  }
}

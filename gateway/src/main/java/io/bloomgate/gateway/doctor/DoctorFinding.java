package io.bloomgate.gateway.doctor;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.Locale;

/**
 * What one check found. Immutable.
 *
 * @param check the check's name, as the option of the command has it
 * @param what was found, one sentence
 * @param where a listener, a host, or a feed
 * @param fix what to do; empty when there is nothing to do
 */
public record DoctorFinding(String check, State state, String what, String where, String fix) {

  /** How bad it is. */
  public enum State {
    OK,
    WARN,
    FAIL
  }

  static DoctorFinding ok(String check, String where, String what) {
    return new DoctorFinding(check, State.OK, what, where, "");
  }

  static DoctorFinding warn(String check, String where, String what, String fix) {
    return new DoctorFinding(check, State.WARN, what, where, fix);
  }

  static DoctorFinding fail(String check, String where, String what, String fix) {
    return new DoctorFinding(check, State.FAIL, what, where, fix);
  }

  /** As scripts read it. */
  public JsonObject json() {
    return JsonValue.object()
        .put("check", check)
        .put("state", state.name().toLowerCase(Locale.ROOT))
        .put("what", what)
        .put("where", where)
        .put("mend", fix)
        .build();
  }
}

package io.bloomgate.gateway.doctor;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.name.Keyed;

/**
 * The finding of one check. Immutable.
 *
 * @param check the check's name, as the option of the command has it
 * @param what was found, one sentence
 * @param where a listener, a host, or a feed
 * @param fix what to do; empty when there is nothing to do
 */
public record DoctorFinding(
    String check, State state, String what, String where, @Named("mend") String fix) {

  /** The severity of a finding. */
  public enum State implements Keyed {
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
}

package io.bloomgate.gateway.doctor;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The finding of one check. Immutable.
 *
 * @param check the check's name, as the option of the command has it
 * @param what was found, one sentence
 * @param where a listener, a host, or a feed; several separated by commas
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

  /** Makes the findings of one check at one place. */
  record At(String check, String where) {
    DoctorFinding ok(String what) {
      return new DoctorFinding(check, State.OK, what, where, "");
    }

    DoctorFinding warn(String what, String fix) {
      return new DoctorFinding(check, State.WARN, what, where, fix);
    }

    DoctorFinding fail(String what, String fix) {
      return new DoctorFinding(check, State.FAIL, what, where, fix);
    }

    DoctorFinding of(Trouble trouble) {
      return trouble.severe()
          ? fail(trouble.what(), trouble.fix())
          : warn(trouble.what(), trouble.fix());
    }
  }

  /** The same for several places: NAME is where the advice for one of them has its name. */
  private DoctorFinding at(List<String> places) {
    return new DoctorFinding(check, state, what, String.join(", ", places), fixOf("NAME"));
  }

  private String fixOf(String name) {
    return fix.replace(" " + where + "`", " " + name + "`");
  }

  /** Joins those that say the same of several places, each where the first of them was. */
  static List<DoctorFinding> grouped(List<DoctorFinding> findings) {
    Map<DoctorFinding, List<DoctorFinding>> alike =
        findings.stream()
            .collect(groupingBy(one -> one.at(List.of()), LinkedHashMap::new, toList()));
    return alike.values().stream()
        .map(all ->
            all.size() == 1
                ? all.getFirst()
                : all.getFirst().at(all.stream().map(DoctorFinding::where).distinct().toList()))
        .toList();
  }
}

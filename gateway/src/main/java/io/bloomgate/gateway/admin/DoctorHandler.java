package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.doctor.Doctor;
import io.bloomgate.gateway.doctor.Doctor.Check;
import io.bloomgate.gateway.doctor.DoctorFinding;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** {@code doctor}. Called on the threads of control connections, which wait for the checks. */
final class DoctorHandler {

  private final GatewayControl gateway;

  DoctorHandler(GatewayControl gateway) {
    this.gateway = gateway;
  }

  /** The answer is no when a check fails; warnings alone are a yes. */
  End doctor(ControlRequest.Doctor request, ReplySender answer)
      throws IOException, InterruptedException {
    Set<Check> wanted = wanted(request);
    for (Check check : wanted) {
      JsonObject event =
          JsonValue.object().put("event", "checking").put("check", check.word()).build();
      answer.progress("looking at " + check.word() + " ...", event);
    }
    boolean failed = false;
    for (DoctorFinding finding : new Doctor(gateway.examined().get()).examine(wanted)) {
      failed |= finding.state() == DoctorFinding.State.FAIL;
      answer.item(JsonRecords.of(finding));
    }
    return new Done(failed ? ReplySender.NO : ReplySender.OK);
  }

  private static Set<Check> wanted(ControlRequest.Doctor request) {
    Set<Check> wanted = EnumSet.noneOf(Check.class);
    add(wanted, request.openRelay(), Check.OPEN_RELAY);
    add(wanted, request.identity(), Check.IDENTITY);
    add(wanted, request.tls(), Check.TLS);
    add(wanted, request.feeds(), Check.FEEDS);
    return wanted.isEmpty() ? Doctor.all() : wanted;
  }

  private static void add(Set<Check> wanted, boolean asked, Check check) {
    if (asked) {
      wanted.add(check);
    }
  }
}

package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.gateway.doctor.Doctor;
import io.bloomgate.gateway.doctor.Doctor.Check;
import io.bloomgate.gateway.doctor.DoctorFinding;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code doctor}. Called on the threads of control connections. */
final class DoctorHandler {

  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private final GatewayControl gateway;

  DoctorHandler(GatewayControl gateway) {
    this.gateway = gateway;
  }

  /** The answer is no when a check fails; warnings alone are a yes. */
  void doctor(ControlRequest.Doctor request, ReplySender answer) throws IOException {
    ExaminedGateway examined = gateway.examined();
    boolean failed = false;
    for (Check check : wanted(request)) {
      for (DoctorFinding finding : examine(check, examined, answer)) {
        failed |= finding.state() == DoctorFinding.State.FAIL;
        answer.item(finding.json());
      }
    }
    answer.done(failed ? ReplySender.NO : ReplySender.OK);
  }

  /** Reports progress meanwhile: a mail server that does not answer takes time. */
  private static List<DoctorFinding> examine(
      Check check, ExaminedGateway examined, ReplySender answer) throws IOException {
    FutureTask<List<DoctorFinding>> visit =
        new FutureTask<>(() -> new Doctor(examined).examine(check));
    Thread visitor = examined.threads().newThread(visit);
    visitor.start();
    try {
      while (true) {
        answer.progress(
            "looking at " + check.word() + " ...",
            JsonValue.object().put("event", "checking").put("check", check.word()).build());
        try {
          return visit.get(HEARTBEAT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          // Not yet.
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } finally {
      // The client has gone.
      visitor.interrupt();
    }
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

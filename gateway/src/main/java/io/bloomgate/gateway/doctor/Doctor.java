package io.bloomgate.gateway.doctor;

import io.bloomgate.config.settings.Mode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs the checks that were asked for, one after the other, on the thread of a control connection.
 * Each speaks with real sockets and waits no longer than the settings allow.
 */
public final class Doctor {

  /** What can be looked at; the words are the options of the command. */
  public enum Check {
    GATEWAY("gateway"),
    UPSTREAM("upstream"),
    OPEN_RELAY("open-relay"),
    IDENTITY("identity"),
    TLS("tls"),
    CLOCK("clock"),
    FEEDS("feeds");

    private final String word;

    Check(String word) {
      this.word = word;
    }

    /** The word in options and findings. */
    public String word() {
      return word;
    }
  }

  private final ExaminedGateway patient;

  /** For one visit. */
  public Doctor(ExaminedGateway patient) {
    this.patient = patient;
  }

  /** All checks, in the order in which they are of use. */
  public static Set<Check> all() {
    return EnumSet.allOf(Check.class);
  }

  /** Carries out one check. */
  public List<DoctorFinding> examine(Check check) {
    return switch (check) {
      case GATEWAY -> gateway();
      case UPSTREAM -> atEachServer(UpstreamChecks::reachable);
      case OPEN_RELAY -> openRelay();
      case IDENTITY -> atEachServer(UpstreamChecks::identity);
      case TLS -> new TlsChecks(patient).all();
      case CLOCK -> new ClockCheck(patient).all();
      case FEEDS -> new FeedChecks(patient.feeds()).all();
    };
  }

  private List<DoctorFinding> openRelay() {
    List<DoctorFinding> findings = new ArrayList<>(new ListenerProbe(patient).all());
    findings.addAll(atEachServer(UpstreamChecks::openRelay));
    return findings;
  }

  /** Those too that stand in for another or serve one route only: they are needed one day. */
  private List<DoctorFinding> atEachServer(Function<UpstreamChecks, List<DoctorFinding>> check) {
    return patient.upstreams().stream()
        .flatMap(server -> check.apply(new UpstreamChecks(patient, server)).stream())
        .toList();
  }

  private List<DoctorFinding> gateway() {
    String check = Check.GATEWAY.word();
    String where = patient.settings().hostname();
    List<DoctorFinding> findings = new ArrayList<>();
    if (patient.draining()) {
      findings.add(
          DoctorFinding.warn(
              check, where, "it is draining and takes no mail", "`bloomgate resume`"));
    }
    if (!patient.failedReload().isEmpty()) {
      findings.add(
          DoctorFinding.fail(
              check,
              where,
              "the last reload failed and changed nothing: " + patient.failedReload(),
              "`bloomgate config validate` names each problem; then `bloomgate config reload`"));
    }
    if (!patient.ready()) {
      findings.add(
          DoctorFinding.fail(
              check,
              where,
              "no lists are loaded, mail passes unchecked",
              "`bloomgate feeds list` tells why, `bloomgate feeds refresh --all` tries again"));
    }
    if (patient.mode() != Mode.ENFORCE) {
      findings.add(
          DoctorFinding.warn(
              check,
              where,
              "mode "
                  + patient.mode().name().toLowerCase(Locale.ROOT)
                  + (patient.mode() == Mode.OBSERVE
                      ? ": listed mail is delivered, lists refuse nothing"
                      : ": listed mail is not refused for good"),
              "`bloomgate mode enforce` when you have seen enough"));
    }
    if (findings.isEmpty()) {
      findings.add(DoctorFinding.ok(check, where, "it takes mail and refuses what is listed"));
    }
    return findings;
  }
}

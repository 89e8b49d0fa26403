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
 * Each uses real sockets and waits no longer than the settings allow.
 */
public final class Doctor {

  /** The checks; the words are the options of the command. */
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

  private final ExaminedGateway gateway;

  /** For one run. */
  public Doctor(ExaminedGateway gateway) {
    this.gateway = gateway;
  }

  /** All checks, in the order in which they are useful. */
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
      case TLS -> new TlsChecks(gateway).all();
      case CLOCK -> new ClockCheck(gateway).all();
      case FEEDS -> new FeedChecks(gateway.feeds(), gateway.dnsLists()).all();
    };
  }

  private List<DoctorFinding> openRelay() {
    List<DoctorFinding> findings = new ArrayList<>(new ListenerProbe(gateway).all());
    findings.addAll(atEachServer(UpstreamChecks::openRelay));
    return findings;
  }

  /** All servers, also backups and those of one route: they may be needed later. */
  private List<DoctorFinding> atEachServer(Function<UpstreamChecks, List<DoctorFinding>> check) {
    return gateway.upstreams().stream()
        .flatMap(server -> check.apply(new UpstreamChecks(gateway, server)).stream())
        .toList();
  }

  private List<DoctorFinding> gateway() {
    String check = Check.GATEWAY.word();
    String where = gateway.settings().hostname();
    List<DoctorFinding> findings = new ArrayList<>();
    if (gateway.draining()) {
      findings.add(
          DoctorFinding.warn(
              check, where, "it is draining and takes no mail", "`bloomgate resume`"));
    }
    if (!gateway.failedReload().isEmpty()) {
      findings.add(
          DoctorFinding.fail(
              check,
              where,
              "the last reload failed and changed nothing: " + gateway.failedReload(),
              "`bloomgate config validate` names each problem; then `bloomgate config reload`"));
    }
    if (!gateway.ready()) {
      findings.add(
          DoctorFinding.fail(
              check,
              where,
              "no lists are loaded, mail passes unchecked",
              "`bloomgate feeds list` shows why, `bloomgate feeds refresh --all` tries again"));
    }
    if (gateway.mode() != Mode.ENFORCE) {
      findings.add(
          DoctorFinding.warn(
              check,
              where,
              "mode "
                  + gateway.mode().name().toLowerCase(Locale.ROOT)
                  + (gateway.mode() == Mode.OBSERVE
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

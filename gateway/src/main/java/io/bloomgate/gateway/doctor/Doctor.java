package io.bloomgate.gateway.doctor;

import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import io.bloomgate.gateway.doctor.ListenerProbe.HandshakeProbe;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the checks that were asked for, on behalf of a control connection. Each uses real sockets.
 * They run side by side, and only those of one mail server one after the other, because servers
 * limit the connections of one client. A check that has not ended after {@link #PATIENCE} is given
 * up, and its finding says so.
 */
public record Doctor(ExaminedGateway gateway) {

  /** The checks; the words are the options of the command. */
  public enum Check {
    GATEWAY,
    UPSTREAM,
    OPEN_RELAY,
    IDENTITY,
    TLS,
    CLOCK,
    FEEDS;

    /** The word in options and findings. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    At at(String where) {
      return new At(word(), where);
    }
  }

  /**
   * The time for all checks: with the start of the command line, an answer takes less than five
   * seconds.
   */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /** The beginning of the finding about a check that was given up. */
  static final String NOT_ENDED = "this check did not end within " + PATIENCE.toSeconds() + " s";

  /**
   * A check, or a part of one.
   *
   * @param lane parts of one lane run one after the other
   * @param unfinished the finding when the work has not ended in time
   */
  private record Part(
      String lane, FutureTask<List<DoctorFinding>> work, Supplier<DoctorFinding> unfinished) {}

  /** All checks, in the order in which they are useful. */
  public static Set<Check> all() {
    return EnumSet.allOf(Check.class);
  }

  /**
   * Carries out checks and returns what they found, in the order of the checks; what several of
   * them found is one finding.
   *
   * @throws InterruptedException when the caller is to stop waiting
   */
  public List<DoctorFinding> examine(Set<Check> checks) throws InterruptedException {
    List<Part> parts = checks.stream().flatMap(check -> parts(check).stream()).toList();
    Map<String, List<Part>> lanes =
        parts.stream()
            .collect(Collectors.groupingBy(Part::lane, LinkedHashMap::new, Collectors.toList()));
    CountDownLatch running = new CountDownLatch(lanes.size());
    for (List<Part> lane : lanes.values()) {
      gateway.threads().newThread(() -> run(lane, running)).start();
    }
    try {
      boolean _ = running.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      // From the back, so that none begins when the one before it is given up.
      parts.reversed().forEach(part -> part.work().cancel(true));
    }
    return DoctorFinding.grouped(parts.stream().flatMap(part -> findings(part).stream()).toList());
  }

  private static void run(List<Part> lane, CountDownLatch running) {
    try {
      lane.forEach(part -> part.work().run());
    } finally {
      running.countDown();
    }
  }

  private static List<DoctorFinding> findings(Part part) {
    return switch (part.work().state()) {
      case SUCCESS -> part.work().resultNow();
      case FAILED -> throw new IllegalStateException(part.work().exceptionNow());
      case CANCELLED, RUNNING -> List.of(part.unfinished().get());
    };
  }

  private List<Part> parts(Check check) {
    return switch (check) {
      case GATEWAY -> List.of(part(check, this::ofGateway));
      case UPSTREAM -> atEachServer(check, UpstreamChecks::reachable);
      case OPEN_RELAY -> openRelay();
      case IDENTITY -> atEachServer(check, UpstreamChecks::identity);
      case TLS -> tls();
      case CLOCK -> {
        ClockCheck clock = new ClockCheck(gateway);
        yield List.of(new Part(check.word(), new FutureTask<>(clock::all), clock::unfinished));
      }
      case FEEDS -> List.of(part(check, this::ofFeeds));
    };
  }

  /** A check that waits for nobody. */
  private static Part part(Check check, Callable<List<DoctorFinding>> work) {
    return new Part(
        check.word(),
        new FutureTask<>(work),
        () -> check.at("this machine").warn(NOT_ENDED, "try it again"));
  }

  private List<Part> tls() {
    HandshakeProbe probe = new HandshakeProbe(gateway);
    return Stream.concat(
            Stream.of(part(Check.TLS, new TlsChecks(gateway)::all)),
            atEach(
                probe.listeners(), probe::probe, name -> HandshakeProbe.notTried(name, NOT_ENDED)))
        .toList();
  }

  private List<Part> openRelay() {
    ListenerProbe probe = new ListenerProbe(gateway);
    return Stream.concat(
            atEach(
                probe.listeners(),
                name -> List.of(probe.probe(name)),
                name -> ListenerProbe.notTried(name, NOT_ENDED)),
            atEachServer(Check.OPEN_RELAY, UpstreamChecks::openRelay).stream())
        .toList();
  }

  private static Stream<Part> atEach(
      List<String> listeners,
      Function<String, List<DoctorFinding>> probe,
      Function<String, DoctorFinding> unfinished) {
    return listeners.stream()
        .map(name ->
            new Part(
                "listener " + name,
                new FutureTask<>(() -> probe.apply(name)),
                () -> unfinished.apply(name)));
  }

  /** All servers, also backups and those of one route: they may be needed later. */
  private List<Part> atEachServer(Check check, Function<UpstreamChecks, List<DoctorFinding>> work) {
    return gateway.upstreams().stream()
        .map(server -> {
          UpstreamChecks checks = new UpstreamChecks(gateway, server);
          return new Part(
              "mail server " + server.upstream().name(),
              new FutureTask<>(() -> work.apply(checks)),
              () -> checks.unfinished(check));
        })
        .toList();
  }

  private List<DoctorFinding> ofFeeds() {
    List<DoctorFinding> findings = new ArrayList<>();
    GatewayStatus status = gateway.status();
    if (!status.unknownFeeds().isEmpty()) {
      findings.add(
          Check.FEEDS
              .at("feeds.sources")
              .fail(
                  status.unknownFeeds(),
                  "`bloomgate feeds disable NAME` switches a feed off in the meantime"));
    }
    findings.addAll(new FeedChecks(status.feedStates(), status.dnsLists()).all());
    return findings;
  }

  private List<DoctorFinding> ofGateway() {
    At at = Check.GATEWAY.at(gateway.settings().hostname());
    List<DoctorFinding> findings = new ArrayList<>();
    for (Trouble trouble : gateway.status().troubles()) {
      findings.add(at.of(trouble));
    }
    Mode mode = gateway.status().mode();
    if (mode != Mode.ENFORCE) {
      findings.add(
          at.warn(
              "mode "
                  + mode.key()
                  + (mode == Mode.OBSERVE
                      ? ": listed mail is delivered, lists refuse nothing"
                      : ": listed mail is not refused for good"),
              "`bloomgate mode enforce` when you have seen enough"));
    }
    if (findings.isEmpty()) {
      findings.add(at.ok("it takes mail and refuses what is listed"));
    }
    DomainSources domains = gateway.settings().domainSources();
    if (!domains.files().isEmpty()
        && domains.files().stream().allMatch(f -> f.problem().isEmpty())) {
      findings.add(Check.GATEWAY.at("domains").ok(domains.summary()));
    }
    StartCacheCheck.finding(
            System.getProperty(StartCacheCheck.CACHE), System.getProperty(StartCacheCheck.MODE, ""))
        .ifPresent(findings::add);
    return findings;
  }

  /**
   * Says when Java did not start from its AOT cache (JEP 514): everything works then, and the first
   * mails after a start are slower. Java itself says nothing, because the launcher silences it.
   * Pure. Used by {@link Doctor}.
   */
  static final class StartCacheCheck {

    /**
     * Property that the launcher sets for {@code run}: the cache, empty when it has none to give.
     */
    static final String CACHE = "bloomgate.start_cache";

    /**
     * Property of Java: its mode, with {@link #USED} when it has mapped the cache that it was
     * given.
     */
    static final String MODE = "java.vm.info";

    private static final String USED = "sharing";

    private StartCacheCheck() {}

    /**
     * The finding that Java did not use the cache; empty when it did.
     *
     * @param cache value of {@link #CACHE}; {@code null} when the launcher did not start this Java
     * @param mode value of {@link #MODE}
     */
    static Optional<DoctorFinding> finding(@Nullable String cache, String mode) {
      if (cache == null || (!cache.isEmpty() && mode.contains(USED))) {
        return Optional.empty();
      }
      String why =
          cache.isEmpty()
              ? "there is none, or it is older than the program"
              : "it is missing, or was made by another Java, for other jars or with other options";
      return Optional.of(
          Check.GATEWAY
              .at(cache.isEmpty() ? "this machine" : cache)
              .warn(
                  "Java uses no start cache: " + why + "; the first mails after a start are slower",
                  "`bloomgate --train` as root makes one (in a container the argument `@train`);"
                      + " then restart"));
    }
  }
}

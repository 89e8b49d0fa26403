package io.bloomgate.gateway;

import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.CachedNames;
import io.bloomgate.gateway.incidents.Incidents;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.Figures;
import io.bloomgate.gateway.metrics.FilterCounters;
import io.bloomgate.gateway.metrics.GatewayMetrics;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.XclientMemory;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/**
 * Opens the parts of a gateway that do not listen, in the order in which they need each other. Used
 * once, by {@link Gateway#start}; what is open stands in the closer, also when a later step fails.
 */
final class Assembly {

  private final Platform world;
  private final Configuration configuration;
  private final Settings settings;
  private final ShutdownStack closer;
  private final SessionRegistry sessions;
  private final Parts parts;
  private final ObservingTelemetry telemetry;
  private final GatewayMetrics metrics;
  private final LiveGateway running;

  /**
   * Opens everything.
   *
   * @throws StartFailure when a part cannot be opened
   */
  Assembly(Platform world, Configuration configuration, ShutdownStack closer) throws StartFailure {
    this.world = world;
    this.configuration = configuration;
    this.settings = configuration.settings();
    this.closer = closer;
    this.sessions =
        new SessionRegistry(
            world.nanoTime(), closing -> world.virtualThreads().newThread(closing).start());
    this.parts = open(closer.add("state directory", StateDirectory.open(settings.stateDir())));
    String version = version();
    this.metrics = new GatewayMetrics(version, parts.filters(), this::figures);
    this.telemetry =
        new ObservingTelemetry(
            parts.log(),
            parts.incidents(),
            metrics,
            parts.counts(),
            parts.tail(),
            parts.watch(),
            world.nanoTime());
    this.running =
        new LiveGateway(
            world,
            parts,
            telemetry,
            () -> telemetry.limitReached(Limit.UPSTREAM_CONNECTIONS),
            configuration,
            version);
    closer.add("upstream", running::closeUpstreams);
    closer.add("sums", () -> running.paces().writeRest(telemetry::summed));
  }

  Parts parts() {
    return parts;
  }

  GatewayMetrics metrics() {
    return metrics;
  }

  ObservingTelemetry telemetry() {
    return telemetry;
  }

  LiveGateway running() {
    return running;
  }

  SessionRegistry sessions() {
    return sessions;
  }

  private Parts open(StateDirectory state) throws StartFailure {
    DecisionLog log =
        closer.add(
            "decision log",
            new DecisionLog(
                LogSetup.of(settings, world),
                new FileOutputStream(FileDescriptor.out),
                world.clock(),
                world.nanoTime(),
                world.threads().apply("decision-log")));
    log.start();
    Incidents incidents =
        closer.add(
            "incidents",
            new Incidents(
                state.resolve("incidents.ring"),
                settings.log().maxIncidents(),
                settings.log().retainIncidents(),
                settings.log().privacy(),
                world.clock(),
                world.nanoTime(),
                world.threads().apply("incidents")));
    incidents.start();
    OperatorLists operator = closer.add("operator lists", operator(state));
    VerdictCounts counts = new VerdictCounts(world.clock());
    FiguresFile figures =
        closer.add("figures", FiguresFile.open(state.resolve(FiguresFile.FILE_NAME), counts));
    FeedWorks feeds =
        closer.add(
            "feeds",
            FeedWorks.open(world, configuration, state, operator, counts::feedHitsLastDay));
    ServerCertificate certificate =
        new ServerCertificate(state.resolve("self-signed.pem"), world.clock(), world.random());
    configuration.show(certificate);
    return new Parts(
        operator,
        feeds,
        sessions,
        new FilterCounters(),
        log,
        incidents,
        counts,
        figures,
        new TailHub(),
        watch(feeds),
        certificate,
        XclientMemory.open(state.resolve(XclientMemory.FILE_NAME)),
        CachedNames.ofSystem(world.virtualThreads(), world.nanoTime()),
        closer.add(
            "answers",
            AnswerMemory.open(
                state.resolve(AnswerMemory.FILE_NAME), world.clock(), world.random())),
        signs(log, incidents, feeds),
        DiskSpace.of(settings.stateDir()));
  }

  private static LifeSigns signs(DecisionLog log, Incidents incidents, FeedWorks feeds) {
    LifeSigns signs = new LifeSigns();
    signs.add("decision-log", log::isLate);
    signs.add("incidents", incidents::isLate);
    signs.add("feed-refresher", feeds::isLate);
    return signs;
  }

  private SenderWatch watch(FeedWorks feeds) {
    SenderWatch watch =
        closer.add(
            "sender watch",
            new SenderWatch(
                feeds.senders(),
                feeds.steady(),
                feeds::privacy,
                world.nanoTime(),
                world.threads().apply("sender-watch")));
    watch.start();
    return watch;
  }

  private OperatorLists operator(StateDirectory state) throws StartFailure {
    try {
      return OperatorLists.open(
          state.resolve(OperatorLists.FILE_NAME),
          configuration.listFiles(world.clock()),
          world.clock());
    } catch (OperatorListsException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, e.userMessage() + "; " + e.hint(), e);
    }
  }

  private Figures figures() {
    return FigureSource.of(running, parts);
  }

  /** From the jar's manifest; a build that runs from its classes has none. */
  private static String version() {
    String version = Assembly.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}

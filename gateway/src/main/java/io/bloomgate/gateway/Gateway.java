package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsEdit;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.Platform.BackgroundWork;
import io.bloomgate.gateway.admin.ControlHandlers;
import io.bloomgate.gateway.admin.ControlServer;
import io.bloomgate.gateway.admin.FleetHandler;
import io.bloomgate.gateway.admin.GatewayControl;
import io.bloomgate.gateway.admin.RunActs;
import io.bloomgate.gateway.alarm.Alarms;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.OwnLog;
import io.bloomgate.gateway.metrics.GatewayMetrics;
import io.bloomgate.gateway.report.DailyReport;
import io.bloomgate.gateway.report.OwnMail;
import io.bloomgate.gateway.report.ReportMail;
import io.bloomgate.gateway.report.Reports;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.score.Promoter;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.status.GatewayStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the composition root. {@link Main} and the demo start it and close it.
 *
 * <p>The constructor is the start order, from top to bottom. Whatever is open is on the {@link
 * ShutdownStack}, which closes it in the opposite order, also when a later step fails.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /** Time that messages in flight may take at a shutdown; systemd waits a little longer. */
  private static final Duration DRAIN = Duration.ofSeconds(40);

  private static final Duration AFTER_CUT = Duration.ofSeconds(5);
  private static final Duration PROBE_INTERVAL = Duration.ofMinutes(5);

  /** A mail server that is down is probed more often, so that its alarm ends in time. */
  private static final Duration RECOVERY_INTERVAL = Duration.ofSeconds(5);

  private static final Duration SESSIONS_INTERVAL = Duration.ofMinutes(1);

  /** A kill loses at most this much of the known good senders and of the figures. */
  private static final Duration SAVE_INTERVAL = Duration.ofMinutes(2);

  /** The daily report is sent this much later at most. */
  private static final Duration REPORT_INTERVAL = Duration.ofSeconds(20);

  /** Alarms are looked at so often, which reads some files. */
  private static final Duration ALARMS_INTERVAL = Duration.ofSeconds(15);

  private final Platform platform;
  private final ShutdownStack stack;
  private final Services services;
  private final GatewayMetrics metrics;
  private final ObservingTelemetry telemetry;
  private final LiveSettings live;
  private final Overview overview;
  private final GatewayControl control;
  private final ReportMail reportMail;
  private final Alarms alarms;
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /**
   * Starts a gateway; when this returns it listens.
   *
   * @param environment of the process, for overrides of settings
   * @param warmUp mails of {@link WarmUp} before the gateway is ready, 0 for none
   * @throws StartFailure when it cannot start; nothing is left open
   */
  public static Gateway start(Path settingsFile, Map<String, String> environment, int warmUp)
      throws StartFailure {
    Path file = settingsFile.toAbsolutePath();
    LOG.info("bloomgate {}, Java {}, settings {}", version(), Runtime.version(), file);
    Platform platform = Platform.ofProcess(settingsFile, environment);
    ShutdownStack stack = new ShutdownStack();
    try {
      return new Gateway(platform, stack, warmUp);
    } catch (StartFailure | RuntimeException | Error e) {
      stack.close();
      throw e;
    }
  }

  private Gateway(Platform platform, ShutdownStack stack, int warmUp) throws StartFailure {
    this.platform = platform;
    this.stack = stack;

    // 1. Settings, and the files that they name. Nothing is open yet.
    Configuration configuration = readSettings();

    // 2. State directory: its lock keeps a second gateway out.
    StateDirectory state = stack.add("state directory", StateDirectory.open(configuration));
    // 3. Decision log, session store, lists as of the last stop, what sessions share.
    this.services = new Services(platform, stack, this::settings, configuration, state);

    // 4. Reports of sessions: log, session store, metrics, counts.
    String version = version();
    this.metrics = new GatewayMetrics(version, services.blocklists.filters(), this::status);
    countServices();
    this.telemetry =
        new ObservingTelemetry(
            services.log,
            services.kept,
            metrics,
            services.counts,
            services.tail,
            services.watch,
            services.counting::refused,
            services.blocklists.operator().uses()::note,
            platform.nanoTime());

    // 5. Mail routes, and what else a reload replaces.
    this.live =
        new LiveSettings(
            platform,
            services,
            telemetry,
            () -> telemetry.limitReached(Limit.UPSTREAM_CONNECTIONS),
            configuration);
    stack.add("mail routes", live.routes()::close);
    stack.add("sums", () -> live.paces().writeRest(telemetry::summed));
    this.alarms = openAlarms(version);
    this.overview = new Overview(platform, services, live, alarms::problems);
    this.reportMail = openReports();
    FeedScores scores = new FeedScores(services.kept, overview::status, () -> services.blocklists);
    Promoter promoter = promoter(scores);
    this.control = control(version, scores, promoter);
    // 6. Control socket and HTTP. The control socket answers after step 8.
    ControlHandlers handlers = new ControlHandlers(control);
    Listeners listeners = new Listeners(platform, stack, services, live, telemetry::limitReached);
    ControlServer socket = listeners.control(handlers);
    listeners.http(metrics::scrape, overview::unready, handlers);

    // 7. Housekeeping: watchdogs, probes of mail servers, files that are saved.
    startHousekeeping(socket, state.resolve(DailyReport.FILE_NAME), promoter);

    // 8. SMTP listeners: mail finds a complete gateway, which is slow until it is warm.
    for (Map.Entry<String, Settings.Listener> listener : settings().listeners().entrySet()) {
      ports.put(
          listener.getKey(), listeners.smtp(listener.getKey(), listener.getValue().address()));
    }
    socket.start();
    new WarmUp(platform, services.blocklists, configuration, services.certificates).run(warmUp);

    // 9. Feeds are fetched, and what other nodes of a fleet did is done.
    services.joinFleet(live::settings);
    services.blocklists.start();
    live.lookAtTraps();

    // 10. Ready, or waiting for the first lists.
    overview.listening(ports);
  }

  // ---- step 1

  private Configuration readSettings() throws StartFailure {
    try {
      Configuration configuration = Configuration.load(platform);
      configuration.warnings().forEach(warning -> LOG.warn("{}", warning));
      return configuration;
    } catch (UnusableException e) {
      List<String> lines = new ArrayList<>();
      if (e.problems().stream().allMatch(p -> p.severity() == Problem.Severity.WARNING)) {
        lines.add(e.reason()); // the file itself is in order
      }
      e.problems().forEach(problem -> lines.add(problem.toString()));
      throw new StartFailure(StartFailure.CONFIGURATION, lines);
    }
  }

  private Settings settings() {
    return live.settings();
  }

  // ---- step 4

  private void countServices() {
    services.names.countBy(() -> metrics.limitReached(Limit.NAME_LOOKUPS));
    services.dnsLists.countBy(metrics::dnsListAnswered);
    services.greylist.countBy(metrics::greylistVisited);
  }

  private GatewayStatus status() {
    return overview.status();
  }

  /** Returns the version in the jar's manifest; a build that runs from its classes has none. */
  static String version() {
    String version = Gateway.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  // ---- step 5

  private GatewayControl control(String version, FeedScores scores, Promoter promoter) {
    return new GatewayControl(
        live::settings,
        live::valuesInForce,
        edit -> SettingsEdit.write(platform.settingsFile(), platform.environment(), edit),
        live::reload,
        services.mode,
        services.blocklists,
        services.sessions,
        services.dnsLists,
        services::dnsAnswers,
        services.greylist,
        services.campaigns::current,
        services.kept,
        services.counts,
        services.tail,
        live.spam(),
        reportMail,
        alarms,
        scores,
        promoter,
        services.fleet,
        new FleetHandler.Counts(
            services.counting::figures, services.counting::fault, services.counting::nodeOf),
        overview::health,
        overview::status,
        overview::examined,
        OwnLog::recentLines,
        BackgroundWork.threads(platform.threads().apply("session-search")),
        platform.threads().apply("command"),
        platform.clock(),
        platform.nanoTime(),
        platform.clock().instant(),
        version);
  }

  private Alarms openAlarms(String version) {
    return stack.add(
        "alarms",
        new Alarms(
            settings().stateDir(),
            () -> live.settings().alarms(),
            ownMail(),
            platform.virtualThreads(),
            platform.clock(),
            version));
  }

  private ReportMail openReports() {
    return new ReportMail(
        new Reports(services.kept, overview::status, services::unusedAllows, platform.zone()),
        ownMail(),
        platform.clock());
  }

  private OwnMail ownMail() {
    return new OwnMail(live.routes()::current, () -> live.settings().hostname(), platform.ids());
  }

  private Promoter promoter(FeedScores scores) {
    return new Promoter(
        scores,
        services.blocklists,
        services.dnsLists::configure,
        platform.clock(),
        platform.nanoTime());
  }

  // ---- steps 6 to 8

  private void startHousekeeping(ControlServer socket, Path sentReports, Promoter promoter) {
    Housekeeping chores = stack.add("housekeeping", services.housekeeping);
    chores.watch("housekeeping", chores::isLate);
    chores.watch("sender-watch", services.watch::isLate);
    chores.eachSecond("session watchdog", services.sessions::tick);
    chores.eachSecond("service manager", () -> platform.service().tick(overview::statusLine));
    chores.eachSecond("mail server watchdog", live.routes()::tick);
    chores.eachSecond("first lists", overview::tick);
    chores.eachSecond(
        "mode", () -> services.mode.expire().ifPresent(new RunActs(control)::modeEnded));
    chores.eachSecond("control watchdog", socket::tick);
    chores.eachSecond("decision log", telemetry::tick);
    chores.eachSecond("sums", () -> live.paces().writeDue(telemetry::summed));
    chores.everySlowly(Duration.ofSeconds(1), "certificate", services.certificates::poll);
    DomainWatch domains = new DomainWatch(live, services.state.resolve(DomainSources.KEPT));
    chores.everySlowly(Duration.ofSeconds(1), "domains", domains::poll);
    chores.eachSecond("DNS lists", services.dnsLists::tick);
    chores.eachSecond("feeds", services.blocklists::remember);
    chores.everySlowly(
        Duration.ofSeconds(1),
        "list files",
        () -> services.blocklists.operator().poll().forEach(line -> LOG.warn("{}", line)));
    chores.everySlowly(Duration.ofSeconds(1), "greylist", services.greylist::save);
    chores.everySlowly(Duration.ofSeconds(5), "campaigns", services.campaigns::tick);
    chores.everySlowly(Duration.ofSeconds(10), "own memory", services.memory::tend);
    chores.everySlowly(Duration.ofMinutes(1), "free space", services.space::look);
    chores.everySlowly(Duration.ofSeconds(1), "state directory", services.state::tick);
    chores.everySlowlyButFirst(
        Duration.ofMinutes(1), "self-test", services.blocklists.health()::selfTest);
    chores.everySlowly(PROBE_INTERVAL, "mail server probe", () -> live.routes().current().probe());
    chores.everySlowly(
        RECOVERY_INTERVAL, "mail server recovery", () -> live.routes().current().probeIfDown());
    chores.everySlowly(SESSIONS_INTERVAL, "kept sessions", services.kept::tend);
    chores.everySlowly(SAVE_INTERVAL, "figures", () -> services.counts.save(services.figures));
    chores.everySlowly(SAVE_INTERVAL, "mail servers", services.servers::save);
    chores.everySlowly(SAVE_INTERVAL, "known senders", services.blocklists::tendSenders);
    DailyReport daily =
        new DailyReport(
            () -> live.settings().report(),
            reportMail::send,
            platform.clock(),
            platform.zone(),
            sentReports);
    chores.everySlowly(REPORT_INTERVAL, "daily report", daily::tick);
    chores.everySlowlyButFirst(
        ALARMS_INTERVAL, "alarms by mail", () -> alarms.tickMail(() -> overview.status().alarms()));
    chores.everySlowlyButFirst(
        ALARMS_INTERVAL, "alarms by POST", () -> alarms.tickPost(() -> overview.status().alarms()));
    chores.everySlowly(
        Duration.ofMinutes(1), "feed actions", services.blocklists.promotions()::note);
    BackgroundWork promotion = new BackgroundWork(promoter::tick);
    chores.everySlowly(Duration.ofMinutes(1), "feed promotion", promotion);
    // Or the first minutes would find no known sender.
    services.blocklists.tendSenders();
    chores.start();
  }

  // ---- running

  /** The port that a listener got. */
  public int port(String listener) {
    Integer port = ports.get(listener);
    if (port == null) {
      throw new IllegalArgumentException("no listener " + listener);
    }
    return port;
  }

  /** The live lists. */
  public Blocklists blocklists() {
    return services.blocklists;
  }

  /** Reads the settings again, for a signal; the outcome is logged. */
  public void reload() {
    new RunActs(control).reload(RunActs.SIGNAL);
  }

  /**
   * Shuts down: idle sessions get 421, messages in flight may finish within {@link #DRAIN}, then
   * everything is closed.
   */
  @Override
  public void close() {
    SessionRegistry sessions = services.sessions;
    LOG.info("shutting down, {} sessions open", sessions.count());
    platform.service().stopping();
    sessions.end();
    try {
      if (!sessions.awaitEmpty(DRAIN)) {
        LOG.warn("{} sessions are cut off", sessions.count());
        closeNow();
        sessions.awaitEmpty(AFTER_CUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closeNow();
    }
    stack.close();
    LOG.info("stopped");
  }

  /** Cuts off every session at once: for a second TERM. */
  public void closeNow() {
    services.sessions.closeAll();
    live.routes().close();
  }
}

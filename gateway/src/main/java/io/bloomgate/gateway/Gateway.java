package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.config.settings.HostPort;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.admin.ControlHandlers;
import io.bloomgate.gateway.admin.ControlServer;
import io.bloomgate.gateway.admin.FleetHandler;
import io.bloomgate.gateway.admin.HttpEndpoint;
import io.bloomgate.gateway.admin.InProcessQuestions;
import io.bloomgate.gateway.admin.ReportHandler;
import io.bloomgate.gateway.admin.RunActs;
import io.bloomgate.gateway.admin.ScoreHandler;
import io.bloomgate.gateway.admin.SupportHandler;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.RecentLog;
import io.bloomgate.gateway.metrics.Figures;
import io.bloomgate.gateway.metrics.GatewayMetrics;
import io.bloomgate.gateway.page.AdminPage;
import io.bloomgate.gateway.page.Questions;
import io.bloomgate.gateway.page.WhyPage;
import io.bloomgate.gateway.report.DailyReport;
import io.bloomgate.gateway.report.ReportMail;
import io.bloomgate.gateway.report.Reports;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.score.Promoter;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.session.SubethaListener;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
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

  private final Platform platform;
  private final ShutdownStack stack;
  private final Parts parts;
  private final GatewayMetrics metrics;
  private final ObservingTelemetry telemetry;
  private final LiveGateway live;
  private final ReportMail reportMail;
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
    boolean started = false;
    try {
      Gateway gateway = new Gateway(platform, stack, warmUp);
      started = true;
      return gateway;
    } finally {
      if (!started) {
        stack.close();
      }
    }
  }

  private Gateway(Platform platform, ShutdownStack stack, int warmUp) throws StartFailure {
    this.platform = platform;
    this.stack = stack;

    // 1. Settings, and the files that they name. Nothing is open yet.
    Configuration configuration = readSettings();
    Settings settings = configuration.settings();

    // 2. State directory: its lock keeps a second gateway out.
    StateDirectory state = stack.add("state directory", StateDirectory.open(configuration));
    // 3. Decision log, session store, lists as of the last stop, what sessions share.
    this.parts = new Parts(platform, stack, this::privacy, configuration, state);

    // 4. Reports of sessions: log, session store, metrics, counts.
    String version = version();
    this.metrics = new GatewayMetrics(version, parts.blocklists.filters(), this::figures);
    countParts();
    this.telemetry =
        new ObservingTelemetry(
            parts.log,
            parts.kept,
            metrics,
            parts.counts,
            parts.tail,
            parts.watch,
            parts.counting::refused,
            platform.nanoTime());

    // 5. Mail routes, mode and policy: what a reload replaces.
    this.live =
        new LiveGateway(
            platform,
            parts,
            telemetry,
            () -> telemetry.limitReached(Limit.UPSTREAM_CONNECTIONS),
            configuration,
            version);
    stack.add("mail routes", live::closeMailRoutes);
    stack.add("sums", () -> live.paces().writeRest(telemetry::summed));

    this.reportMail = openReports();
    FeedScores scores = new FeedScores(parts.kept, live::examined, () -> parts.blocklists);
    Promoter promoter = promoter(scores);

    // 6. Control socket and HTTP. The control socket answers after step 8.
    ControlHandlers handlers = handlers(scores, promoter);
    ControlServer control =
        stack.add("control socket", Listeners.control(settings, handlers, platform));
    openHttp(settings, new InProcessQuestions(handlers));

    // 7. Housekeeping: watchdogs, probes of mail servers, files that are saved.
    startHousekeeping(control, state.resolve(DailyReport.FILE_NAME), promoter);

    // 8. SMTP listeners: mail finds a complete gateway, which is slow until it is warm.
    for (Map.Entry<String, Settings.Listener> listener : settings.listeners().entrySet()) {
      listen(listener.getKey(), listener.getValue().address());
    }
    control.start();
    new WarmUp(platform, parts.blocklists, configuration).run(warmUp);

    // 9. Feeds are fetched, and what other nodes of a fleet did is done.
    parts.joinFleet(live::settings, live::now);
    parts.blocklists.start();

    // 10. Ready, or waiting for the first lists.
    live.listening(ports);
    live.announce();
  }

  // ---- step 1

  private Configuration readSettings() throws StartFailure {
    try {
      Configuration configuration =
          Configuration.load(platform.settingsFile(), platform.environment(), platform.random());
      configuration.warnings().forEach(warning -> LOG.warn("{}", warning));
      return configuration;
    } catch (UnusableException e) {
      List<String> lines =
          e.problems().isEmpty()
              ? List.of(e.reason())
              : e.problems().stream().map(Object::toString).toList();
      throw new StartFailure(StartFailure.CONFIGURATION, lines);
    }
  }

  private Privacy privacy() {
    return live.settings().log().privacy();
  }

  // ---- step 4

  private void countParts() {
    metrics.countSelfTest(parts.blocklists.health());
    metrics.countLostSessions(parts.kept::lost);
    parts.names.countBy(() -> metrics.limitReached(Limit.NAME_LOOKUPS));
    parts.dnsLists.countBy(metrics::dnsListAnswered);
    parts.greylist.countBy(metrics::greylistVisited);
    metrics.countFleet(parts::fleetSkipped, parts::fleetGaps, parts::fleetFaults);
    metrics.countTogether(parts.counting::figures);
  }

  private Figures figures() {
    return FigureSource.of(live, parts);
  }

  /** Returns the version in the jar's manifest; a build that runs from its classes has none. */
  static String version() {
    String version = Gateway.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private ReportMail openReports() {
    return new ReportMail(
        new Reports(parts.kept, live::examined, parts.space::freeOctets, platform.zone()),
        live::upstream,
        () -> live.settings().hostname(),
        platform::newId,
        platform.clock());
  }

  private Promoter promoter(FeedScores scores) {
    return new Promoter(
        scores, parts.blocklists, parts.dnsLists::configure, platform.clock(), platform.nanoTime());
  }

  // ---- steps 6 to 8

  private ControlHandlers handlers(FeedScores scores, Promoter promoter) {
    ThreadFactory searches = BackgroundWork.threads(platform.threads().apply("session-search"));
    return new ControlHandlers(
        live,
        parts.kept,
        parts.counts,
        parts.tail,
        searches,
        new ReportHandler(reportMail, BackgroundWork.threads(platform.threads().apply("report"))),
        new ScoreHandler(scores, promoter, searches),
        new SupportHandler(live, RecentLog::lines),
        parts.fleet,
        new FleetHandler.Counts(
            parts.counting::figures, parts.counting::fault, parts.counting::nodeOf));
  }

  private void openHttp(Settings settings, Questions questions) throws StartFailure {
    AdminSettings admin = settings.admin();
    if (admin.http() != null) {
      HttpEndpoint.Pages pages =
          new HttpEndpoint.Pages(
              metrics::scrape, live::unready, administrator(settings, questions));
      stack.add("http", Listeners.http(admin.http(), pages, platform));
    }
    if (admin.why() != null) {
      WhyPage page =
          new WhyPage(
              questions,
              live::settings,
              () -> telemetry.limitReached(Limit.WHY_QUESTIONS),
              platform.nanoTime());
      stack.add("why", Listeners.why(admin.why(), page, platform));
    }
  }

  private @Nullable AdminPage administrator(Settings settings, Questions questions) {
    Path readToken = settings.admin().tokenFile();
    return readToken == null
        ? null
        : new AdminPage(
            settings,
            readToken,
            questions,
            new AdminPage.Surroundings(
                () -> parts.certificate.shown().map(ServerCertificate.Shown::expires),
                () -> telemetry.limitReached(Limit.PAGE_TOKENS),
                platform.clock(),
                platform.nanoTime(),
                platform.random(),
                platform.zone()));
  }

  private void startHousekeeping(ControlServer control, Path sentReports, Promoter promoter) {
    Housekeeping chores = stack.add("housekeeping", parts.housekeeping);
    chores.watch("housekeeping", chores::isLate);
    chores.watch("sender-watch", parts.watch::isLate);
    chores.eachSecond("session watchdog", parts.sessions::tick);
    chores.eachSecond("service manager", () -> platform.service().tick(live::statusLine));
    chores.eachSecond("mail server watchdog", live::tick);
    chores.eachSecond("control watchdog", control::tick);
    chores.eachSecond("decision log", telemetry::tick);
    chores.eachSecond("sums", () -> live.paces().writeDue(telemetry::summed));
    chores.everySlowly(Duration.ofSeconds(1), "certificate", parts.certificate::poll);
    chores.eachSecond("DNS lists", parts.dnsLists::tick);
    chores.eachSecond("feeds", parts.blocklists::remember);
    chores.everySlowly(
        Duration.ofSeconds(1),
        "list files",
        () -> parts.blocklists.operator().poll().forEach(line -> LOG.warn("{}", line)));
    chores.everySlowly(Duration.ofSeconds(1), "greylist", parts.greylist::save);
    chores.everySlowly(Duration.ofSeconds(5), "campaigns", parts.campaigns::tick);
    chores.everySlowly(Duration.ofMinutes(1), "free space", parts.space::look);
    chores.everySlowly(Duration.ofSeconds(1), "state directory", parts.state::tick);
    chores.everySlowlyButFirst(
        Duration.ofMinutes(1), "self-test", parts.blocklists.health()::selfTest);
    chores.everySlowly(PROBE_INTERVAL, "mail server probe", () -> live.upstream().probe());
    chores.everySlowly(
        RECOVERY_INTERVAL, "mail server recovery", () -> live.upstream().probeIfDown());
    chores.everySlowly(SESSIONS_INTERVAL, "kept sessions", parts.kept::tend);
    chores.everySlowly(SAVE_INTERVAL, "figures", parts.figures::save);
    chores.everySlowly(SAVE_INTERVAL, "mail servers", parts.servers::save);
    chores.everySlowly(SAVE_INTERVAL, "known senders", parts.blocklists::tendSenders);
    DailyReport daily =
        new DailyReport(
            () -> live.settings().report(),
            reportMail::send,
            platform.clock(),
            platform.zone(),
            sentReports);
    chores.everySlowly(REPORT_INTERVAL, "daily report", daily::tick);
    chores.everySlowly(Duration.ofMinutes(1), "feed actions", parts.blocklists.promotions()::note);
    BackgroundWork promotion = new BackgroundWork(promoter::tick);
    chores.everySlowly(Duration.ofMinutes(1), "feed promotion", promotion);
    // Or the first minutes would find no known sender.
    parts.blocklists.tendSenders();
    chores.start();
  }

  private void listen(String name, HostPort address) throws StartFailure {
    Listeners.Smtp opened =
        Listeners.smtp(name, address, () -> live.services(name), parts.sessions, platform);
    SubethaListener listener = opened.listener();
    stack.add(
        "listener " + name,
        () -> {
          parts.sessions.closeAll(); // the listener would wait for sessions for ever
          listener.stop();
        });
    parts.housekeeping.watch("listener " + name, listener::isLate);
    ports.put(name, opened.port());
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
    return parts.blocklists;
  }

  /** Reads the settings again, for a signal; the outcome is logged. */
  public void reload() {
    new RunActs(live).reload(RunActs.SIGNAL);
  }

  /**
   * Shuts down: idle sessions get 421, messages in flight may finish within {@link #DRAIN}, then
   * everything is closed.
   */
  @Override
  public void close() {
    SessionRegistry sessions = parts.sessions;
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
    parts.sessions.closeAll();
    live.closeMailRoutes();
  }
}

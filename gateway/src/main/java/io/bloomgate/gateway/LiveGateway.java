package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.admin.GatewayControl;
import io.bloomgate.gateway.admin.RunActs;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.score.PromotionNotices;
import io.bloomgate.gateway.session.ContentReading;
import io.bloomgate.gateway.session.SessionServices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway at work: the settings that count now, and everything that a reload replaces. Sessions
 * ask it for what they work with; commands and signals change it. Used on any thread.
 */
final class LiveGateway implements GatewayControl {

  private static final Logger LOG = LoggerFactory.getLogger(LiveGateway.class);

  private final Platform platform;
  private final Parts parts;
  private final Telemetry telemetry;
  private final RecordPaces paces;
  private final ModeSwitch mode;
  private final FirstLists firstLists;
  private final Instant started;
  private final String version;
  private final ValuesInForce values;
  private volatile Configuration configuration;

  /** Services by listener, made when first asked for; a reload begins with an empty map. */
  private volatile ConcurrentHashMap<String, SessionServices> services = new ConcurrentHashMap<>();

  private final Runnable noFreeConnection;
  private final MailRoutesInUse routes;
  private final SettingsReload reload;
  private final ContentReading reading;
  private volatile boolean waitingForLists;
  private volatile Map<String, Integer> ports = Map.of();

  LiveGateway(
      Platform platform,
      Parts parts,
      Telemetry telemetry,
      Runnable noFreeConnection,
      Configuration configuration,
      String version) {
    this.platform = platform;
    this.parts = parts;
    this.telemetry = telemetry;
    this.paces = new RecordPaces(platform.nanoTime(), platform::newId);
    this.reading =
        ContentReading.ofMachine(
            parts.blocklists.operator().likenessSeed(),
            parts.campaigns::current,
            task -> platform.virtualThreads().newThread(task).start());
    this.configuration = configuration;
    this.version = version;
    this.started = platform.clock().instant();
    this.values = new ValuesInForce(configuration.values());
    this.reload = new SettingsReload(platform, configuration.settings());
    this.mode =
        new ModeSwitch(configuration.settings().mode(), platform.clock(), parts.blocklists::loaded);
    this.firstLists =
        new FirstLists(
            platform.nanoTime(),
            parts.blocklists::loaded,
            () -> settings().policy().beforeFirstLists(),
            mode::wanted,
            platform.service()::ready);
    this.noFreeConnection = noFreeConnection;
    this.routes = new MailRoutesInUse(mailRoutes(configuration.settings()), platform.nanoTime());
  }

  // ---- sessions

  /** Returns the services that a new session of this listener works with. */
  SessionServices services(String listener) {
    return services.computeIfAbsent(listener, this::newServices);
  }

  private SessionServices newServices(String listener) {
    Configuration now = configuration;
    Map<String, Settings.Listener> rules = now.settings().listeners();
    // one that was removed from the settings serves until the next restart
    Settings.Listener first = rules.values().iterator().next();
    return new SessionServices(
        new SessionServices.Rules(
            now.settings(),
            rules.getOrDefault(listener, first),
            now.domains(),
            now.offersTls() ? parts.certificate::context : null),
        new SessionServices.Deciding(
            parts.blocklists::policy,
            mode::effective,
            firstLists::putMailOff,
            parts.blocklists::listsForMail,
            parts.dnsLists,
            parts.names,
            parts.mailLimits,
            parts.greylist::letsIn),
        new SessionServices.Relaying(routes.current(), parts.answers, parts.quotedIds::known),
        SessionServices.Reporting.of(telemetry, paces, platform::newId, platform.nanoTime()),
        reading,
        platform.clock(),
        platform.nanoTime());
  }

  // ---- start and housekeeping

  /** Logs whether the gateway is ready or waits for its first lists. */
  void announce() {
    waitingForLists = !ready();
    if (!waitingForLists) {
      LOG.info(
          "ready: mode {}, generation {} with {} entries",
          mode.effective().key(),
          parts.blocklists.snapshot().generation(),
          parts.blocklists.status().entries().total());
    } else {
      LOG.warn("NO LISTS ARE LOADED YET: until then {}", firstLists.consequence());
    }
    firstLists.tick();
  }

  void tick() {
    routes.tick();
    if (!ports.isEmpty()) {
      firstLists.tick(); // before that it is not warm, whatever the lists are
    }
    if (waitingForLists && ready()) {
      announce();
    }
    mode.expire().ifPresent(new RunActs(this)::modeEnded);
  }

  /** One line for `systemctl status`. */
  String statusLine() {
    return mode.effective().key()
        + ", generation "
        + parts.blocklists.snapshot().generation()
        + ", "
        + sessions()
        + " sessions"
        + (draining() ? ", draining" : "");
  }

  void closeMailRoutes() {
    routes.close();
  }

  RecordPaces paces() {
    return paces;
  }

  SettingsReload.Outcome lastReload() {
    return reload.last();
  }

  // ---- commands

  @Override
  public synchronized Reload reload() {
    platform.service().reloading();
    try {
      Reload outcome = reload.run(this::use);
      if (outcome.done()) {
        LOG.info("settings reloaded, mode {}", mode.effective().key());
      }
      return outcome;
    } finally {
      parts.log.reopen(configuration.decisionLog(platform)); // always: log rotation needs it
      platform.service().ready();
    }
  }

  /** Nothing is connected yet. */
  private MailRoutes mailRoutes(Settings settings) {
    return new MailRoutes(
            settings.downstream(),
            settings.hostname(),
            platform.nanoTime(),
            noFreeConnection,
            parts.servers,
            probe -> platform.virtualThreads().newThread(probe).start(),
            parts.names)
        .toBeProbed();
  }

  private void replaceMailRoutes(Settings before, Settings now) {
    if (!before.downstream().equals(now.downstream())
        || !before.hostname().equals(now.hostname())) {
      MailRoutes fresh = mailRoutes(now);
      routes.replace(fresh, before.limits().sessionTimeout());
      // On its own thread: a mail server that does not answer must not delay the reload.
      platform.virtualThreads().newThread(fresh::probe).start();
    }
  }

  private List<Problem> use(Configuration fresh) {
    Settings now = fresh.settings();
    replaceMailRoutes(settings(), now);
    configuration = fresh;
    fresh.show(parts.certificate);
    services = new ConcurrentHashMap<>();
    mode.configure(now.mode());
    List<Problem> badLines =
        parts.blocklists.configure(fresh.lists(), line -> LOG.warn("{}", line));
    parts.dnsLists.configure(parts.blocklists.settings());
    parts.kept.configure(now.sessions());
    parts.campaigns.configure(now.bulk());
    return badLines;
  }

  @Override
  public void drain() {
    LOG.warn("draining: no mail is taken until `bloomgate resume`");
    parts.sessions.drain();
  }

  @Override
  public boolean resume() {
    if (!parts.sessions.resume()) {
      return false;
    }
    LOG.info("mail is taken again");
    return true;
  }

  @Override
  public boolean draining() {
    return parts.sessions.draining();
  }

  @Override
  public void setMode(Mode wanted, @Nullable Duration duration) {
    mode.set(wanted, duration);
  }

  @Override
  public Settings settings() {
    return configuration.settings();
  }

  @Override
  public List<EffectiveValue> valuesInForce() {
    return values.of(configuration.values(), mode.state(), parts.blocklists.settings());
  }

  @Override
  public ModeState mode() {
    return mode.state();
  }

  @Override
  public boolean ready() {
    return parts.blocklists.loaded();
  }

  @Override
  public Optional<String> unready() {
    return ports.isEmpty() ? Optional.of("starting") : GatewayControl.super.unready();
  }

  @Override
  public Blocklists blocklists() {
    return parts.blocklists;
  }

  @Override
  public MailRoutes upstream() {
    return routes.current();
  }

  @Override
  public Explainer.DnsReport dnsAnswers(Facts keys) {
    return parts.dnsAnswers(keys);
  }

  @Override
  public List<DnsListAnswers.State> dnsLists() {
    return parts.dnsLists.states();
  }

  @Override
  public String failedReload() {
    return reload.last().failure();
  }

  @Override
  public List<String> partsAlarms() {
    List<String> alarms = parts.alarms();
    alarms.addAll(PromotionNotices.alarms(parts.blocklists, now()));
    return alarms;
  }

  @Override
  public @Nullable Campaigns campaigns() {
    return parts.campaigns.current();
  }

  @Override
  public Greylist greylist() {
    return parts.greylist;
  }

  @Override
  public String withoutLists() {
    return firstLists.consequence();
  }

  @Override
  public List<String> lateThreads() {
    return parts.housekeeping.late();
  }

  /** Sets the ports that listeners got; called once, at the end of the start. */
  void listening(Map<String, Integer> on) {
    ports = Map.copyOf(on);
  }

  @Override
  public ExaminedGateway examined() {
    return new ExaminedGateway(
        parts.blocklists.settings(),
        ready(),
        draining(),
        failedReload(),
        mode.effective(),
        routes.current().servers(),
        parts.certificate.shown().orElse(null),
        parts.blocklists.health().unknownFeeds(),
        parts.blocklists.feeds().list(),
        dnsLists(),
        ports,
        platform.clock(),
        platform.virtualThreads(),
        new ExaminedGateway.Probes(parts.sessions::expectProbe, parts.sessions::endProbe));
  }

  @Override
  public int sessions() {
    return parts.sessions.count();
  }

  @Override
  public Duration uptime() {
    return Duration.between(started, platform.clock().instant());
  }

  @Override
  public Instant now() {
    return platform.clock().instant();
  }

  @Override
  public String version() {
    return version;
  }
}

package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.blocklists.refresh.FeedRefresher;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.admin.GatewayControl;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.incidents.IncidentId;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.session.SessionEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway at work: which settings count now and how they are exchanged. Sessions ask it for
 * their environment, lists and mode; commands and signals change it. A reload makes everything anew
 * first and then swaps references, so that a bad file changes nothing.
 */
final class LiveGateway implements GatewayControl {

  private static final Logger LOG = LoggerFactory.getLogger(LiveGateway.class);

  private final Platform world;
  private final Parts parts;
  private final Telemetry telemetry;
  private final RecordPaces paces;
  private final ModeSwitch mode;
  private final FirstLists firstLists;
  private final Instant started;
  private final String version;
  private volatile Configuration configuration;

  /** By listener; a reload puts an empty one in its place, so that sessions share the rest. */
  private volatile ConcurrentHashMap<String, SessionEnvironment> environments =
      new ConcurrentHashMap<>();

  private final UpstreamsInUse upstreams;
  private final DecisionBasis basis;
  private volatile LastReload lastReload;
  private volatile boolean waitingForLists;
  private volatile Map<String, Integer> ports = Map.of();

  /**
   * How the last reload went, for alarms and metrics.
   *
   * @param failure empty when it was good
   */
  record LastReload(String failure, Instant lastSuccess) {
    boolean succeeded() {
      return failure.isEmpty();
    }
  }

  LiveGateway(
      Platform world,
      Parts parts,
      Telemetry telemetry,
      Runnable noFreeConnection,
      Configuration configuration,
      String version) {
    this.world = world;
    this.parts = parts;
    this.telemetry = telemetry;
    this.paces = new RecordPaces(world.nanoTime(), () -> IncidentId.random(world.random()));
    this.configuration = configuration;
    this.version = version;
    this.started = world.clock().instant();
    this.lastReload = new LastReload("", started);
    this.mode = new ModeSwitch(configuration.settings().mode(), world.clock(), this::ready);
    this.firstLists =
        new FirstLists(
            world.nanoTime(),
            this::ready,
            () -> settings().policy().beforeFirstLists(),
            mode::wanted,
            world.service()::ready);
    this.upstreams = new UpstreamsInUse(world, parts, noFreeConnection, configuration.settings());
    this.basis = new DecisionBasis(parts, configuration);
  }

  // ---- sessions

  /** What a session of this listener works with from now on. */
  SessionEnvironment environment(String listener) {
    return environments.computeIfAbsent(listener, this::newEnvironment);
  }

  private SessionEnvironment newEnvironment(String listener) {
    Configuration now = configuration;
    Settings.Listener rules = now.settings().listeners().get(listener);
    return new SessionEnvironment(
        now.settings(),
        rules == null ? firstListener(now.settings()) : rules,
        now.domains(),
        basis::policy,
        mode::effective,
        firstLists::putMailOff,
        basis::listsForSessions,
        upstreams.current(),
        parts.answers(),
        telemetry,
        paces,
        world.clock(),
        world.nanoTime(),
        () -> IncidentId.random(world.random()),
        now.offersTls() ? parts.certificate()::context : null);
  }

  /** A listener that the new settings no longer have serves until the restart that removes it. */
  private static Settings.Listener firstListener(Settings settings) {
    return settings.listeners().values().iterator().next();
  }

  /** Commands ask uncounted, so that the metrics speak of mail only. */
  @Override
  public Lists lists() {
    return basis.lists(snapshot());
  }

  @Override
  public Policy policy() {
    return basis.policy();
  }

  // ---- start and housekeeping

  /** Says how the gateway begins its work. */
  void announce() {
    waitingForLists = !ready();
    if (!waitingForLists) {
      LOG.info(
          "ready: mode {}, generation {} with {} entries",
          word(mode.effective()),
          snapshot().generation(),
          snapshot().manifest().entries());
    } else {
      LOG.warn("NO LISTS ARE LOADED YET: until then {}", firstLists.consequence());
    }
    firstLists.tick();
  }

  void tick() {
    upstreams.tick();
    firstLists.tick();
    if (waitingForLists && ready()) {
      announce();
    }
    if (mode.expire()) {
      LOG.warn("the time of `bloomgate mode` is over: mode {}", word(mode.effective()));
    }
  }

  /** One line for `systemctl status`. */
  String statusLine() {
    return word(mode.effective())
        + ", generation "
        + snapshot().generation()
        + ", "
        + sessions()
        + " sessions"
        + (draining() ? ", draining" : "");
  }

  void probe() {
    upstreams.current().probe();
  }

  /** So that the end of an outage is seen without mail. */
  void probeIfDown() {
    upstreams.current().probeIfDown();
  }

  void closeUpstreams() {
    upstreams.close();
  }

  RecordPaces paces() {
    return paces;
  }

  LastReload lastReload() {
    return lastReload;
  }

  // ---- commands

  @Override
  public synchronized Reload reload() {
    world.service().reloading();
    try {
      return loadAndUse();
    } finally {
      world.service().ready();
    }
  }

  private Reload loadAndUse() {
    Configuration fresh;
    try {
      fresh = Configuration.load(world.settingsFile(), world.environment(), world.random());
    } catch (UnusableException e) {
      lastReload = new LastReload(e.reason(), lastReload.lastSuccess());
      LOG.error("reload: {}; nothing was changed", e.reason());
      e.problems().forEach(problem -> LOG.error("{}", problem));
      return new Reload(false, e.problems(), List.of(), e.reason());
    }
    List<String> restartNeeded = RestartNeeds.between(configuration.settings(), fresh.settings());
    use(fresh);
    lastReload = new LastReload("", world.clock().instant());
    fresh.warnings().forEach(warning -> LOG.warn("{}", warning));
    restartNeeded.forEach(name -> LOG.warn("{} changed; it counts after a restart", name));
    LOG.info("settings reloaded, mode {}", word(mode.effective()));
    return new Reload(true, fresh.warnings(), restartNeeded, "");
  }

  private void use(Configuration fresh) {
    Settings now = fresh.settings();
    upstreams.configure(configuration.settings(), now);
    configuration = fresh;
    basis.configure(fresh);
    fresh.show(parts.certificate());
    environments = new ConcurrentHashMap<>();
    mode.configure(now.mode());
    parts.operator().useFiles(fresh.listFiles(world.clock())).forEach(line -> LOG.warn("{}", line));
    parts.feeds().configure(fresh);
    parts.log().reopen(LogSetup.of(now, world));
    parts.incidents().configure(now.log().retainIncidents(), now.log().privacy());
  }

  @Override
  public void drain() {
    LOG.warn("draining: no mail is taken until `bloomgate resume`");
    parts.sessions().drain();
  }

  @Override
  public boolean resume() {
    boolean resumed = parts.sessions().resume();
    if (resumed) {
      LOG.info("mail is taken again");
    }
    return resumed;
  }

  @Override
  public boolean draining() {
    return parts.sessions().draining();
  }

  @Override
  public void setMode(Mode wanted, @Nullable Duration duration) {
    mode.set(wanted, duration);
  }

  private static String word(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  // ---- what is so now

  @Override
  public Settings settings() {
    return configuration.settings();
  }

  @Override
  public ModeState mode() {
    return mode.state();
  }

  @Override
  public boolean ready() {
    return configuration.settings().feeds().sources().isEmpty()
        || parts.feeds().live().current().generation() > 0;
  }

  @Override
  public ListSnapshot snapshot() {
    return parts.feeds().live().current();
  }

  @Override
  public OperatorLists operator() {
    return parts.operator();
  }

  @Override
  public FeedRefresher feeds() {
    return parts.feeds().refresher();
  }

  @Override
  public WidthRules widths() {
    return configuration.widths();
  }

  @Override
  public MailRoutes upstream() {
    return upstreams.current();
  }

  @Override
  public String failedReload() {
    return lastReload.failure();
  }

  @Override
  public List<String> answerAlarms() {
    return parts.answers().alarms();
  }

  @Override
  public List<String> certificateAlarms() {
    return parts.certificate().alarms();
  }

  @Override
  public String withoutLists() {
    return firstLists.consequence();
  }

  @Override
  public List<String> spaceAlarms() {
    return parts.space().alarms();
  }

  @Override
  public List<String> lateThreads() {
    return parts.signs().late();
  }

  /** The ports that listeners got; said once, when all listen. */
  void listening(Map<String, Integer> on) {
    ports = Map.copyOf(on);
  }

  @Override
  public ExaminedGateway patient() {
    return new ExaminedGateway(
        settings(),
        ready(),
        draining(),
        failedReload(),
        mode.effective(),
        upstreams.current().servers(),
        parts.certificate().shown().orElse(null),
        feeds().list(),
        ports,
        world.clock(),
        world.virtualThreads(),
        new DoctorVisits(parts.sessions()));
  }

  @Override
  public List<String> badFeeds() {
    return parts.feeds().bad();
  }

  @Override
  public int sessions() {
    return parts.sessions().count();
  }

  @Override
  public Duration uptime() {
    return Duration.between(started, world.clock().instant());
  }

  @Override
  public Instant now() {
    return world.clock().instant();
  }

  @Override
  public String version() {
    return version;
  }
}

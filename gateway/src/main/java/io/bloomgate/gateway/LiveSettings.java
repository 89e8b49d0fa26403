package io.bloomgate.gateway;

import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Surroundings;
import io.bloomgate.gateway.Configuration.UnusableException;
import io.bloomgate.gateway.Platform.BackgroundWork;
import io.bloomgate.gateway.admin.GatewayControl.Reload;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.session.ContentReading;
import io.bloomgate.gateway.session.SessionServices;
import io.bloomgate.gateway.spam.SpamReports;
import io.bloomgate.gateway.status.GatewayStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that count now, and what a reload replaces: mail routes, and the services of new
 * sessions. A reload loads all files first, so that a bad one changes nothing. Made by {@link
 * Gateway}; used on any thread, one reload at a time.
 */
final class LiveSettings {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private final Platform platform;
  private final Services services;
  private final Telemetry telemetry;
  private final Runnable noFreeConnection;
  private final RecordPaces paces;
  private final ContentReading reading;
  private final SpamReports spam;
  private final MailRoutesInUse routes;
  private final TrapWatch traps;

  /** The settings of the start: some of them count until the gateway stops. */
  private final Settings started;

  private final ValuesInForce values;
  private volatile Configuration configuration;
  private volatile GatewayStatus.Reload lastReload;

  /** Services by listener, made when first asked for; a reload begins with an empty map. */
  private volatile ConcurrentHashMap<String, SessionServices> ofListeners =
      new ConcurrentHashMap<>();

  /**
   * The start counts as a reload that succeeded.
   *
   * @param noFreeConnection counts sessions that found no free connection to the mail server
   */
  LiveSettings(
      Platform platform,
      Services services,
      Telemetry telemetry,
      Runnable noFreeConnection,
      Configuration configuration) {
    this.platform = platform;
    this.services = services;
    this.telemetry = telemetry;
    this.noFreeConnection = noFreeConnection;
    this.paces = new RecordPaces(platform.nanoTime(), platform.ids());
    this.spam =
        new SpamReports(
            this::settings,
            address -> this.configuration.lists().isMailServer(address),
            services.kept,
            services.blocklists.operator(),
            () -> services.memory,
            BackgroundWork.threads(platform.threads().apply("spam-report")),
            platform.clock(),
            platform.nanoTime());
    this.reading =
        new ContentReading(
            services.blocklists.operator().likenessSeed(),
            services.campaigns.current(),
            spam,
            platform::start,
            Runtime.getRuntime().availableProcessors());
    this.configuration = configuration;
    this.started = configuration.settings();
    this.values = new ValuesInForce(configuration.values());
    this.lastReload = new GatewayStatus.Reload("", platform.clock().instant());
    this.traps = new TrapWatch(services.kept, platform.clock());
    this.routes = new MailRoutesInUse(mailRoutes(started), platform.nanoTime());
  }

  // ---- what counts now

  Settings settings() {
    return configuration.settings();
  }

  List<EffectiveValue> valuesInForce() {
    return values.of(configuration.values(), services.mode.state(), services.blocklists.settings());
  }

  GatewayStatus.Reload lastReload() {
    return lastReload;
  }

  MailRoutesInUse routes() {
    return routes;
  }

  TrapWatch traps() {
    return traps;
  }

  SpamReports spam() {
    return spam;
  }

  RecordPaces paces() {
    return paces;
  }

  // ---- sessions

  /** Returns the services that a new session of this listener works with. */
  SessionServices services(String listener) {
    return ofListeners.computeIfAbsent(listener, this::newServices);
  }

  private SessionServices newServices(String listener) {
    Configuration now = configuration;
    Map<String, Settings.Listener> rules = now.settings().listeners();
    // one that was removed from the settings serves until the next restart
    Settings.Listener first = rules.values().iterator().next();
    return new SessionServices(
        now.settings(),
        rules.getOrDefault(listener, first),
        now.domains(),
        now.offersTls() ? services.certificates::choice : null,
        services.blocklists::policy,
        services.mode::effective,
        services.firstLists::putMailOff,
        services.blocklists::listsForMail,
        services.dnsLists,
        services.names,
        services.mailLimits,
        services.greylist::letsIn,
        routes.current(),
        services.answers,
        services.quotedIds::known,
        SessionServices.Reporting.of(telemetry, paces, platform.ids(), platform.nanoTime()),
        reading,
        platform.clock(),
        platform.nanoTime());
  }

  /** Nothing is connected yet. */
  private MailRoutes mailRoutes(Settings settings) {
    return new MailRoutes(
            settings.downstream(),
            settings.hostname(),
            platform.nanoTime(),
            noFreeConnection,
            services.servers,
            platform::start,
            services.names)
        .toBeProbed();
  }

  // ---- reload

  /**
   * Loads the settings, and uses them when all of them are good.
   *
   * @param acceptDomains takes files of {@code domains} that lost most of their names
   */
  synchronized Reload reload(boolean acceptDomains) {
    platform.service().reloading();
    try {
      Reload outcome =
          load(acceptDomains ? Surroundings.Reading.ACCEPTED : Surroundings.Reading.GUARDED);
      if (outcome.done()) {
        LOG.info("settings reloaded, mode {}", services.mode.effective().key());
      }
      return outcome;
    } finally {
      services.log.reopen(configuration.decisionLog(platform)); // always: log rotation needs it
      platform.service().ready();
    }
  }

  private Reload load(Surroundings.Reading reading) {
    Configuration fresh;
    try {
      fresh = Configuration.load(platform, reading);
    } catch (UnusableException e) {
      lastReload = new GatewayStatus.Reload(e.reason(), lastReload.success());
      LOG.error("reload: {}; nothing was changed", e.reason());
      e.problems().forEach(problem -> LOG.error("{}", problem));
      return new Reload(false, e.problems(), List.of(), e.reason());
    }
    List<String> restartNeeded = restartNeeded(started, fresh.settings());
    List<Problem> problems = new ArrayList<>(fresh.warnings());
    problems.addAll(use(fresh));
    lastReload = new GatewayStatus.Reload("", platform.clock().instant());
    fresh.warnings().forEach(warning -> LOG.warn("{}", warning));
    restartNeeded.forEach(name -> LOG.warn("{} changed; it counts after a restart", name));
    return new Reload(true, problems, restartNeeded, "");
  }

  /** Replaces what depends on settings; returns lines of list files that are not taken, logged. */
  private List<Problem> use(Configuration fresh) {
    Settings now = fresh.settings();
    replaceMailRoutes(settings(), now);
    configuration = fresh;
    fresh.show(services.certificates);
    ofListeners = new ConcurrentHashMap<>();
    services.mode.configure(now.mode());
    services.memory.prepare(now);
    List<Problem> badLines =
        services.blocklists.configure(fresh.lists(), line -> LOG.warn("{}", line));
    services.dnsLists.configure(services.blocklists.settings());
    services.kept.configure(now.sessions());
    services.campaigns.configure(now.bulk());
    reading.count(services.campaigns.current());
    lookAtTraps();
    return badLines;
  }

  /** Looks for traps that got mail, beside the caller. */
  void lookAtTraps() {
    BackgroundWork.threads(platform.threads().apply("trap-watch"))
        .newThread(() -> traps.look(this::settings, services.blocklists::policy))
        .start();
  }

  /**
   * Uses what files of {@code domains} say now: sessions that begin later see it, and mail in
   * transfer keeps what it has. Nothing happens when a reload came in between.
   */
  synchronized void use(DomainSources before, DomainSources fresh) {
    if (!settings().domainSources().equals(before)) {
      return;
    }
    boolean same = settings().domains().equals(fresh.all());
    configuration = configuration.with(fresh);
    if (!same) {
      ofListeners = new ConcurrentHashMap<>();
      services.blocklists.configure(configuration.lists(), line -> LOG.warn("{}", line));
    }
  }

  private void replaceMailRoutes(Settings before, Settings now) {
    if (!before.downstream().equals(now.downstream())
        || !before.hostname().equals(now.hostname())) {
      MailRoutes fresh = mailRoutes(now);
      routes.replace(fresh, before.limits().sessionTimeout());
      // On its own thread: a mail server that does not answer must not delay the reload.
      platform.start(fresh::probe);
    }
  }

  /** Names settings that differ from the start and need a restart, as in the file. */
  private static List<String> restartNeeded(Settings started, Settings wanted) {
    List<String> names = new ArrayList<>();
    addIfChanged(names, "state_dir", started.stateDir(), wanted.stateDir());
    addIfChanged(names, "admin", started.admin(), wanted.admin());
    addIfChanged(names, "fleet", started.fleet(), wanted.fleet());
    started
        .listeners()
        .forEach((name, old) -> {
          Settings.Listener now = wanted.listeners().get(name);
          if (now == null || !now.address().equals(old.address())) {
            names.add("listeners." + name + (now == null ? "" : ".address"));
          }
        });
    wanted.listeners().keySet().stream()
        .filter(name -> !started.listeners().containsKey(name))
        .forEach(name -> names.add("listeners." + name));
    return names;
  }

  private static void addIfChanged(
      List<String> names, String name, @Nullable Object started, @Nullable Object wanted) {
    if (!Objects.equals(started, wanted)) {
      names.add(name);
    }
  }

  /**
   * The mail routes that new sessions use, and those of earlier settings that older sessions still
   * use. Retired routes are watched until their last session is over: a session that needs no
   * connection now may need one for its next message.
   *
   * <p>Made and changed by {@link LiveSettings}: {@link #current} on any thread, {@link #replace}
   * on the thread of a reload, one at a time, {@link #tick} on that of housekeeping.
   */
  static final class MailRoutesInUse {

    /** Sessions are cut a few seconds after {@code session_timeout}. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final Map<MailRoutes, Long> retiredUntil = new ConcurrentHashMap<>();
    private volatile MailRoutes current;

    /**
     * Begins with the routes of the first settings.
     *
     * @param nanoTime monotonic time in nanoseconds
     */
    MailRoutesInUse(MailRoutes first, LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.current = first;
    }

    /** The routes of a session that begins now. */
    MailRoutes current() {
      return current;
    }

    /**
     * New sessions use other routes from now on.
     *
     * @param sessionTimeout of the settings that the earlier routes belong to
     */
    void replace(MailRoutes fresh, Duration sessionTimeout) {
      MailRoutes old = current;
      current = fresh;
      old.retire();
      retiredUntil.put(old, nanoTime.getAsLong() + sessionTimeout.plus(MARGIN).toNanos());
    }

    /** Watches the writes of all routes, and forgets those that no session can use any more. */
    void tick() {
      current.tick();
      long now = nanoTime.getAsLong();
      retiredUntil.keySet().forEach(MailRoutes::tick);
      retiredUntil
          .entrySet()
          .removeIf(retired -> now - retired.getValue() >= 0 && retired.getKey().unused());
    }

    /** Returns the number of retired routes that are watched. */
    int retired() {
      return retiredUntil.size();
    }

    void close() {
      current.close();
      retiredUntil.keySet().forEach(MailRoutes::close);
    }
  }
}

package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.BeforeFirstLists;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.score.Promoter.PromotionNotices;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Certificate;
import io.bloomgate.gateway.status.GatewayStatus.Counts;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import io.bloomgate.gateway.status.GatewayStatus.State;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import io.bloomgate.gateway.tls.ShownCertificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums up the services in one {@link GatewayStatus}, and says when the gateway is ready. Made by
 * {@link Gateway}; asked by commands and pages on their threads, ticked by housekeeping.
 */
final class Overview {

  private static final Logger LOG = LoggerFactory.getLogger(Overview.class);

  private final Platform platform;
  private final Services services;
  private final LiveSettings live;
  private final Supplier<List<String>> untold;
  private volatile boolean waitingForLists;

  /** The port that each listener got; empty while the gateway starts. */
  private volatile Map<String, Integer> ports = Map.of();

  /**
   * Sums up these services.
   *
   * @param untold sentences about alarms that do not reach anybody
   */
  Overview(Platform platform, Services services, LiveSettings live, Supplier<List<String>> untold) {
    this.untold = untold;
    this.platform = platform;
    this.services = services;
    this.live = live;
  }

  // ---- ready

  /**
   * Logs whether the gateway is ready or waits for its first lists; called at the end of the start.
   */
  void listening(Map<String, Integer> on) {
    ports = Map.copyOf(on);
    announce();
  }

  private void announce() {
    Blocklists lists = services.blocklists;
    waitingForLists = !lists.loaded();
    if (!waitingForLists) {
      LOG.info(
          "ready: mode {}, generation {} with {} entries",
          services.mode.effective().key(),
          lists.snapshot().generation(),
          lists.status().entries().total());
    } else {
      LOG.warn("NO LISTS ARE LOADED YET: until then {}", services.firstLists.consequence());
    }
    services.firstLists.tick();
  }

  /** Says when the first lists are there. */
  void tick() {
    if (!ports.isEmpty()) {
      services.firstLists.tick(); // before that it is not warm, whatever the lists are
    }
    if (waitingForLists && services.blocklists.loaded()) {
      announce();
    }
  }

  /** One line for `systemctl status`. */
  String statusLine() {
    return services.mode.effective().key()
        + ", generation "
        + services.blocklists.snapshot().generation()
        + ", "
        + services.sessions.count()
        + " sessions"
        + (services.sessions.draining() ? ", draining" : "");
  }

  // ---- status

  /** Returns what {@code bloomgate health} says. */
  Health health() {
    return new Health(
        unready(),
        services.housekeeping.late(),
        live.routes().current().isUp(),
        services.blocklists.health().badFeeds());
  }

  /** Says why no mail should be sent here, from memory alone; empty when it may come. */
  String unready() {
    if (ports.isEmpty()) {
      return "starting";
    }
    if (services.sessions.draining()) {
      return "draining";
    }
    return services.blocklists.loaded() ? "" : "no lists are loaded";
  }

  /** Returns the state of everything. */
  GatewayStatus status() {
    Blocklists lists = services.blocklists;
    Health health = health();
    List<Trouble> troubles = troubles(health);
    Campaigns counted = services.campaigns.current();
    return new GatewayStatus(
        platform.clock().instant(),
        lists.settings().with(live.settings().domainSources()),
        services.mode.effective(),
        services.sessions.draining(),
        health,
        live.lastReload(),
        lists.loaded(),
        lists.status(),
        lists.health().unknownFeeds(),
        lists.health().figures(),
        services.dnsLists.states(),
        live.routes().current().states(),
        services.certificates.shown().stream().map(Overview::certificate).toList(),
        troubles,
        alarms(troubles),
        services.sessions.count(),
        services.sessions.heldContentOctets(),
        new State(writable(), services.space.freeOctets(), services.kept.kept()),
        counted == null ? 0 : counted.size(),
        counts(),
        services.fleet == null ? null : services.fleet.figures());
  }

  private List<Trouble> troubles(Health health) {
    List<Trouble> troubles = new ArrayList<>();
    if (!services.blocklists.loaded()) {
      troubles.add(
          new Trouble(
              true,
              "no lists are loaded: " + services.firstLists.consequence(),
              "`bloomgate feeds list` shows why, `bloomgate feeds refresh --all` tries again"));
    }
    if (services.sessions.draining()) {
      troubles.add(new Trouble(false, "draining: no mail is taken", "`bloomgate resume` ends it"));
    }
    String failedReload = live.lastReload().failure();
    if (!failedReload.isEmpty()) {
      troubles.add(
          new Trouble(
              true,
              "the last reload failed and changed nothing: " + failedReload,
              "`bloomgate config validate` names each problem; reload again without them"));
    }
    if (!health.late().isEmpty()) {
      troubles.add(Trouble.late(health.late()));
    }
    troubles.addAll(services.certificates.unread());
    services.space.trouble().ifPresent(troubles::add);
    troubles.addAll(DomainWatch.troubles(live.settings().domainSources()));
    return troubles;
  }

  private List<String> alarms(List<Trouble> troubles) {
    Blocklists lists = services.blocklists;
    List<String> alarms = new ArrayList<>(troubles.stream().map(Trouble::sentence).toList());
    alarms.addAll(lists.health().alarms());
    alarms.addAll(lists.sharedVersions().alarms());
    alarms.addAll(live.routes().current().alarms());
    alarms.addAll(lists.status().warnings());
    alarms.addAll(lists.operator().alarms());
    lists.policy().recipients().alarm(platform.clock().instant()).ifPresent(alarms::add);
    alarms.addAll(services.dnsLists.alarms());
    alarms.addAll(services.names.alarms());
    alarms.addAll(services.sessions.alarms());
    alarms.addAll(services.kept.alarms());
    alarms.addAll(live.traps().alarms());
    alarms.addAll(services.memory.alarms());
    alarms.addAll(services.state.alarms());
    alarms.addAll(services.certificates.alarms());
    alarms.addAll(services.answers.alarms());
    alarms.addAll(services.greylist.alarms());
    if (services.fleet != null) {
      alarms.addAll(services.fleet.alarms());
      String fault = services.counting.fault();
      if (services.fleet.isConnected() && !fault.isEmpty()) {
        alarms.add("fleet counts: " + fault);
      }
    }
    alarms.addAll(untold.get());
    alarms.addAll(PromotionNotices.alarms(lists, platform.clock().instant()));
    return alarms;
  }

  private Counts counts() {
    SharedLists fleet = services.fleet;
    return new Counts(
        services.blocklists.health().entriesTested(),
        services.blocklists.health().entriesMissed(),
        fleet == null ? 0 : fleet.skipped(),
        fleet == null ? 0 : fleet.gaps(),
        fleet == null ? 0 : fleet.faults(),
        services.counting.figures());
  }

  /** Returns false while the state directory, or entries or the state of feeds, are not kept. */
  private boolean writable() {
    return services.state.alarms().isEmpty()
        && services.blocklists.operator().unwritable().isEmpty()
        && services.blocklists.health().unknownFeeds().isEmpty();
  }

  private static Certificate certificate(ShownCertificate shown) {
    return new Certificate(
        shown.tls().name(),
        shown.expires(),
        shown.selfSigned(),
        shown.problem(),
        shown.key(),
        shown.file());
  }

  /** All that the doctor examines. */
  ExaminedGateway examined() {
    return new ExaminedGateway(
        status(),
        live.routes().current().servers(),
        services.certificates.shown(),
        ports,
        platform.clock(),
        platform.virtualThreads(),
        new ExaminedGateway.Probes(services.sessions::expectProbe, services.sessions::endProbe));
  }

  /**
   * The rules of the very first start, before any list was loaded: whether mail passes unchecked
   * ({@code policy.before_first_lists}), and when the service manager learns that the gateway is
   * ready. Asked by sessions on their threads, ticked by housekeeping.
   */
  static final class FirstLists {

    /** A feed that cannot be fetched must not delay the units that wait for this one. */
    static final Duration READY_AFTER = Duration.ofSeconds(30);

    /**
     * Feeds that cannot be fetched must not stop mail (promise P5): after this time mail passes.
     */
    static final Duration MAIL_WAITS_AT_MOST = Duration.ofHours(1);

    private final LongSupplier nanoTime;
    private final long beganNanos;
    private final BooleanSupplier loaded;
    private final Supplier<BeforeFirstLists> choice;
    private final Supplier<Mode> mode;
    private final Runnable ready;
    private boolean reported;

    /**
     * Begins now.
     *
     * @param nanoTime a monotonic clock, nanoseconds
     * @param loaded true once lists are live, or where there are no feeds
     * @param mode the mode of the settings or of a command, whatever is loaded
     * @param ready tells the service manager, once
     */
    FirstLists(
        LongSupplier nanoTime,
        BooleanSupplier loaded,
        Supplier<BeforeFirstLists> choice,
        Supplier<Mode> mode,
        Runnable ready) {
      this.nanoTime = nanoTime;
      this.beganNanos = nanoTime.getAsLong();
      this.loaded = loaded;
      this.choice = choice;
      this.mode = mode;
      this.ready = ready;
    }

    /**
     * True while recipients are answered 451. In mode observe the lists would refuse nobody either.
     */
    boolean putMailOff() {
      return !loaded.getAsBoolean()
          && choice.get() == BeforeFirstLists.TEMPFAIL
          && mode.get() != Mode.OBSERVE
          && !passed(MAIL_WAITS_AT_MOST);
    }

    /** Says what happens to mail while no lists are loaded, for log, status and doctor. */
    String consequence() {
      return putMailOff()
          ? "mail is answered 451, for an hour at most"
          : "mail passes unchecked, mode observe";
    }

    /** Says that the gateway is ready when it is, or when that has taken too long. */
    synchronized void tick() {
      if (!reported && (loaded.getAsBoolean() || passed(READY_AFTER))) {
        reported = true;
        ready.run();
      }
    }

    private boolean passed(Duration time) {
      return nanoTime.getAsLong() - beganNanos >= time.toNanos();
    }
  }
}

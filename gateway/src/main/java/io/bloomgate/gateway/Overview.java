package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.gateway.admin.GatewayControl;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.metrics.Figures;
import io.bloomgate.gateway.metrics.Figures.CertificateFigures;
import io.bloomgate.gateway.metrics.Figures.StateFigures;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.score.PromotionNotices;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums up the services: whether the gateway is ready, its alarms, its figures and what the doctor
 * examines. Made by {@link Gateway}; asked by commands and pages on their threads, ticked by
 * housekeeping.
 */
final class Overview {

  private static final Logger LOG = LoggerFactory.getLogger(Overview.class);

  private final Platform platform;
  private final Services services;
  private final LiveSettings live;
  private volatile boolean waitingForLists;

  /** The port that each listener got; empty while the gateway starts. */
  private volatile Map<String, Integer> ports = Map.of();

  Overview(Platform platform, Services services, LiveSettings live) {
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

  /** The reason why no mail should be sent here, for monitors; empty when it may come. */
  Optional<String> unready() {
    if (ports.isEmpty()) {
      return Optional.of("starting");
    }
    if (services.sessions.draining()) {
      return Optional.of("draining");
    }
    return services.blocklists.loaded() ? Optional.empty() : Optional.of("no lists are loaded");
  }

  // ---- alarms

  /** Names all that an administrator has to see to, a sentence each. */
  List<String> alarms() {
    Blocklists lists = services.blocklists;
    List<String> alarms = new ArrayList<>();
    if (!lists.loaded()) {
      alarms.add("no lists are loaded: " + services.firstLists.consequence());
    }
    if (services.sessions.draining()) {
      alarms.add("draining: no mail is taken; `bloomgate resume` ends it");
    }
    String failedReload = live.lastReload().failure();
    if (!failedReload.isEmpty()) {
      alarms.add(
          "the last reload failed and changed nothing: "
              + failedReload
              + "; `bloomgate config validate` names each problem");
    }
    alarms.addAll(lists.health().alarms());
    alarms.addAll(lists.sharedVersions().alarms());
    List<String> late = services.housekeeping.late();
    if (!late.isEmpty()) {
      alarms.add(GatewayControl.late(late));
    }
    alarms.addAll(live.routes().current().alarms());
    alarms.addAll(lists.status().warnings());
    alarms.addAll(lists.operator().alarms());
    alarms.addAll(ofServices());
    alarms.addAll(PromotionNotices.alarms(lists, platform.clock().instant()));
    return alarms;
  }

  private List<String> ofServices() {
    List<String> alarms = new ArrayList<>(services.dnsLists.alarms());
    alarms.addAll(services.names.alarms());
    alarms.addAll(services.sessions.alarms());
    alarms.addAll(services.kept.alarms());
    alarms.addAll(services.space.alarms());
    alarms.addAll(services.state.alarms());
    alarms.addAll(services.certificate.alarms());
    alarms.addAll(services.answers.alarms());
    alarms.addAll(services.greylist.alarms());
    if (services.fleet != null) {
      alarms.addAll(services.fleet.alarms());
      String fault = services.counting.fault();
      if (services.fleet.isConnected() && !fault.isEmpty()) {
        alarms.add("fleet counts: " + fault);
      }
    }
    return alarms;
  }

  // ---- doctor, metrics

  /** All that the doctor examines. */
  ExaminedGateway examined() {
    return new ExaminedGateway(
        services.blocklists.settings(),
        services.blocklists.loaded(),
        services.sessions.draining(),
        live.lastReload().failure(),
        services.mode.effective(),
        live.routes().current().servers(),
        services.certificate.shown().orElse(null),
        services.blocklists.health().unknownFeeds(),
        services.blocklists.feeds().list(),
        services.dnsLists.states(),
        ports,
        platform.clock(),
        platform.virtualThreads(),
        new ExaminedGateway.Probes(services.sessions::expectProbe, services.sessions::endProbe));
  }

  /** Collects what the gauges show; asked at each fetch of the metrics. */
  Figures figures() {
    BlocklistsStatus lists = services.blocklists.status();
    LiveSettings.Outcome reload = live.lastReload();
    MailRoutes upstream = live.routes().current();
    Campaigns counted = services.campaigns.current();
    return new Figures(
        unready().isEmpty(),
        services.blocklists.loaded(),
        lists.generation(),
        lists.filters(),
        services.blocklists.health().figures(),
        lists.allowEntries(),
        lists.blockEntries(),
        upstream.isUp(),
        reload.failure().isEmpty(),
        reload.lastSuccess(),
        services.certificate.shown().map(Overview::certificate).orElse(null),
        services.sessions.heldContentOctets(),
        upstream.states(),
        stored(),
        counted == null ? 0 : counted.size(),
        services.fleet == null ? null : services.fleet.figures());
  }

  /** Not writable while the state directory, or entries or the state of feeds, are not kept. */
  private StateFigures stored() {
    SessionStore.Kept sessions = services.kept.kept();
    boolean writable =
        services.state.alarms().isEmpty()
            && services.blocklists.operator().unwritable().isEmpty()
            && services.blocklists.health().unknownFeeds().isEmpty();
    return new StateFigures(
        writable, services.space.freeOctets(), sessions.days(), sessions.octets());
  }

  private static CertificateFigures certificate(ServerCertificate.Shown shown) {
    return new CertificateFigures(shown.expires(), shown.problem().isEmpty(), shown.selfSigned());
  }
}

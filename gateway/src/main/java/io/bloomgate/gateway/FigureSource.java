package io.bloomgate.gateway;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.gateway.metrics.Figures;
import io.bloomgate.gateway.metrics.Figures.CertificateFigures;
import io.bloomgate.gateway.metrics.Figures.StateFigures;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;

/** Collects what the gauges show; asked at each fetch of the metrics, on its thread. */
final class FigureSource {

  private FigureSource() {}

  static Figures of(LiveGateway live, Parts parts) {
    BlocklistsStatus lists = parts.blocklists.status();
    SettingsReload.Outcome reload = live.lastReload();
    return new Figures(
        live.unready().isEmpty(),
        live.ready(),
        lists.generation(),
        lists.filters(),
        parts.blocklists.health().figures(),
        lists.allowEntries(),
        lists.blockEntries(),
        live.upstream().isUp(),
        reload.succeeded(),
        reload.lastSuccess(),
        parts.certificate.shown().map(FigureSource::certificate).orElse(null),
        parts.sessions.heldContentOctets(),
        live.upstream().states(),
        state(parts),
        campaigns(parts),
        parts.fleet == null ? null : parts.fleet.figures());
  }

  private static int campaigns(Parts parts) {
    Campaigns counted = parts.campaigns.current();
    return counted == null ? 0 : counted.size();
  }

  private static StateFigures state(Parts parts) {
    SessionStore.Kept sessions = parts.kept.kept();
    return new StateFigures(
        parts.isWritable(), parts.space.freeOctets(), sessions.days(), sessions.octets());
  }

  private static CertificateFigures certificate(ServerCertificate.Shown shown) {
    return new CertificateFigures(shown.expires(), shown.problem().isEmpty(), shown.selfSigned());
  }
}

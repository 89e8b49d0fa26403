package io.bloomgate.gateway;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.gateway.metrics.Figures;
import io.bloomgate.gateway.metrics.Figures.CertificateFigures;
import io.bloomgate.gateway.metrics.Figures.FilterFigures;
import io.bloomgate.gateway.metrics.Figures.FleetFigures;
import io.bloomgate.gateway.metrics.Figures.ServerFigures;
import io.bloomgate.gateway.metrics.Figures.StateFigures;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects what the gauges show; asked at each fetch of the metrics, on its thread. */
final class FigureSource {

  private FigureSource() {}

  static Figures of(LiveGateway live, Parts parts) {
    BlocklistsStatus lists = parts.blocklists().status();
    SettingsReload.Outcome reload = live.lastReload();
    return new Figures(
        live.unready().isEmpty(),
        live.ready(),
        lists.generation(),
        lists.filters().entrySet().stream().map(FigureSource::filter).toList(),
        parts.blocklists().health().figures(),
        lists.allowEntries(),
        lists.blockEntries(),
        live.upstream().isUp(),
        reload.succeeded(),
        reload.lastSuccess(),
        parts.certificate().shown().map(FigureSource::certificate).orElse(null),
        parts.sessions().heldContentOctets(),
        live.upstream().states().stream().map(FigureSource::server).toList(),
        state(parts),
        campaigns(parts),
        fleet(parts.fleet()));
  }

  private static int campaigns(Parts parts) {
    Campaigns counted = parts.campaigns().current();
    return counted == null ? 0 : counted.size();
  }

  private static FleetFigures fleet(@Nullable SharedLists fleet) {
    return fleet == null ? FleetFigures.ALONE : FleetFigures.of(fleet.figures());
  }

  private static StateFigures state(Parts parts) {
    SessionStore.Kept sessions = parts.kept().kept();
    return new StateFigures(parts.space().freeOctets(), sessions.days(), sessions.octets());
  }

  private static CertificateFigures certificate(ServerCertificate.Shown shown) {
    return new CertificateFigures(shown.expires(), shown.problem().isEmpty(), shown.selfSigned());
  }

  private static ServerFigures server(MailRoutes.Placed placed) {
    MailRoutes.ServerState state = placed.state();
    return new ServerFigures(
        placed.server(),
        placed.route(),
        state.up(),
        state.connections(),
        state.maxConnections(),
        state.fullFor(),
        state.identity(),
        state.identityLost());
  }

  private static FilterFigures filter(Map.Entry<String, FilterShape> entry) {
    FilterShape shape = entry.getValue();
    return new FilterFigures(
        entry.getKey(), shape.entries(), shape.bits() / Byte.SIZE, shape.expectedRate());
  }
}

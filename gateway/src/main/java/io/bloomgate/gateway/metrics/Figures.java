package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.FeedFigures;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.gateway.relay.MailRoutes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of the gateway at one moment, for gauges: read when metrics are fetched. Immutable;
 * made by the composition root.
 *
 * @param ready whether mail may be sent here
 * @param listsLoaded false while feeds are set and no generation is live
 * @param generation number of the live snapshot, 0 for none
 * @param downstreamUp whether each route has a server that can be used
 * @param lastReload whether the last reload of the settings succeeded
 * @param lastReloadSuccess time of the last one that did
 * @param certificate {@code null} when no listener offers TLS
 * @param heldContentOctets of messages whose clients are still sending
 * @param fleet what is shared by way of Redis; {@code null} for a gateway alone
 * @param campaigns mails of which many copies came; 0 while copies are not counted
 */
public record Figures(
    boolean ready,
    boolean listsLoaded,
    long generation,
    Map<String, FilterShape> filters,
    List<FeedFigures> feeds,
    long allowEntries,
    long blockEntries,
    boolean downstreamUp,
    boolean lastReload,
    Instant lastReloadSuccess,
    @Nullable CertificateFigures certificate,
    long heldContentOctets,
    List<MailRoutes.Placed> servers,
    StateFigures state,
    int campaigns,
    SharedLists.@Nullable Figures fleet) {

  public Figures {
    feeds = List.copyOf(feeds);
    servers = List.copyOf(servers);
  }

  /**
   * The state directory.
   *
   * @param writable false while something of it cannot be kept
   * @param freeOctets that may still be written on its disk; empty before the first measurement
   * @param sessionFiles that hold kept sessions, one a day
   * @param sessionOctets of their files
   */
  public record StateFigures(
      boolean writable, OptionalLong freeOctets, int sessionFiles, long sessionOctets) {}

  /**
   * The certificate that STARTTLS shows.
   *
   * @param newest false when its files have something newer that cannot be used
   */
  public record CertificateFigures(Instant expires, boolean newest, boolean selfSigned) {}
}

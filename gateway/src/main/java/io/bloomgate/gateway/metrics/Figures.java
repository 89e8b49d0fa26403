package io.bloomgate.gateway.metrics;

import io.bloomgate.blocklists.FeedFigures;
import io.bloomgate.blocklists.fleet.SharedLists;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
 * @param fleet what is shared by way of Redis
 * @param campaigns mails of which many copies came; 0 while copies are not counted
 */
public record Figures(
    boolean ready,
    boolean listsLoaded,
    long generation,
    List<FilterFigures> filters,
    List<FeedFigures> feeds,
    long allowEntries,
    long blockEntries,
    boolean downstreamUp,
    boolean lastReload,
    Instant lastReloadSuccess,
    @Nullable CertificateFigures certificate,
    long heldContentOctets,
    List<ServerFigures> servers,
    StateFigures state,
    int campaigns,
    FleetFigures fleet) {

  public Figures {
    filters = List.copyOf(filters);
    feeds = List.copyOf(feeds);
    servers = List.copyOf(servers);
  }

  /**
   * What nodes of a fleet share.
   *
   * @param connected 1 while Redis answers and refuses nothing; as the others NaN for a gateway
   *     alone
   * @param lagSeconds of the entries; NaN when it is not known, as the next two
   * @param replySeconds of Redis
   * @param clockSeconds by which the clock here is ahead of that of Redis
   * @param waiting changes that are not in Redis yet
   * @param leads 1 while this node holds the lease of the leader
   */
  public record FleetFigures(
      double connected,
      double lagSeconds,
      double replySeconds,
      double clockSeconds,
      double waiting,
      double leads) {
    public static final FleetFigures ALONE =
        new FleetFigures(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Those of a node. */
    public static FleetFigures of(SharedLists.Figures now) {
      return new FleetFigures(
          now.connected() ? 1 : 0,
          now.lagSeconds(),
          now.replySeconds(),
          now.clockSeconds(),
          now.waiting(),
          now.leads() ? 1 : 0);
    }
  }

  /**
   * One mail server behind the gateway.
   *
   * @param name host and port
   * @param route the domain that it is for, or {@code default}
   * @param connections in use
   * @param maxConnections that may be in use
   * @param fullFor for how long all have been in use while clients wait for one
   * @param identity how it learns the client's address, as {@code status} names it
   * @param identityLost true when it no longer takes the client's address
   */
  public record ServerFigures(
      String name,
      String route,
      boolean up,
      int connections,
      int maxConnections,
      Duration fullFor,
      String identity,
      boolean identityLost) {}

  /**
   * The state directory.
   *
   * @param freeOctets that may still be written on its disk; empty before the first measurement
   * @param sessionFiles that hold kept sessions, one a day
   * @param sessionOctets of their files
   */
  public record StateFigures(OptionalLong freeOctets, int sessionFiles, long sessionOctets) {}

  /**
   * The certificate that STARTTLS shows.
   *
   * @param newest false when its files have something newer that cannot be used
   */
  public record CertificateFigures(Instant expires, boolean newest, boolean selfSigned) {}

  /**
   * One Bloom filter.
   *
   * @param entries keys inside
   * @param expectedFalsePositiveRatio 0 to 1
   */
  public record FilterFigures(
      String name, long entries, long octets, double expectedFalsePositiveRatio) {}
}

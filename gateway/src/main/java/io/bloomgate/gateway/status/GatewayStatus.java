package io.bloomgate.gateway.status;

import io.bloomgate.blocklists.BlocklistsStatus;
import io.bloomgate.blocklists.FeedHealth.FeedFigures;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.sessions.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of the gateway at one moment, which {@code status}, metrics, reports, the page and the
 * doctor show. Made by the composition root each time that one of them asks; reads files.
 * Immutable.
 *
 * @param at the moment
 * @param settings with the actions in force
 * @param listsLoaded false while feeds are set and no generation is live
 * @param unknownFeeds why nothing is known of the state of feeds, empty when it is known
 * @param feeds in the order of the settings
 * @param mailServers with the routes they are for
 * @param certificates in the order of the settings; empty when no listener offers TLS
 * @param troubles of the gateway itself, which the administrator has to see to
 * @param alarms all that the administrator has to see to, the troubles among it, a sentence each
 * @param sessions that are open
 * @param heldContentOctets of messages whose clients are still sending
 * @param campaigns mails of which many copies came; 0 while copies are not counted
 * @param fleet what is shared by way of Redis; {@code null} for a gateway alone
 */
public record GatewayStatus(
    Instant at,
    Settings settings,
    Mode mode,
    boolean draining,
    Health health,
    Reload reload,
    boolean listsLoaded,
    BlocklistsStatus lists,
    String unknownFeeds,
    List<FeedFigures> feeds,
    List<DnsListAnswers.State> dnsLists,
    List<MailRoutes.Placed> mailServers,
    List<Certificate> certificates,
    List<Trouble> troubles,
    List<String> alarms,
    int sessions,
    long heldContentOctets,
    State state,
    int campaigns,
    Counts counts,
    SharedLists.@Nullable Figures fleet) {

  /**
   * The part that {@code bloomgate health} shows.
   *
   * @param unready why no mail should be sent here; empty when it may come
   * @param late names of threads that the gateway needs and that ended or hang
   * @param mailServersUp whether each route has a server that can be used
   * @param badFeeds names of feeds that the administrator has to see to
   */
  public record Health(
      String unready, List<String> late, boolean mailServersUp, List<String> badFeeds) {}

  /**
   * The outcome of the last reload; the start counts as one that succeeded.
   *
   * @param failure why it changed nothing; empty when it succeeded
   * @param success when the settings were used last
   */
  public record Reload(String failure, Instant success) {}

  /**
   * A certificate that STARTTLS shows.
   *
   * @param problem why the newest content of its files is not in use; empty when it is
   * @param key its kind: ECDSA, RSA or EdDSA
   * @param file empty for one that was made here
   */
  public record Certificate(
      String name, Instant expires, boolean selfSigned, String problem, String key, String file) {}

  /**
   * The state directory.
   *
   * @param writable false while something of it cannot be kept
   * @param freeOctets that may still be written on its disk; empty before the first measurement
   * @param sessions that are kept
   */
  public record State(boolean writable, OptionalLong freeOctets, SessionStore.Kept sessions) {}

  /**
   * Counts since the start.
   *
   * @param entriesTested that the self-test asked the live lists for
   * @param entriesMissed of these, those that were not found
   * @param fleetSkipped commands of other nodes that could not be applied
   * @param fleetGaps how often Redis had lost something
   * @param fleetFaults how often a thread of the fleet failed and went on
   * @param together what the nodes of a fleet count together
   */
  public record Counts(
      long entriesTested,
      long entriesMissed,
      long fleetSkipped,
      long fleetGaps,
      long fleetFaults,
      SharedCounts.Figures together) {}

  /**
   * Something that is wrong with the gateway itself.
   *
   * @param severe when something does not work because of it
   * @param what is wrong, a clause
   * @param fix what to do, a clause; empty when {@code what} says that
   */
  public record Trouble(boolean severe, String what, String fix) {

    /** Both as one sentence. */
    public String sentence() {
      return fix.isEmpty() ? what : what + "; " + fix;
    }

    /** Says that threads ended or hang. */
    public static Trouble late(List<String> threads) {
      return new Trouble(
          true,
          "late: " + String.join(", ", threads),
          "the log says why; restart the gateway if it stays so");
    }
  }

  /** The feeds as {@code feeds list} has them. */
  public List<FeedStatus> feedStates() {
    return feeds.stream().map(FeedFigures::status).toList();
  }
}

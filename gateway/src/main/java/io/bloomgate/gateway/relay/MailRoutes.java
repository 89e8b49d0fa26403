package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Downstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All mail servers behind the gateway: the route of each recipient domain, and the state of each
 * server.
 *
 * <p>Built by the composition root, one for each version of the {@code downstream} settings.
 * Sessions ask on their threads; {@link #probe}, {@link #probeIfDown} and {@link #tick} are called
 * by housekeeping.
 */
public final class MailRoutes implements Upstream, AutoCloseable {

  /** The name in {@code status} of the route of all domains that have no separate one. */
  public static final String DEFAULT_ROUTE = "default";

  /** All connections in use for longer than this are an alarm. */
  private static final Duration FULL_TOO_LONG = Duration.ofSeconds(10);

  private final MailServerGroup others;
  private final Map<String, MailServerGroup> byDomain;
  private final Map<String, MailServerGroup> groups;
  private final Executor probes;
  private final ClientNames names;
  private final LongSupplier nanoTime;
  private volatile boolean waitsForProbe;

  /**
   * Nothing is connected yet.
   *
   * @param hostName what we call ourselves in EHLO
   * @param nanoTime a monotonic clock, nanoseconds
   * @param noFreeConnection called when all of {@code downstream.max_connections} were in use for
   *     the whole waiting time; must not block or throw
   * @param probes carries out probes, which block: in parallel, so that a server that hangs does
   *     not delay the probes of others
   * @param names looks clients' names up
   */
  public MailRoutes(
      Downstream settings,
      String hostName,
      LongSupplier nanoTime,
      Runnable noFreeConnection,
      ServerMemory memory,
      Executor probes,
      ClientNames names) {
    this.probes = probes;
    this.names = names;
    this.nanoTime = nanoTime;
    Function<Downstream, MailServer> maker =
        server -> new MailServer(server, hostName, nanoTime, noFreeConnection, memory);
    this.others = new MailServerGroup(settings, maker);
    Map<String, MailServerGroup> routes = new LinkedHashMap<>();
    settings
        .routes()
        .forEach((domain, route) -> routes.put(domain, new MailServerGroup(route, maker)));
    this.byDomain = Map.copyOf(routes);
    this.groups = new LinkedHashMap<>();
    groups.put(DEFAULT_ROUTE, others);
    groups.putAll(routes);
  }

  // ---- sessions

  /** The narrowest route: the domain itself, then {@code .parent} from below. */
  @Override
  public Upstream route(String domain) {
    if (byDomain.isEmpty()) {
      return others;
    }
    MailServerGroup exact = byDomain.get(domain);
    if (exact != null) {
      return exact;
    }
    // As in domains, a leading dot includes the name itself.
    String suffix = "." + domain;
    while (!suffix.isEmpty()) {
      MailServerGroup below = byDomain.get(suffix);
      if (below != null) {
        return below;
      }
      int dot = suffix.indexOf('.', 1);
      suffix = dot < 0 ? "" : suffix.substring(dot);
    }
    return others;
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    return others.open(client);
  }

  @Override
  public boolean isCrowded() {
    return anyServer(MailServer::isCrowded);
  }

  /** Returns what all routes offer: at EHLO the route of the mail is not known yet. */
  @Override
  public UpstreamExtensions lastExtensions() {
    return groups.values().stream()
        .filter(group -> group.offersKnown() && (group == others || group.worthTrying()))
        .map(MailServerGroup::lastExtensions)
        .reduce(UpstreamExtensions::and)
        .orElseGet(others::lastExtensions);
  }

  @Override
  public boolean awaitOffers(Duration atMost) {
    if (waitsForProbe) {
      waitsForProbe = !awaitAnswer(atMost); // for ever, once a server has answered
    }
    return !waitsForProbe;
  }

  /** Waits while no server has answered, and one of them was not probed yet. */
  private synchronized boolean awaitAnswer(Duration atMost) {
    long end = nanoTime.getAsLong() + atMost.toNanos();
    try {
      long left = atMost.toNanos();
      while (!anyServer(MailServer::offersKnown)
          && anyServer(server -> server.health().worthTrying())
          && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = end - nanoTime.getAsLong();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return anyServer(MailServer::offersKnown);
  }

  private boolean anyServer(Predicate<MailServer> like) {
    return groups.values().stream().anyMatch(group -> group.servers().stream().anyMatch(like));
  }

  private synchronized void probed() {
    notifyAll();
  }

  @Override
  public Supplier<ClientName> nameOf(IpAddress client) {
    boolean wanted = groups.values().stream().anyMatch(MailServerGroup::tellsNames);
    return wanted ? names.lookUp(client) : ClientNames.NOT_ASKED;
  }

  // ---- housekeeping

  /** Promises that {@link #probe} is called soon: sessions wait for it that need to know offers. */
  public MailRoutes toBeProbed() {
    waitsForProbe = true;
    return this;
  }

  /** Probes every server; to be called at start and every five minutes. */
  public void probe() {
    each(server ->
        probes.execute(() -> {
          server.probe();
          probed();
        }));
  }

  /**
   * Probes servers that are down, at growing intervals, so that the end of an outage is seen
   * without mail; and servers that refused a client.
   */
  public void probeIfDown() {
    each(server ->
        probes.execute(() -> {
          server.probeIfDue();
          probed();
        }));
  }

  /** Closes what is overdue; to be called about once a second. */
  public void tick() {
    each(MailServer::tick);
  }

  /**
   * These settings are no longer the current ones: connections end with the sessions they serve.
   */
  public void retire() {
    each(MailServer::retire);
  }

  /** True when no connection is left. */
  public boolean unused() {
    return groups.values().stream()
        .allMatch(group -> group.servers().stream().allMatch(MailServer::unused));
  }

  /** Closes every connection; sessions that use one end with 451. */
  @Override
  public void close() {
    each(MailServer::close);
  }

  // ---- state

  /** True when each route has a server that can be used. */
  public boolean isUp() {
    return groups.values().stream().allMatch(MailServerGroup::isUp);
  }

  /** The servers with the routes they are for, in the order of the settings. */
  public List<Placed> states() {
    List<Placed> states = new ArrayList<>();
    groups.forEach((route, group) ->
        group
            .servers()
            .forEach(server -> states.add(new Placed(route, server.name(), server.state()))));
    return states;
  }

  /** Returns what an operator must know now, a sentence each, printable. */
  public List<String> alarms() {
    List<Placed> servers = states();
    List<String> alarms = new ArrayList<>();
    for (Placed placed : servers) {
      ServerState state = placed.state();
      String which = "downstream" + (servers.size() == 1 ? "" : " (" + placed.server() + ")");
      if (!state.up()) {
        alarms.add(which + " is down: " + state.problem());
      }
      if (!state.ipv6Problem().isEmpty()) {
        alarms.add(
            which
                + " serves no senders with IPv6 addresses, who get 451: "
                + state.ipv6Problem()
                + "; `bloomgate doctor --identity` says what to do");
      }
      if (state.anonymous()) {
        alarms.add(
            which
                + " does not learn the addresses of clients: it sees the gateway as the client of"
                + " all mail, and may relay for anyone if it trusts the gateway;"
                + " `bloomgate doctor --identity` says what to do");
      }
      if (state.fullFor().compareTo(FULL_TOO_LONG) > 0) {
        alarms.add(
            "all connections to %s have been in use for %d s and clients wait for one: after 10 s"
                    .formatted(which, state.fullFor().toSeconds())
                + " they get 451 4.3.2; see downstream.max_connections");
      }
    }
    return alarms;
  }

  /**
   * The state of a mail server, for {@code status}. Immutable.
   *
   * @param up false when the last attempt to use it failed
   * @param problem why it is down, printable; empty when it is up or was never tried
   * @param identity how it learns the client's address: {@code xclient}, {@code proxy-v1}, {@code
   *     proxy-v2}, {@code xforward} or {@code none}
   * @param identityLost true when the server no longer takes the client's address by {@code
   *     xclient} or {@code xforward}, so that it gets no mail
   * @param anonymous true when {@code client_address: auto} found no way: the server, which is up,
   *     sees the gateway as the client of all mail
   * @param connections in use now
   * @param maxConnections that may be in use
   * @param idleConnections kept for further messages
   * @param fullFor for how long all of {@code downstream.max_connections} have been in use while
   *     clients had to wait for one; zero when that is not so
   * @param ipv6Problem why clients with IPv6 addresses are not served, printable; empty when they
   *     are, or none came
   */
  public record ServerState(
      boolean up,
      String problem,
      String identity,
      boolean identityLost,
      boolean anonymous,
      int connections,
      int maxConnections,
      int idleConnections,
      Duration fullFor,
      String ipv6Problem) {}

  /**
   * A server and its state.
   *
   * @param route the domain, or {@link #DEFAULT_ROUTE}
   * @param server host and port
   */
  public record Placed(String route, String server, ServerState state) {}

  /** Each server alone: for checks that no backup server may answer. */
  public List<Server> servers() {
    List<Server> servers = new ArrayList<>();
    groups.forEach((route, group) ->
        group.servers().forEach(upstream -> servers.add(new Server(route, upstream))));
    return servers;
  }

  /**
   * One server and the mail that it is for.
   *
   * @param route the domain, or {@link #DEFAULT_ROUTE}
   */
  public record Server(String route, MailServer upstream) {}

  private void each(Consumer<MailServer> work) {
    groups.values().forEach(group -> group.servers().forEach(work));
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Downstream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that share the mail of one route: the first, and backups that are used while the ones
 * before are down. Made by {@link MailRoutes}; asked by sessions on any thread.
 *
 * <p>A server is skipped from its first failure until a probe or a session finds it well; when no
 * server is left, each is tried again. The server of a connection is chosen before MAIL, so a
 * message is offered to one server.
 */
final class MailServerGroup implements Upstream {

  private static final Logger LOG = LoggerFactory.getLogger(MailServerGroup.class);

  private final List<MailServer> servers;
  private final boolean answersEach;
  private final Duration connectTimeout;

  /** Makes its servers; nothing is connected yet. */
  MailServerGroup(Downstream settings, Function<Downstream, MailServer> maker) {
    List<MailServer> all = new ArrayList<>();
    all.add(maker.apply(settings));
    settings.backups().forEach(backup -> all.add(maker.apply(settings.at(backup))));
    this.servers = List.copyOf(all);
    this.connectTimeout = settings.connectTimeout();
    this.answersEach = settings.protocol() == Downstream.Protocol.LMTP;
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    if (tellsNames()) {
      // Before it takes a permit, which another session could use during the wait.
      ReverseName _ = client.name().await();
    }
    // The servers that are well are chosen now: one that fails below is not tried a second time.
    Map<Boolean, List<MailServer>> well =
        servers.stream().collect(Collectors.partitioningBy(MailServer::worthTrying));
    List<MailServer> down = well.getOrDefault(false, List.of());
    @Nullable UpstreamException newest = null;
    for (MailServer server : well.getOrDefault(true, List.of())) {
      try {
        return server.open(client);
      } catch (UpstreamException e) {
        if (server.worthTrying()) {
          // It is full, or refuses this client; it is not down.
          throw e;
        }
        newest = e;
      }
    }
    if (newest != null && down.isEmpty()) {
      throw newest;
    }
    return openAny(down, client);
  }

  /** Asks the server that would be tried first. */
  @Override
  public boolean hasRoom(IpAddress client) {
    return servers.stream()
        .filter(MailServer::worthTrying)
        .findFirst()
        .map(server -> server.hasRoom(client))
        .orElse(true);
  }

  @Override
  public boolean isCrowded() {
    for (MailServer server : servers) {
      if (server.isCrowded()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tries servers that are down, when no other is left: the outage may have ended since the last
   * probe. Servers that answer and serve no client come last.
   */
  private UpstreamSession openAny(List<MailServer> down, ClientIdentity client)
      throws UpstreamException {
    List<MailServer> all =
        down.stream().sorted(Comparator.comparing(MailServer::servesNobody)).toList();
    // Together they get the connect time of one, because the client waits for all of them; a silent
    // server gets little time while another can be tried.
    Duration share = connectTimeout.dividedBy(all.size());
    for (MailServer server : all.subList(0, all.size() - 1)) {
      try {
        return server.open(client, share, connectTimeout);
      } catch (UpstreamException e) {
        LOG.debug("{} is still down: {}", server.name(), e.getMessage());
      }
    }
    return all.getLast().open(client, share, ChronoUnit.FOREVER.getDuration());
  }

  /**
   * Returns what all servers offer that are not known to be down: one of them gets the next mail.
   */
  @Override
  public UpstreamExtensions lastExtensions() {
    return servers.stream()
        .filter(server -> server.offersKnown() && server.worthTrying())
        .map(MailServer::lastExtensions)
        .reduce(UpstreamExtensions::and)
        .or(() -> known().findFirst().map(MailServer::lastExtensions))
        .orElse(UpstreamExtensions.NONE);
  }

  private Stream<MailServer> known() {
    return servers.stream().filter(MailServer::offersKnown);
  }

  /** True when it is known of one of the servers what it offers. */
  boolean offersKnown() {
    return known().findAny().isPresent();
  }

  /** False from the first failure of all servers until one is found well again. */
  boolean worthTrying() {
    return servers.stream().anyMatch(MailServer::worthTrying);
  }

  @Override
  public boolean answersEach() {
    return answersEach;
  }

  /** True when one of them learns names of clients, or may learn them. */
  boolean tellsNames() {
    return servers.stream().anyMatch(MailServer::tellsNames);
  }

  /** Returns the servers in the order in which they are tried. */
  List<MailServer> servers() {
    return servers;
  }

  /** True when mail can be delivered. */
  boolean isUp() {
    return servers.stream().anyMatch(MailServer::isUp);
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Downstream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that share the mail of one route: the first, and backups that are used while the ones
 * before are down. Made by {@link MailRoutes}; asked by sessions on any thread.
 *
 * <p>A server is skipped from its first failure until a probe or a session finds it well; when no
 * server is left, each is tried again, until one is silent. The server of a connection is chosen
 * before MAIL, so a message is offered to one server.
 */
final class MailServerGroup implements Upstream {

  private final List<MailServer> servers;
  private final boolean answersEach;

  /** Makes its servers; nothing is connected yet. */
  MailServerGroup(Downstream settings, Function<Downstream, MailServer> maker) {
    List<MailServer> all = new ArrayList<>();
    all.add(maker.apply(settings));
    settings.backups().forEach(backup -> all.add(maker.apply(settings.at(backup))));
    this.servers = List.copyOf(all);
    this.answersEach = settings.protocol() == Downstream.Protocol.LMTP;
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    if (tellsNames()) {
      // Before it takes a permit, which another session could use during the wait.
      ClientName _ = client.name().get();
    }
    // The order is that of now: one that fails below is not tried a second time.
    List<MailServer> inOrder =
        servers.stream().sorted(Comparator.comparingInt(MailServerGroup::turn)).toList();
    @Nullable UpstreamException newest = null;
    for (MailServer server : inOrder) {
      if (newest != null && newest.isSilent() && !server.health().worthTrying()) {
        break; // a probe finds it well; a client does not wait for time limits one after the other
      }
      try {
        return server.open(client);
      } catch (UpstreamException e) {
        if (server.health().worthTrying()) {
          // It is full, or refuses this client; it is not down.
          throw e;
        }
        newest = e;
      }
    }
    throw Objects.requireNonNull(newest, "a group has a server");
  }

  /**
   * Puts servers that are down behind all others, and of these last who answers and serves nobody.
   */
  private static int turn(MailServer server) {
    if (server.health().worthTrying()) {
      return 0;
    }
    return server.health().servesNobody() ? 2 : 1;
  }

  /** Asks the server that would be tried first. */
  @Override
  public boolean hasRoom(IpAddress client) {
    return servers.stream()
        .filter(server -> server.health().worthTrying())
        .findFirst()
        .map(server -> server.hasRoom(client))
        .orElse(true);
  }

  @Override
  public boolean isCrowded() {
    return servers.stream().anyMatch(MailServer::isCrowded);
  }

  /**
   * Returns what all servers offer that are not known to be down: one of them gets the next mail.
   */
  @Override
  public UpstreamExtensions lastExtensions() {
    return servers.stream()
        .filter(server -> server.offersKnown() && server.health().worthTrying())
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
    return servers.stream().anyMatch(server -> server.health().worthTrying());
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
    return servers.stream().anyMatch(server -> server.health().isUp());
  }
}

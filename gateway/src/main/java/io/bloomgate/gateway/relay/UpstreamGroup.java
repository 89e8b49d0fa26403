package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The servers that share the mail of one route: the first, and those that stand in while the ones
 * before are down. Made by {@link Upstreams}; asked by sessions on any thread.
 *
 * <p>A server is passed over from its first failure until a probe or a session finds it well. Which
 * server a connection goes to is settled before MAIL is said there, so a message is offered to one.
 */
final class UpstreamGroup implements Upstream {

  private final List<SmtpUpstream> servers;
  private final boolean oneRecipient;

  /** Makes its servers; nothing is connected yet. */
  UpstreamGroup(Downstream settings, Function<Downstream, SmtpUpstream> maker) {
    List<SmtpUpstream> all = new ArrayList<>();
    all.add(maker.apply(settings));
    settings.backups().forEach(backup -> all.add(maker.apply(settings.at(backup))));
    this.servers = List.copyOf(all);
    // RFC 2033 section 4.2: a reply for each recipient, which one client cannot be told.
    this.oneRecipient = settings.protocol() == Downstream.Protocol.LMTP;
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    List<SmtpUpstream> candidates = servers.stream().filter(SmtpUpstream::worthTrying).toList();
    if (candidates.isEmpty()) {
      return servers.getFirst().open(client);
    }
    for (SmtpUpstream server : candidates.subList(0, candidates.size() - 1)) {
      try {
        return server.open(client);
      } catch (UpstreamException e) {
        if (server.worthTrying()) {
          // It is full, or will not have this client; it is not down.
          throw e;
        }
      }
    }
    return candidates.getLast().open(client);
  }

  /** What all that are up offer, as each of them may get the next message. */
  @Override
  public UpstreamExtensions lastExtensions() {
    return servers.stream()
        .filter(SmtpUpstream::isUp)
        .map(SmtpUpstream::lastExtensions)
        .reduce(UpstreamExtensions::and)
        .orElseGet(() -> servers.getFirst().lastExtensions());
  }

  @Override
  public boolean oneRecipient() {
    return oneRecipient;
  }

  @Override
  public Duration idleLimit() {
    return servers.getFirst().idleLimit();
  }

  @Override
  public boolean awaited() {
    for (SmtpUpstream server : servers) {
      if (server.awaited()) {
        return true;
      }
    }
    return false;
  }

  /** In the order in which they are tried. */
  List<SmtpUpstream> servers() {
    return servers;
  }

  /** True when mail can be delivered. */
  boolean isUp() {
    return servers.stream().anyMatch(SmtpUpstream::isUp);
  }
}

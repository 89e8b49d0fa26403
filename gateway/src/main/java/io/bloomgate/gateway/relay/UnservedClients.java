package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Clients in a row that a server did not serve although it answers: it refuses them once they are
 * named, or gives up on them later. One of them says nothing of others, whom the server may like
 * better; {@link #MAX_CLIENTS} of different networks, and none served in between, tell that it
 * serves nobody. Used by {@link MailServerHealth} on session and probing threads; thread-safe.
 */
final class UnservedClients {

  /** Client networks in a row that make a server count as down. */
  static final int MAX_CLIENTS = 5;

  private final Set<IpAddress> networks = HashSet.newHashSet(MAX_CLIENTS);
  private Reach farthest = Reach.OPENING;
  // Read for each message, which has nothing to clear as long as all is well.
  private volatile boolean any;

  /** How far a client came, in this order. */
  enum Reach {
    /** Until the server knows the client. */
    OPENING,
    /** Until it has taken MAIL. */
    ENVELOPE,
    /** Until its word on the message. */
    MESSAGE
  }

  /**
   * A client was not served.
   *
   * @param at where it ended
   */
  synchronized void add(IpAddress client, Reach at) {
    if (networks.size() < MAX_CLIENTS) {
      networks.add(ClientNetwork.of(client));
    }
    if (at.compareTo(farthest) > 0) {
      farthest = at;
    }
    any = true;
  }

  /** A client came so far. One that comes less far than others did proves nothing for them. */
  void served(Reach upTo) {
    if (any) {
      clear(upTo);
    }
  }

  private synchronized void clear(Reach upTo) {
    if (upTo.compareTo(farthest) >= 0) {
      networks.clear();
      farthest = Reach.OPENING;
      any = false;
    }
  }

  /** True when some client was not served since one was. */
  boolean any() {
    return any;
  }

  /** True when there are so many that it can hardly be the clients. */
  synchronized boolean tooMany() {
    return networks.size() >= MAX_CLIENTS;
  }

  /** The farthest that any of them came. */
  synchronized Reach farthest() {
    return farthest;
  }
}

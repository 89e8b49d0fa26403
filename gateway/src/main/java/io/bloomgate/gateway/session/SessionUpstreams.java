package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's connections to the mail servers: one for most messages, more where the recipients of
 * a message have different servers or must be answered apart. The first is kept from message to
 * message. Used by one session's thread, all but {@link #reclaim}.
 */
final class SessionUpstreams implements WaitListener {

  private final Supplier<SessionUpstream> maker;
  private final List<SessionUpstream> connections = new CopyOnWriteArrayList<>();
  private int inUse;

  /** Without a connection. */
  SessionUpstreams(Supplier<SessionUpstream> maker) {
    this.maker = maker;
  }

  /** One that the transaction in hand does not use yet. */
  SessionUpstream next() {
    if (inUse == connections.size()) {
      SessionUpstream connection = maker.get();
      connection.beside(new Others(connection));
      connections.add(connection);
    }
    return connections.get(inUse++);
  }

  /**
   * What one of them does may wait for a connection; the others may be taken back meanwhile, so
   * that no two sessions wait for each other.
   */
  private final class Others implements WaitListener {
    private final SessionUpstream one;

    Others(SessionUpstream one) {
      this.one = one;
    }

    @Override
    public void waitBegins() {
      connections.stream().filter(other -> other != one).forEach(SessionUpstream::waitBegins);
    }

    @Override
    public void waitEnds() {
      connections.stream().filter(other -> other != one).forEach(SessionUpstream::waitEnds);
    }
  }

  /** The client will not go on with what it began, if it began anything. */
  void transactionOver() {
    inUse = 0;
    for (int i = connections.size() - 1; i > 0; i--) {
      connections.remove(i).discard();
    }
    connections.forEach(SessionUpstream::transactionOver);
  }

  /** Drops every connection; inside content this is before the final dot. */
  void discard() {
    connections.forEach(SessionUpstream::discard);
  }

  // ---- while the client, or another upstream, keeps us waiting

  @Override
  public void waitBegins() {
    connections.forEach(SessionUpstream::waitBegins);
  }

  @Override
  public void waitEnds() {
    connections.forEach(SessionUpstream::waitEnds);
  }

  /** Since when nothing was said on the one that was left alone longest. */
  @Nullable Long unusedSince() {
    Long longest = null;
    for (SessionUpstream connection : connections) {
      Long since = connection.unusedSince();
      if (since != null && (longest == null || since - longest < 0)) {
        longest = since;
      }
    }
    return longest;
  }

  /** As {@link SessionUpstream#reclaim}, one at a time. */
  @Nullable UpstreamSession reclaim(int given) {
    for (SessionUpstream connection : connections) {
      UpstreamSession unused = connection.reclaim(given);
      if (unused != null) {
        return unused;
      }
    }
    return null;
  }
}

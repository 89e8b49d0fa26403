package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's connections to mail servers: one for most messages, more where the recipients of a
 * message have different servers or must be answered apart. The first is kept from message to
 * message. Used by one session's thread, {@link #unusedSince}, {@link #awaitedInContent} and {@link
 * #reclaim} by housekeeping.
 */
final class SessionUpstreams implements WaitListener {

  private final Upstream upstream;
  private final LongSupplier nanoTime;
  private final List<KeptConnection> connections = new CopyOnWriteArrayList<>();
  private int inUse;

  /** Starts without a connection. */
  SessionUpstreams(Upstream upstream, LongSupplier nanoTime) {
    this.upstream = upstream;
    this.nanoTime = nanoTime;
  }

  /** One that the current transaction does not use yet. */
  KeptConnection next() {
    if (inUse == connections.size()) {
      connections.add(new KeptConnection(upstream, nanoTime));
    }
    return connections.get(inUse++);
  }

  /** The client has given up its transaction, if there is one. */
  void transactionOver() {
    inUse = 0;
    for (int i = connections.size() - 1; i > 0; i--) {
      connections.remove(i).close();
    }
    connections.forEach(KeptConnection::transactionOver);
  }

  /** Drops every connection; inside content this is before the final dot. */
  void discard() {
    connections.forEach(KeptConnection::close);
  }

  /** Parks every connection while the client is waited for. */
  @Override
  public void waitBegins() {
    connections.forEach(KeptConnection::waitBegins);
  }

  @Override
  public void waitEnds() {
    connections.forEach(KeptConnection::waitEnds);
  }

  /** Returns since when the one that was unused longest is; {@code null} when none is parked. */
  @Nullable Long unusedSince() {
    Long longest = null;
    for (KeptConnection one : connections) {
      Long since = one.unusedSince();
      if (since != null && (longest == null || since - longest < 0)) {
        longest = since;
      }
    }
    return longest;
  }

  /** Returns {@link KeptConnection#clientNanos} of the one whose client took longest. */
  long clientNanos() {
    return connections.stream().mapToLong(KeptConnection::clientNanos).max().orElse(0);
  }

  /** Returns the largest {@link KeptConnection#awaitedInContent} of all. */
  int awaitedInContent() {
    return connections.stream().mapToInt(KeptConnection::awaitedInContent).max().orElse(0);
  }

  /** Reclaims by {@link KeptConnection#reclaim}, one at a time. */
  @Nullable UpstreamSession reclaim(int given) {
    for (KeptConnection one : connections) {
      UpstreamSession unused = one.reclaim(given);
      if (unused != null) {
        return unused;
      }
    }
    return null;
  }
}

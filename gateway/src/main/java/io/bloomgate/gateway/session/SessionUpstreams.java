package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's transactions at mail servers, each with its connection: one for most messages, more
 * where the recipients of a message have different servers or must be answered apart. The first is
 * kept from message to message. Used by one session's thread, {@link #unusedSince} and {@link
 * #reclaim} by housekeeping.
 */
final class SessionUpstreams implements WaitListener {

  private final Supplier<SessionUpstream> maker;
  private final List<SessionUpstream> upstreams = new CopyOnWriteArrayList<>();
  private int inUse;

  /** Without a connection. */
  SessionUpstreams(Supplier<SessionUpstream> maker) {
    this.maker = maker;
  }

  /** One that the current transaction does not use yet. */
  SessionUpstream next() {
    if (inUse == upstreams.size()) {
      SessionUpstream fresh = maker.get();
      fresh.connection().beside(new Others(fresh));
      upstreams.add(fresh);
    }
    return upstreams.get(inUse++);
  }

  /**
   * While one of them waits for a connection, others may take those of the rest, so that no two
   * sessions wait for each other.
   */
  private final class Others implements WaitListener {
    private final SessionUpstream one;

    Others(SessionUpstream one) {
      this.one = one;
    }

    @Override
    public void waitBegins() {
      upstreams.stream().filter(other -> other != one).forEach(o -> o.connection().waitBegins());
    }

    @Override
    public void waitEnds() {
      upstreams.stream().filter(other -> other != one).forEach(o -> o.connection().waitEnds());
    }
  }

  /** The client has given up its transaction, if there is one. */
  void transactionOver() {
    inUse = 0;
    for (int i = upstreams.size() - 1; i > 0; i--) {
      upstreams.remove(i).discard();
    }
    upstreams.forEach(SessionUpstream::transactionOver);
  }

  /** Drops every connection; inside content this is before the final dot. */
  void discard() {
    upstreams.forEach(SessionUpstream::discard);
  }

  /** Parks every connection while the client is waited for. */
  @Override
  public void waitBegins() {
    upstreams.forEach(upstream -> upstream.connection().waitBegins());
  }

  @Override
  public void waitEnds() {
    upstreams.forEach(upstream -> upstream.connection().waitEnds());
  }

  /** Since when the one that was unused longest is; {@code null} when none is parked. */
  @Nullable Long unusedSince() {
    Long longest = null;
    for (SessionUpstream upstream : upstreams) {
      Long since = upstream.connection().unusedSince();
      if (since != null && (longest == null || since - longest < 0)) {
        longest = since;
      }
    }
    return longest;
  }

  /** As {@link KeptConnection#reclaim}, one at a time. */
  @Nullable UpstreamSession reclaim(int given) {
    for (SessionUpstream upstream : upstreams) {
      UpstreamSession unused = upstream.connection().reclaim(given);
      if (unused != null) {
        return unused;
      }
    }
    return null;
  }
}

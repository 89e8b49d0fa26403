package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's transactions at mail servers, each with its connection: one for most messages, more
 * where the recipients of a message have different servers or must be answered apart. The first is
 * kept from message to message. Used by one session's thread, {@link #unusedSince}, {@link
 * #awaitedInContent} and {@link #reclaim} by housekeeping.
 */
final class SessionUpstreams implements WaitListener {

  private final Upstream upstream;
  private final LongSupplier nanoTime;
  private final WarningPace warnings;
  private final List<SessionUpstream> upstreams = new CopyOnWriteArrayList<>();
  private int inUse;

  /**
   * Starts without a connection.
   *
   * @param warnings of messages that the mail server failed
   */
  SessionUpstreams(Upstream upstream, LongSupplier nanoTime, WarningPace warnings) {
    this.upstream = upstream;
    this.nanoTime = nanoTime;
    this.warnings = warnings;
  }

  /** One that the current transaction does not use yet. */
  SessionUpstream next() {
    if (inUse == upstreams.size()) {
      upstreams.add(new SessionUpstream(upstream, nanoTime, warnings));
    }
    return upstreams.get(inUse++);
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

  /** Returns since when the one that was unused longest is; {@code null} when none is parked. */
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

  /** Returns {@link KeptConnection#clientNanos} of the one whose client took longest. */
  long clientNanos() {
    return upstreams.stream().mapToLong(one -> one.connection().clientNanos()).max().orElse(0);
  }

  /** Returns the largest {@link KeptConnection#awaitedInContent} of all. */
  int awaitedInContent() {
    return upstreams.stream().mapToInt(one -> one.connection().awaitedInContent()).max().orElse(0);
  }

  /** Reclaims by {@link KeptConnection#reclaim}, one at a time. */
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

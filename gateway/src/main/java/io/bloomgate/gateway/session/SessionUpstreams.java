package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.wire.WaitListener;
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
  private final List<SessionUpstream> links = new CopyOnWriteArrayList<>();
  private int inUse;

  /** Without a connection. */
  SessionUpstreams(Supplier<SessionUpstream> maker) {
    this.maker = maker;
  }

  /** One that the transaction in hand does not use yet. */
  SessionUpstream next() {
    if (inUse == links.size()) {
      SessionUpstream link = maker.get();
      link.beside(new Others(link));
      links.add(link);
    }
    return links.get(inUse++);
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
      links.stream().filter(other -> other != one).forEach(SessionUpstream::waitBegins);
    }

    @Override
    public void waitEnds() {
      links.stream().filter(other -> other != one).forEach(SessionUpstream::waitEnds);
    }
  }

  /** The client will not go on with what it began, if it began anything. */
  void transactionOver() {
    inUse = 0;
    for (int i = links.size() - 1; i > 0; i--) {
      links.remove(i).discard();
    }
    links.forEach(SessionUpstream::transactionOver);
  }

  /** Drops every connection; inside content this is before the final dot. */
  void discard() {
    links.forEach(SessionUpstream::discard);
  }

  // ---- while the client, or another upstream, keeps us waiting

  @Override
  public void waitBegins() {
    links.forEach(SessionUpstream::waitBegins);
  }

  @Override
  public void waitEnds() {
    links.forEach(SessionUpstream::waitEnds);
  }

  /** Since when nothing was said on the one that was left alone longest. */
  @Nullable Long unusedSince() {
    Long longest = null;
    for (SessionUpstream link : links) {
      Long since = link.unusedSince();
      if (since != null && (longest == null || since - longest < 0)) {
        longest = since;
      }
    }
    return longest;
  }

  /** As {@link SessionUpstream#reclaim}, one at a time. */
  @Nullable UpstreamSession reclaim(int given) {
    for (SessionUpstream link : links) {
      UpstreamSession unused = link.reclaim(given);
      if (unused != null) {
        return unused;
      }
    }
    return null;
  }
}

package io.bloomgate.gateway.relay;

import java.util.List;

/**
 * A greeted connection that is ready for MAIL, with what is remembered of it from one client to the
 * next. Made by {@link UpstreamConnector}; belongs to one {@link UpstreamDialog} or to {@link
 * IdleConnections}, never to both, so one thread at a time sees it.
 */
final class ReadyConnection {

  private final UpstreamClient client;
  private final long openedNanos;
  private UpstreamExtensions extensions;
  private List<String> xforward;
  private boolean namedByXclient;
  private int transactions;

  /**
   * Just greeted, and nobody's.
   *
   * @param openedNanos monotonic time of its making
   */
  ReadyConnection(UpstreamClient client, long openedNanos) {
    this.client = client;
    this.openedNanos = openedNanos;
    this.extensions = UpstreamExtensions.NONE;
    this.xforward = List.of();
  }

  UpstreamClient client() {
    return client;
  }

  UpstreamExtensions extensions() {
    return extensions;
  }

  List<String> xforward() {
    return xforward;
  }

  long openedNanos() {
    return openedNanos;
  }

  /**
   * It speaks for this client now.
   *
   * @param offered what the server offers to it
   * @param xclient true when the server took XCLIENT
   * @param xforwardOfClient commands to say before each MAIL
   */
  void speaksFor(UpstreamExtensions offered, boolean xclient, List<String> xforwardOfClient) {
    extensions = offered;
    namedByXclient |= xclient;
    xforward = List.copyOf(xforwardOfClient);
  }

  /** True when XCLIENT was said on it: only another XCLIENT makes it anyone else's. */
  boolean namedByXclient() {
    return namedByXclient;
  }

  /** MAIL is about to be said. */
  void beginTransaction() {
    transactions++;
  }

  /** True when the server wants no further MAIL on it (RFC 9422 section 4). */
  boolean exhausted() {
    return transactions >= extensions.mailMax();
  }

  /** How often MAIL was said on it, for whomever. */
  int transactions() {
    return transactions;
  }
}

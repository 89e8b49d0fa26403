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
   * Just greeted, without a client.
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
   * It carries the identity of this client from now on.
   *
   * @param offered what the server offers to it
   * @param xclient true when the server took XCLIENT
   * @param xforwardOfClient commands to send before each MAIL
   */
  void speaksFor(UpstreamExtensions offered, boolean xclient, List<String> xforwardOfClient) {
    extensions = offered;
    namedByXclient |= xclient;
    xforward = List.copyOf(xforwardOfClient);
  }

  /** True when XCLIENT was sent on it: only another XCLIENT gives it to another client. */
  boolean namedByXclient() {
    return namedByXclient;
  }

  /** MAIL is about to be sent. */
  void beginTransaction() {
    transactions++;
  }

  /** True when the server wants no further MAIL on it (RFC 9422 section 4). */
  boolean exhausted() {
    return transactions >= extensions.mailMax();
  }

  /** How often MAIL was sent on it, for all clients. */
  int transactions() {
    return transactions;
  }
}

package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.relay.UpstreamReplies.Step;
import java.io.IOException;
import java.time.Duration;
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

  /**
   * MAIL alone, to see whether the server accepts mail at all; any answer about the mail itself is
   * a success. Leaves a transaction that QUIT or RSET must end.
   *
   * @param timeout for the answer
   */
  void probe(Duration timeout) throws UpstreamException {
    try {
      UpstreamReplies.forClient(Step.MAIL, client.command(timeout, "MAIL FROM:<>"));
    } catch (IOException e) {
      throw UpstreamException.of(e, "MAIL");
    }
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

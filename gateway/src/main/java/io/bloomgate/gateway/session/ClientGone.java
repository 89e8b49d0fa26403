package io.bloomgate.gateway.session;

import java.io.IOException;

/** The client closed or lost its connection; there is nobody left to answer. */
final class ClientGone extends IOException {
  private static final long serialVersionUID = 1L;

  ClientGone(String message) {
    super(message);
  }
}

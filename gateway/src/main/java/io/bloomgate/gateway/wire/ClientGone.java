package io.bloomgate.gateway.wire;

import java.io.IOException;

/**
 * The client closed or lost its connection; there is nobody left to answer. Ends sessions every
 * day, and says nothing that its message does not, so it carries no stack.
 */
public final class ClientGone extends IOException {
  private static final long serialVersionUID = 1L;

  public ClientGone(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

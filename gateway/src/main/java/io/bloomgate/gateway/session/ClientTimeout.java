package io.bloomgate.gateway.session;

import io.bloomgate.gateway.observe.Limit;
import java.io.IOException;

/**
 * The client let a deadline pass, or never comes to the point; it hears 421 and the session ends.
 */
final class ClientTimeout extends IOException {
  private static final long serialVersionUID = 1L;

  private final Limit limit;

  ClientTimeout(Limit limit) {
    super(limit.key());
    this.limit = limit;
  }

  /** Which limit it was. */
  Limit limit() {
    return limit;
  }
}

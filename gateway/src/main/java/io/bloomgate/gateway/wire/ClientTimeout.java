package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;
import java.io.IOException;

/**
 * The client let a deadline pass, or never comes to the point; it hears 421 and the session ends.
 */
public final class ClientTimeout extends IOException {
  private static final long serialVersionUID = 1L;

  private final Limit limit;

  ClientTimeout(Limit limit) {
    super(limit.key());
    this.limit = limit;
  }

  /** Which limit it was. */
  public Limit limit() {
    return limit;
  }
}

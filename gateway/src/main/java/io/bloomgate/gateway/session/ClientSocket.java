package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.Socket;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection, whose input keeps a deadline also below TLS. Made by {@link
 * SubethaListener}; read by one session's thread.
 */
class ClientSocket extends Socket {

  private final LongSupplier nanoTime;
  private @Nullable TimedInput input;

  /** Not connected yet. */
  ClientSocket(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public TimedInput getInputStream() throws IOException {
    TimedInput only = input;
    if (only == null) {
      only = new TimedInput(this, super.getInputStream(), nanoTime);
      input = only;
    }
    return only;
  }
}

package io.bloomgate.gateway.wire;

import java.io.InputStream;
import java.io.OutputStream;

/** An unconnected socket that reads from a stream of the test, on a clock that stands still. */
final class FedSocket extends WatchedSocket {

  private final InputStream raw;

  FedSocket(InputStream raw) {
    super(() -> 0, new Watchdog(() -> 0));
    this.raw = raw;
  }

  @Override
  protected InputStream rawInput() {
    return raw;
  }

  @Override
  protected OutputStream rawOutput() {
    return OutputStream.nullOutputStream();
  }

  /** Nothing waits here, and the clock of this test stands still. */
  @Override
  public void setSoTimeout(int millis) {}
}

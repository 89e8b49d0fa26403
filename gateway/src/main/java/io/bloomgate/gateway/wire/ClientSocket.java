package io.bloomgate.gateway.wire;

import java.io.IOException;
import java.net.Socket;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection, whose input keeps a deadline also below TLS. Made by {@link
 * SubethaListener}; read by one session's thread, seen by the watchdog.
 */
public class ClientSocket extends Socket {

  private final LongSupplier nanoTime;
  private final Watch watch;
  private volatile @Nullable TimedInput input;

  /**
   * Not connected yet.
   *
   * @param watch of whoever calls {@link #endWaitIfOverdue}
   */
  public ClientSocket(LongSupplier nanoTime, Watch watch) {
    this.nanoTime = nanoTime;
    this.watch = watch;
  }

  @Override
  public TimedInput getInputStream() throws IOException {
    TimedInput only = input;
    if (only == null) {
      only = new TimedInput(this, super.getInputStream(), nanoTime, watch);
      input = only;
    }
    return only;
  }

  /**
   * Ends a wait for the client that has no timeout and is overdue, by the watchdog's thread.
   *
   * @param now of the monotonic clock
   * @return true when it did
   */
  public boolean endWaitIfOverdue(long now) throws IOException {
    TimedInput waiting = input;
    return waiting != null && waiting.endWaitIfOverdue(now);
  }
}

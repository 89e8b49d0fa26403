package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.relay.UpstreamConnector;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which every step has a total time, not only a time per read: a peer that sends an
 * octet now and then cannot hold a session for ever.
 *
 * <p>Made by {@link UpstreamConnector}, used by one session's thread through {@link
 * UpstreamClient}. Short reads keep the deadline by themselves. Writes cannot, because java.net
 * writes have no timeout, and for long reads a {@link Watch} is cheaper: {@link #closeIfOverdue} is
 * called from the housekeeping thread and closes the socket under them.
 */
public final class DeadlineSocket extends Socket {

  private final LongSupplier nanoTime;
  private final Watch watch;
  private volatile long deadlineNanos;
  private volatile boolean watched;
  private volatile boolean closedAsOverdue;
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  /**
   * @param nanoTime a monotonic clock, nanoseconds
   * @param watch of whoever calls {@link #closeIfOverdue}
   */
  public DeadlineSocket(LongSupplier nanoTime, Watch watch) {
    this.nanoTime = nanoTime;
    this.watch = watch;
    this.deadlineNanos = nanoTime.getAsLong();
  }

  /** Starts a step: all reads and writes from here on must end within {@code limit}. */
  public void begin(Duration limit) {
    deadlineNanos = nanoTime.getAsLong() + limit.toNanos();
  }

  /** Closes the socket under a wait that has no timeout and is overdue; any thread. */
  public void closeIfOverdue() {
    if (watched && nanoTime.getAsLong() - deadlineNanos > 0) {
      closedAsOverdue = true;
      closeQuietly();
    }
  }

  /** True when octets can be read at once, below TLS. */
  public boolean octetsPending() throws IOException {
    return getInputStream().available() > 0;
  }

  /** True when a connection was ever made, also after closing. */
  public boolean wasConnected() {
    return input != null;
  }

  /** Closes without a word and without an exception. */
  public void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      // Nothing is left to be saved on a connection that is given up.
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream stream = input;
    if (stream == null) {
      stream = new DeadlineInput(super.getInputStream());
      input = stream;
    }
    return stream;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    OutputStream stream = output;
    if (stream == null) {
      stream = new DeadlineOutput(super.getOutputStream());
      output = stream;
    }
    return stream;
  }

  private long remainingNanos(long now) throws SocketTimeoutException {
    long nanos = deadlineNanos - now;
    if (nanos <= 0) {
      throw new SocketTimeoutException("deadline of the step passed");
    }
    return nanos;
  }

  /** A read or a write. */
  private interface Transfer {
    int run() throws IOException;
  }

  /** Runs it under the watch. */
  private int underWatch(Transfer transfer) throws IOException {
    watched = true;
    try {
      return transfer.run();
    } catch (IOException e) {
      if (closedAsOverdue) {
        SocketTimeoutException timeout = new SocketTimeoutException("the step took too long");
        timeout.initCause(e);
        throw timeout;
      }
      throw e;
    } finally {
      watched = false;
    }
  }

  private final class DeadlineInput extends FilterInputStream {
    DeadlineInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] octets, int offset, int length) throws IOException {
      long now = nanoTime.getAsLong();
      long left = remainingNanos(now);
      if (watch.covers(now, left)) {
        setSoTimeout(0);
        return underWatch(() -> in.read(octets, offset, length));
      }
      // 0 would mean to wait for ever.
      setSoTimeout((int) Math.clamp(left / 1_000_000L, 1L, Integer.MAX_VALUE));
      return in.read(octets, offset, length);
    }
  }

  private final class DeadlineOutput extends FilterOutputStream {
    DeadlineOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      remainingNanos(nanoTime.getAsLong());
      underWatch(() -> {
        out.write(octets, offset, length);
        return length;
      });
    }
  }
}

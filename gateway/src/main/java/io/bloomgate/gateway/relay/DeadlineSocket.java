package io.bloomgate.gateway.relay;

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
 * <p>Made by {@link SmtpUpstream}, used by one session's thread through {@link UpstreamClient}.
 * Reads keep the deadline by themselves. Writes cannot, because java.net writes have no timeout:
 * {@link #closeIfOverdue} is called from the housekeeping thread and closes the socket under them.
 */
final class DeadlineSocket extends Socket {

  private final LongSupplier nanoTime;
  private volatile long deadlineNanos;
  private volatile boolean writing;
  private volatile boolean closedAsOverdue;
  private @Nullable InputStream input;
  private @Nullable OutputStream output;

  /**
   * @param nanoTime a monotonic clock, nanoseconds
   */
  DeadlineSocket(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.deadlineNanos = nanoTime.getAsLong();
  }

  /** Starts a step: all reads and writes from here on must end within {@code limit}. */
  void begin(Duration limit) {
    deadlineNanos = nanoTime.getAsLong() + limit.toNanos();
  }

  /** Closes the socket when a write is still under way after its deadline; any thread. */
  void closeIfOverdue() {
    if (writing && nanoTime.getAsLong() - deadlineNanos > 0) {
      closedAsOverdue = true;
      closeQuietly();
    }
  }

  /** True when octets can be read at once, below TLS. */
  boolean octetsPending() throws IOException {
    return getInputStream().available() > 0;
  }

  /** True when a connection was ever made, also after closing. */
  boolean wasConnected() {
    return input != null;
  }

  /** Closes without a word and without an exception. */
  void closeQuietly() {
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

  private long remainingMillis() throws SocketTimeoutException {
    long nanos = deadlineNanos - nanoTime.getAsLong();
    if (nanos <= 0) {
      throw new SocketTimeoutException("deadline of the step passed");
    }
    // 0 would mean to wait for ever.
    return Math.clamp(nanos / 1_000_000L, 1L, Integer.MAX_VALUE);
  }

  private final class DeadlineInput extends FilterInputStream {
    DeadlineInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      setSoTimeout((int) remainingMillis());
      return super.read();
    }

    @Override
    public int read(byte[] octets, int offset, int length) throws IOException {
      setSoTimeout((int) remainingMillis());
      return super.read(octets, offset, length);
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
      remainingMillis();
      writing = true;
      try {
        out.write(octets, offset, length);
      } catch (IOException e) {
        if (closedAsOverdue) {
          SocketTimeoutException timeout = new SocketTimeoutException("write took too long");
          timeout.initCause(e);
          throw timeout;
        }
        throw e;
      } finally {
        writing = false;
      }
    }
  }
}

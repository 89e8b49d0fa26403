package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which every wait has an end: its user sets a deadline, and reads and writes from then
 * on must end by it. The deadline holds below TLS. There one read may take many of these, and with
 * a timeout for each a peer could hold a session for ever with an octet now and then.
 *
 * <pre>
 *   overdue   ended by                             what follows
 *   read      its timeout, or the watchdog, which  SocketTimeoutException; a last reply can still
 *             shuts the input down                 be written
 *   write     the watchdog: writes of java.net     SocketTimeoutException; the socket is closed
 *             have no timeout
 * </pre>
 *
 * <p>What came in time is read even after the deadline: the session may have been busy elsewhere.
 * Connections to clients and to mail servers are both of this class. Used by one session's thread;
 * {@link #endIfOverdue} and {@link #closeQuietly} by any.
 */
public class WatchedSocket extends Socket {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private enum Wait {
    NONE,
    READ,
    WRITE
  }

  private final LongSupplier nanoTime;
  private final Watchdog watchdog;
  private @Nullable Input input;
  private @Nullable Output output;
  private long end;
  private boolean goesOn;

  /** Guards the five below, which the watchdog reads and writes. */
  private final Object waitLock = new Object();

  private Wait wait = Wait.NONE;
  private long waitBegan;
  private long waitEnd;
  private boolean inputEnded;
  private @Nullable Limit endedFor;

  private volatile boolean closedAsOverdue;

  /**
   * Makes a socket that is not connected yet.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   * @param watchdog of the thread that calls {@link #endIfOverdue}
   */
  public WatchedSocket(LongSupplier nanoTime, Watchdog watchdog) {
    this.nanoTime = nanoTime;
    this.watchdog = watchdog;
    this.end = nanoTime.getAsLong();
  }

  // ---- the session's thread

  /** Sets the deadline: reads and writes from here on end within {@code limit}. */
  public void begin(Duration limit) {
    until(nanoTime.getAsLong() + limit.toNanos());
  }

  /** Sets the deadline, a point of the monotonic clock. After it no further input can be read. */
  public void until(long nanos) {
    end = nanos;
    goesOn = false;
  }

  /** Sets a deadline after which the input can still be read. */
  void pauseUntil(long nanos) {
    end = nanos;
    goesOn = true;
  }

  /** Puts octets that were read already before those that come. */
  public void unread(byte[] octets) throws IOException {
    Input in = getInputStream();
    ByteBuffer behind = in.unread;
    in.unread =
        ByteBuffer.allocate(octets.length + behind.remaining()).put(octets).put(behind).flip();
  }

  /** True when octets can be read at once, below TLS. */
  public boolean octetsPending() throws IOException {
    return getInputStream().available() > 0;
  }

  @Override
  public Input getInputStream() throws IOException {
    Input stream = input;
    if (stream == null) {
      stream = new Input(rawInput());
      input = stream;
    }
    return stream;
  }

  @Override
  public Output getOutputStream() throws IOException {
    Output stream = output;
    if (stream == null) {
      stream = new Output(rawOutput());
      output = stream;
    }
    return stream;
  }

  /** The octets of the network; tests override it. */
  protected InputStream rawInput() throws IOException {
    return super.getInputStream();
  }

  /** The octets to the network; tests override it. */
  protected OutputStream rawOutput() throws IOException {
    return super.getOutputStream();
  }

  // ---- any thread

  /**
   * Ends a wait that is overdue and has no timeout. Called by the watchdog.
   *
   * @param now of the monotonic clock
   * @return true when there was one
   */
  public boolean endIfOverdue(long now) {
    return endIfOverdue(now, Long.MAX_VALUE);
  }

  /**
   * The same for a peer that has less time than its deadline says.
   *
   * @param patienceNanos how long a wait may last
   * @return true when there was one
   */
  public boolean endIfOverdue(long now, long patienceNanos) {
    synchronized (waitLock) {
      boolean overdue = wait != Wait.NONE && (now - waitEnd > 0 || now - waitBegan > patienceNanos);
      if (overdue) {
        endWait(wait);
        wait = Wait.NONE;
      }
      return overdue;
    }
  }

  /**
   * The time since when it waits for what the peer sends, by the monotonic clock; {@code null} when
   * it does not, or ends that wait by a timeout within seconds.
   */
  public @Nullable Long silentSince() {
    synchronized (waitLock) {
      return wait == Wait.READ ? waitBegan : null;
    }
  }

  /**
   * Ends a wait for the peer as if it were overdue.
   *
   * @param because the limit that {@link #endedFor} names then
   * @return false when it did not wait
   */
  public boolean endSilence(Limit because) {
    synchronized (waitLock) {
      boolean silent = wait == Wait.READ;
      if (silent) {
        endedFor = because;
        endWait(Wait.READ);
        wait = Wait.NONE;
      }
      return silent;
    }
  }

  /** The limit for which another thread has ended the input, or else this one. */
  Limit endedFor(Limit deadline) {
    synchronized (waitLock) {
      return endedFor == null ? deadline : endedFor;
    }
  }

  private void endWait(Wait overdue) {
    if (overdue == Wait.READ) {
      inputEnded = true;
      try {
        shutdownInput();
      } catch (IOException e) {
        closeQuietly();
      }
    } else {
      closedAsOverdue = true;
      closeQuietly();
    }
  }

  /** True when the watchdog has closed it, because the peer did not take what was written. */
  public boolean closedAsOverdue() {
    return closedAsOverdue;
  }

  /** Closes without an exception. */
  public void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      // Nothing can be saved on a connection that is given up.
    }
  }

  // ---- inside

  private void waitBegins(Wait kind, long now) {
    synchronized (waitLock) {
      waitBegan = now;
      waitEnd = end;
      wait = kind;
    }
  }

  private void waitEnds() {
    synchronized (waitLock) {
      wait = Wait.NONE;
    }
  }

  private static SocketTimeoutException nothingCame() {
    return new SocketTimeoutException("nothing came in time");
  }

  /** The stream from the network, read by the deadline. */
  public final class Input extends InputStream {

    private final InputStream raw;
    private ByteBuffer unread = NOTHING;
    private boolean late;
    private int cameInTime;

    private Input(InputStream raw) {
      this.raw = raw;
    }

    /**
     * Reads what there is, waiting for the first octet.
     *
     * @throws SocketTimeoutException when none came in time
     */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (unread.hasRemaining()) {
        int octets = Math.min(length, unread.remaining());
        unread.get(into, offset, octets);
        unread = unread.hasRemaining() ? unread : NOTHING; // a session may be idle for long
        return octets;
      }
      long now = nanoTime.getAsLong();
      long left = end - now;
      if (left <= 0) {
        return readWhatCameInTime(into, offset, length);
      }
      late = false;
      if (!goesOn && watchdog.covers(now, left)) {
        return readWatched(into, offset, length, now);
      }
      // 0 would mean to wait for ever.
      long millis = (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
      setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
      return inTime(raw.read(into, offset, length));
    }

    private int readWatched(byte[] into, int offset, int length, long now) throws IOException {
      setSoTimeout(0);
      waitBegins(Wait.READ, now);
      int octets;
      try {
        octets = raw.read(into, offset, length);
      } finally {
        waitEnds();
      }
      return inTime(octets);
    }

    /** An end that the watchdog has made by shutting the input down is a timeout. */
    private int inTime(int octets) throws SocketTimeoutException {
      if (octets < 0) {
        synchronized (waitLock) {
          if (inputEnded) {
            throw nothingCame();
          }
        }
      }
      return octets;
    }

    /** No more than the kernel held at the first look after the deadline, even if more comes. */
    private int readWhatCameInTime(byte[] into, int offset, int length) throws IOException {
      if (!late) {
        late = true;
        cameInTime = raw.available();
      }
      int octets = Math.min(length, cameInTime);
      if (octets <= 0) {
        throw nothingCame();
      }
      octets = raw.read(into, offset, octets);
      cameInTime -= octets;
      return octets;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int available() throws IOException {
      return unread.remaining() + raw.available();
    }

    @Override
    public void close() throws IOException {
      raw.close();
    }
  }

  /** The stream to the network, under the eyes of the watchdog. */
  public final class Output extends OutputStream {

    private final OutputStream raw;

    private Output(OutputStream raw) {
      this.raw = raw;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    /**
     * Writes all of it.
     *
     * @throws SocketTimeoutException when the peer did not take it in time
     */
    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      waitBegins(Wait.WRITE, nanoTime.getAsLong());
      try {
        raw.write(octets, offset, length);
      } catch (IOException e) {
        if (closedAsOverdue) {
          SocketTimeoutException timeout = new SocketTimeoutException("the write took too long");
          timeout.initCause(e);
          throw timeout;
        }
        throw e;
      } finally {
        waitEnds();
      }
    }

    @Override
    public void close() throws IOException {
      raw.close();
    }
  }
}

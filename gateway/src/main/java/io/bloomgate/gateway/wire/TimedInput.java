package io.bloomgate.gateway.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a connection as they come from the network, with a point in time at which waiting
 * for them is over. It stands below TLS: there one read may take many of these, so that a timeout
 * for each would let a client keep a session for ever with an octet now and then.
 *
 * <p>What the client had sent in time is read even when nobody looked before the end: the session
 * may have been busy with the upstream. Used by one session's thread; the watchdog ends the waits
 * that it covers.
 */
public final class TimedInput extends InputStream {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final byte[] NOTHING = {};

  private final Socket socket;
  private final InputStream raw;
  private final LongSupplier nanoTime;
  private final Watch watch;
  private byte[] unread = NOTHING;
  private int position;
  private long end;
  private boolean goesOn;
  private boolean late;
  private int cameInTime;
  private @Nullable TlsRecords records;

  /** Guards the three below, which the watchdog sees. */
  private final Object waitLock = new Object();

  private boolean waiting;
  private long waitEnd;
  private boolean endedByWatch;

  /**
   * Of one connection; {@link #until} comes before the first read.
   *
   * @param socket whose read timeout is set before each wait
   * @param raw its input
   * @param watch of whoever calls {@link #endWaitIfOverdue}
   */
  public TimedInput(Socket socket, InputStream raw, LongSupplier nanoTime, Watch watch) {
    this.socket = socket;
    this.raw = raw;
    this.nanoTime = nanoTime;
    this.watch = watch;
  }

  /**
   * From this point of the monotonic clock on, a read that finds nothing fails, and the connection
   * is of no use for reading any more.
   */
  public void until(long nanos) {
    end = nanos;
    goesOn = false;
  }

  /** The same for a silence behind which reading goes on. */
  void pauseUntil(long nanos) {
    end = nanos;
    goesOn = true;
  }

  /** Octets that were read already come first. */
  public void unread(byte[] octets) {
    unread = octets;
    position = 0;
  }

  /** From here on what comes are TLS records, at the beginning of one. */
  public void counts(TlsRecords into) {
    records = into;
  }

  /**
   * Reads what there is, waiting for the first octet.
   *
   * @throws SocketTimeoutException when none came in time
   * @throws TlsRecords.TooManyException when too many TLS records brought nothing
   */
  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int octets = readOnce(into, offset, length);
    TlsRecords counted = records;
    if (counted != null && octets > 0) {
      counted.came(into, offset, octets);
    }
    return octets;
  }

  private int readOnce(byte[] into, int offset, int length) throws IOException {
    if (position < unread.length) {
      int octets = Math.min(length, unread.length - position);
      System.arraycopy(unread, position, into, offset, octets);
      position += octets;
      return octets;
    }
    long now = nanoTime.getAsLong();
    long left = end - now;
    if (left <= 0) {
      return readWhatCameInTime(into, offset, length);
    }
    late = false;
    if (!goesOn && watch.covers(now, left)) {
      return readWatched(into, offset, length);
    }
    long millis = (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    return inTime(raw.read(into, offset, length));
  }

  private int readWatched(byte[] into, int offset, int length) throws IOException {
    socket.setSoTimeout(0);
    synchronized (waitLock) {
      waitEnd = end;
      waiting = true;
    }
    int octets;
    try {
      octets = raw.read(into, offset, length);
    } finally {
      synchronized (waitLock) {
        waiting = false;
      }
    }
    return inTime(octets);
  }

  /** Where the watch has shut the input down, its end is none that the client has made. */
  private int inTime(int octets) throws SocketTimeoutException {
    if (octets < 0) {
      synchronized (waitLock) {
        if (endedByWatch) {
          throw new SocketTimeoutException("nothing came in time");
        }
      }
    }
    return octets;
  }

  /**
   * Ends a wait that has no timeout and is overdue, by the watchdog's thread. What is sent can
   * still be taken by the client.
   *
   * @param now of the monotonic clock
   * @return true when it did
   */
  boolean endWaitIfOverdue(long now) throws IOException {
    synchronized (waitLock) {
      boolean overdue = waiting && now - waitEnd > 0;
      if (overdue) {
        waiting = false;
        endedByWatch = true;
        socket.shutdownInput();
      }
      return overdue;
    }
  }

  /** No more than the kernel held at the first look behind the end, however fast more comes. */
  private int readWhatCameInTime(byte[] into, int offset, int length) throws IOException {
    if (!late) {
      late = true;
      cameInTime = raw.available();
    }
    int octets = Math.min(length, cameInTime);
    if (octets <= 0) {
      throw new SocketTimeoutException("nothing came in time");
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
    return unread.length - position + raw.available();
  }

  @Override
  public void close() throws IOException {
    raw.close();
  }
}

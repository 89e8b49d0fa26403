package io.bloomgate.blocklists.content;

import java.io.InputStream;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Hands the octets of a large mail from the thread that has them to the one that reads them, piece
 * by piece without a copy: the first waits until the second has read the piece and asks for more,
 * so that only one of them runs. Made by {@link MailReader}.
 */
final class Feed extends InputStream {

  private static final byte[] NONE = {};

  /** A permit when there is a piece to read, or nothing follows. */
  private final Semaphore given = new Semaphore(0);

  /** A permit when the piece was read, or the reading has ended. */
  private final Semaphore taken = new Semaphore(0);

  // Only the thread that runs uses these; the semaphores make them visible to the other.
  private byte[] piece = NONE;
  private int at;
  private int to;
  private boolean ended;
  private boolean finished;
  private @Nullable Throwable failure;

  /** Gives octets, and returns when they are read. */
  void put(byte[] octets, int offset, int length) {
    piece = octets;
    at = offset;
    to = offset + length;
    handOver();
    piece = NONE;
  }

  /** Nothing follows; returns when the reading has ended. */
  void end() {
    ended = true;
    at = to;
    handOver();
  }

  private void handOver() {
    if (!finished) {
      given.release();
      taken.acquireUninterruptibly();
    }
    Throwable failed = failure;
    if (failed instanceof Error error) {
      throw error;
    }
    if (failed != null) {
      throw new IllegalStateException("reading a mail", failed);
    }
  }

  /** Runs the reading, on its thread. */
  void run(Runnable reading) {
    given.acquireUninterruptibly();
    try {
      reading.run();
    } catch (Throwable bug) { // the session waits, whatever it was
      failure = bug;
    }
    finished = true;
    taken.release();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    while (at == to && !ended) {
      taken.release();
      given.acquireUninterruptibly();
    }
    if (at == to) {
      return -1;
    }
    int read = Math.min(length, to - at);
    System.arraycopy(piece, at, into, offset, read);
    at += read;
    return read;
  }
}

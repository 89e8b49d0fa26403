package io.bloomgate.blocklists.content;

import java.io.InputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands the octets of a large mail from the thread that has them to the one that reads them, piece
 * by piece without a copy: the first waits until the second has read the piece and asks for more,
 * so that only one of them runs. Made by {@link MailReader}.
 */
final class Feed extends InputStream {

  private static final byte[] NONE = {};

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private byte[] piece = NONE;
  private int at;
  private int to;
  private boolean asks;
  private boolean ended;
  private boolean finished;
  private @Nullable Throwable failure;

  /** Gives octets, and returns when they are read. */
  void put(byte[] octets, int offset, int length) {
    lock.lock();
    try {
      piece = octets;
      at = offset;
      to = offset + length;
      asks = false;
      changed.signalAll();
      await(false);
      piece = NONE;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing follows; returns when the reading has ended. */
  void end() {
    lock.lock();
    try {
      ended = true;
      at = to;
      changed.signalAll();
      await(true);
    } finally {
      lock.unlock();
    }
  }

  private void await(boolean end) {
    while (!finished && (end || !asks)) {
      changed.awaitUninterruptibly();
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
    Throwable failed = null;
    try {
      reading.run();
    } catch (Throwable bug) { // the session waits, whatever it was
      failed = bug;
    }
    lock.lock();
    try {
      failure = failed;
      finished = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    lock.lock();
    try {
      while (at == to && !ended) {
        asks = true;
        changed.signalAll();
        changed.awaitUninterruptibly();
      }
      if (at == to) {
        return -1;
      }
      int read = Math.min(length, to - at);
      System.arraycopy(piece, at, into, offset, read);
      at += read;
      return read;
    } finally {
      lock.unlock();
    }
  }
}

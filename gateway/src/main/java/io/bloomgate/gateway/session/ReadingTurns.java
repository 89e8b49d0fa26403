package io.bloomgate.gateway.session;

import java.util.concurrent.Semaphore;

/**
 * Whose large message is read now. A virtual thread that never waits keeps its processor, so a few
 * messages whose octets come faster than they are read would keep everybody else waiting until
 * their end: one processor is left to all other work. Shared by all sessions, thread-safe; part of
 * {@link ContentReading}, used by {@link ContentStage}.
 */
public final class ReadingTurns {

  /** Octets of a message that are read without a turn: most messages have no more. */
  static final long FREE_OCTETS = 64 * 1024;

  /** First come, first served: nobody who waits is passed over. */
  private final Semaphore free;

  /**
   * Nobody reads.
   *
   * @param processors of the machine; a single one cannot be left to others
   */
  ReadingTurns(int processors) {
    free = new Semaphore(Math.max(1, processors - 1), true);
  }

  /** Those of this machine. */
  public static ReadingTurns ofMachine() {
    return new ReadingTurns(Runtime.getRuntime().availableProcessors());
  }

  /** Reads a piece when its turn comes. */
  void read(Runnable piece) {
    free.acquireUninterruptibly();
    try {
      piece.run();
    } finally {
      free.release();
    }
  }
}

package io.bloomgate.gateway.session;

/**
 * Lets other sessions run while a large message is read. A virtual thread that never waits keeps
 * its processor: a few messages whose octets come faster than they are read would keep everybody
 * else waiting until their end. Used by {@link ContentStage} on its session's thread.
 */
final class ProcessorTurn {

  /** Octets in one turn: a few milliseconds at most. */
  private static final int MOST = 64 * 1024;

  private int octets;

  /** So many octets more are going to be read. */
  void took(int more) {
    octets += more;
    if (octets >= MOST) {
      octets = 0;
      Thread.yield();
    }
  }
}

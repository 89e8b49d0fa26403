package io.bloomgate.gateway.relay;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Blocks of content that messages have given back. The next message finds them in the processor's
 * caches, and nobody has to zero them: for messages of 64 KiB a new block costs more than all that
 * is done with its octets. Used by {@link OutgoingContent} on session threads; thread-safe.
 */
final class SpareBlocks {

  /** Above it blocks are left to the garbage collector. */
  private static final int MAX_BLOCKS = 16;

  private final int octets;
  private final Deque<byte[]> blocks = new ArrayDeque<>();

  /** Without any; each will have this size. */
  SpareBlocks(int octets) {
    this.octets = octets;
  }

  /** A block in which the octets of another message may stand: only what is put there counts. */
  byte[] take() {
    synchronized (blocks) {
      byte[] newest = blocks.pollLast();
      if (newest != null) {
        return newest;
      }
    }
    return new byte[octets];
  }

  /** Keeps a block that nobody uses any more, if it is of this size and wanted. */
  void give(byte[] block) {
    if (block.length != octets) {
      return;
    }
    synchronized (blocks) {
      if (blocks.size() < MAX_BLOCKS) {
        blocks.addLast(block);
      }
    }
  }
}

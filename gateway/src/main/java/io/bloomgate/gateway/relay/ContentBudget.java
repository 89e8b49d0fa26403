package io.bloomgate.gateway.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the content and the recipients of all messages may take while their clients are
 * still sending them. One a gateway, shared by its sessions; thread-safe.
 *
 * <p>When it is exhausted, messages are streamed that would have been held; the bound is soft by
 * one block a session, so that no octets that were read are lost.
 */
public final class ContentBudget {

  /** The part of the whole below which there is plenty. */
  private static final int PLENTY = 4;

  private final long maxOctets;
  private final AtomicLong taken = new AtomicLong();
  private final SpareBlocks spare = new SpareBlocks(OutgoingContent.BLOCK_OCTETS);

  /** Nothing is taken. */
  public ContentBudget(long maxOctets) {
    this.maxOctets = maxOctets;
  }

  /** Takes them in any case; {@link #exhausted} shows whether that was too much. */
  public void take(long octets) {
    taken.addAndGet(octets);
  }

  /** Gives them back. */
  public void give(long octets) {
    taken.addAndGet(-octets);
  }

  /** True when nothing is left. */
  public boolean exhausted() {
    return taken.get() >= maxOctets;
  }

  /** True while so much is free that blocks need not be small. */
  boolean plenty() {
    return taken.get() < maxOctets / PLENTY;
  }

  SpareBlocks spare() {
    return spare;
  }

  /** Octets that are taken now. */
  public long takenOctets() {
    return taken.get();
  }

  /**
   * Blocks of content that messages have given back. The next message finds them in the processor's
   * caches, and they need not be zeroed: for messages of 64 KiB a new block costs more than all
   * work on its octets. Used by {@link OutgoingContent} on session threads; thread-safe.
   */
  static final class SpareBlocks {

    /** Further blocks are left to the garbage collector. */
    private static final int MAX_BLOCKS = 16;

    private final int octets;
    private final Deque<byte[]> blocks = new ArrayDeque<>();

    /** Without any; each will have this size. */
    SpareBlocks(int octets) {
      this.octets = octets;
    }

    /** A block that may still hold octets of another message: only what is put there counts. */
    byte[] take() {
      synchronized (blocks) {
        byte[] newest = blocks.pollLast();
        if (newest != null) {
          return newest;
        }
      }
      return new byte[octets];
    }

    /** Keeps a block that is no longer used, if it has this size and there is room. */
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
}

package io.bloomgate.gateway.relay;

import com.google.common.util.concurrent.AtomicLongMap;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that the content and the recipients of all messages take while their clients
 * are still sending them. One a gateway, shared by its sessions, each of which takes from it as a
 * client; thread-safe.
 *
 * <p>When it is exhausted, messages are streamed that would have been held; the bound is soft by
 * one block a session, so that no octets that were read are lost. For one network of clients it is
 * exhausted at a quarter, as for {@link ConnectionPermits}: slow messages of one network leave the
 * others their room.
 */
public final class ContentBudget {

  /** The part of the whole below which there is plenty. */
  private static final int PLENTY = 4;

  /** Further blocks that nobody uses are left to the garbage collector. */
  private static final int MAX_SPARE_BLOCKS = 16;

  private static final int MAX_SPARE_FIRST_BLOCKS = 64;

  /** The part that all clients share. */
  private static final class Pool {
    private final long maxOctets;
    private final long maxShare;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLongMap<IpAddress> shares = AtomicLongMap.create();

    /** Blocks that messages have given back; under its own monitor. */
    private final Deque<byte[]> spareBlocks = new ArrayDeque<>();

    /** The same for the smaller blocks with which messages begin. */
    private final Deque<byte[]> spareFirstBlocks = new ArrayDeque<>();

    Pool(long maxOctets) {
      this.maxOctets = maxOctets;
      this.maxShare = ClientNetwork.share(maxOctets);
    }
  }

  private final Pool pool;

  /** The network whose share counts; {@code null} for none. */
  private final @Nullable IpAddress network;

  /** Octets that were taken by way of this object. */
  private final AtomicLong held = new AtomicLong();

  /** Nothing is taken; without a client, only the whole is bounded. */
  public ContentBudget(long maxOctets) {
    this(new Pool(maxOctets), null);
  }

  private ContentBudget(Pool pool, @Nullable IpAddress network) {
    this.pool = pool;
    this.network = network;
  }

  /** The same memory as a client sees it, whose network has a share. */
  public ContentBudget of(IpAddress client) {
    return new ContentBudget(pool, ClientNetwork.of(client));
  }

  /** The network that has the share; {@code null} for none. */
  public @Nullable IpAddress network() {
    return network;
  }

  /** Octets that this client has taken now. */
  public long heldOctets() {
    return held.get();
  }

  /** Takes them in any case; {@link #exhausted} shows whether that was too much. */
  public void take(long octets) {
    if (octets == 0) {
      return;
    }
    held.addAndGet(octets);
    pool.taken.addAndGet(octets);
    if (network != null && pool.shares.addAndGet(network, octets) == 0) {
      pool.shares.removeIfZero(network);
    }
  }

  /** Gives them back. */
  public void give(long octets) {
    take(-octets);
  }

  /** True when nothing is left for this client. */
  public boolean exhausted() {
    return isUsedUp() || (network != null && pool.shares.get(network) >= pool.maxShare);
  }

  /** True when nothing is left for anybody. */
  public boolean isUsedUp() {
    return pool.taken.get() >= pool.maxOctets;
  }

  /** True while so much is free that blocks need not be small. */
  boolean plenty() {
    return pool.taken.get() < pool.maxOctets / PLENTY;
  }

  /** Octets that are taken now. */
  public long takenOctets() {
    return pool.taken.get();
  }

  // ---- blocks

  /**
   * Returns a block of {@link OutgoingContent#BLOCK_OCTETS}, one that another message has given
   * back if there is one: it is in the processor's caches and need not be zeroed, and for messages
   * of 64 KiB a new block costs more than all work on its octets. It may still hold octets of the
   * other message: only what is put there counts.
   */
  byte[] takeBlock() {
    return take(pool.spareBlocks, OutgoingContent.BLOCK_OCTETS);
  }

  /** The same of {@link OutgoingContent#FIRST_OCTETS}; also the room into which content is read. */
  public byte[] takeFirstBlock() {
    return take(pool.spareFirstBlocks, OutgoingContent.FIRST_OCTETS);
  }

  private static byte[] take(Deque<byte[]> spare, int octets) {
    synchronized (spare) {
      byte[] newest = spare.pollLast();
      if (newest != null) {
        return newest;
      }
    }
    return new byte[octets];
  }

  /** Keeps a block that is no longer used, if it is one of these and there is room. */
  public void giveBlock(byte[] block) {
    if (block.length == OutgoingContent.BLOCK_OCTETS) {
      keep(block, pool.spareBlocks, MAX_SPARE_BLOCKS);
    } else if (block.length == OutgoingContent.FIRST_OCTETS) {
      keep(block, pool.spareFirstBlocks, MAX_SPARE_FIRST_BLOCKS);
    }
  }

  private static void keep(byte[] block, Deque<byte[]> spare, int most) {
    synchronized (spare) {
      if (spare.size() < most) {
        spare.addLast(block);
      }
    }
  }
}

package io.bloomgate.gateway.relay;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the content of all messages may take while their clients are still sending it.
 * One a gateway, shared by its sessions; thread-safe.
 *
 * <p>It is asked before memory is taken that a client could make us keep for long. Who is turned
 * away goes on with less, or streams; the bound is soft by one block a session, so that nothing
 * that was read has to be thrown away.
 */
public final class ContentBudget {

  private final long maxOctets;
  private final AtomicLong taken = new AtomicLong();

  /** Nothing is taken. */
  public ContentBudget(long maxOctets) {
    this.maxOctets = maxOctets;
  }

  /** Takes so many octets if that many are left. */
  public boolean tryTake(long octets) {
    if (taken.addAndGet(octets) <= maxOctets) {
      return true;
    }
    taken.addAndGet(-octets);
    return false;
  }

  /** Takes them in any case; {@link #exhausted} tells whether that was too much. */
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

  /** Octets that are taken now. */
  public long takenOctets() {
    return taken.get();
  }
}

package io.bloomgate.blocklists.generation;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The generation that is asked now: one reference, replaced whole. Read by sessions on any thread;
 * replaced by the feed-refresher and by the verification of a generation that was found damaged.
 */
public final class LiveSnapshot {

  private final AtomicReference<ListSnapshot> current = new AtomicReference<>(ListSnapshot.EMPTY);

  /** The live generation; {@link ListSnapshot#EMPTY} until the first one is published. */
  public ListSnapshot current() {
    return Objects.requireNonNull(current.get());
  }

  /** Makes a generation live. */
  public void publish(ListSnapshot snapshot) {
    current.set(snapshot);
  }

  /** Replaces a generation unless another one went live in the meantime; true when it did. */
  public boolean replace(ListSnapshot expected, ListSnapshot next) {
    return current.compareAndSet(expected, next);
  }
}

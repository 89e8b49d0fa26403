package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.generation.ListSnapshot;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lists that were live at MAIL, kept so that all recipients of a transaction are judged by the
 * same lists. They are replaced by the live ones when two newer generations came, or after {@link
 * #LONGEST}: otherwise a client that begins a transaction with each generation, and waits, would
 * keep the memory of all of them. Asked on the session's thread; housekeeping calls {@link
 * #expire}. Thread-safe.
 */
final class GenerationPin {

  /** The longest time for which lists are kept that are no longer live. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final Supplier<ListSnapshot> live;
  private final LongSupplier nanoTime;
  private final long sinceNanos;
  private volatile @Nullable ListSnapshot kept;

  /** The generation that followed the kept one; 0 while there is none. */
  private volatile long next;

  /** Keeps the live ones. */
  GenerationPin(Supplier<ListSnapshot> live, LongSupplier nanoTime) {
    this.live = live;
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
    this.kept = live.get();
  }

  /** Returns the snapshot of MAIL, or the live one when that was given up. */
  ListSnapshot snapshot() {
    expire();
    ListSnapshot own = kept;
    return own == null ? live.get() : own;
  }

  /** Gives them up when it is time; to be called about once a second. */
  void expire() {
    ListSnapshot own = kept;
    if (own == null) {
      return;
    }
    long now = live.get().generation();
    if (now == own.generation()) {
      return;
    }
    boolean old = nanoTime.getAsLong() - sinceNanos >= LONGEST.toNanos();
    if (old || (next != 0 && next != now)) {
      kept = null;
    } else {
      next = now;
    }
  }
}

package io.bloomgate.gateway.dns;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions that were asked lately, with their answers for their time to live, so that each is
 * asked once. Bounded. Used by {@link DnsListAnswers} and {@link CachedNames} on any thread;
 * thread-safe.
 *
 * @param <Q> a question
 * @param <A> an answer
 */
final class KeptAnswers<Q, A> {

  private final LongSupplier nanoTime;

  /** Guarded by itself; in the order in which questions were asked. */
  private final Map<Q, Asked<A>> known;

  /**
   * Nothing was asked yet.
   *
   * @param max questions that are kept; the oldest go
   * @param nanoTime a monotonic clock, nanoseconds
   */
  KeptAnswers(int max, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.known =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Q, Asked<A>> eldest) {
            return size() > max;
          }
        };
  }

  /** Forgets these questions. */
  void forget(Predicate<Q> gone) {
    synchronized (known) {
      known.keySet().removeIf(gone);
    }
  }

  /**
   * A question that was asked already and whose answer still counts, or a new one.
   *
   * @param place takes a place for a new question and returns what asks it; {@code null} for none
   * @return {@code null} when there is no place
   */
  @Nullable Asked<A> ask(Q question, Supplier<? extends @Nullable Consumer<Asked<A>>> place) {
    Asked<A> fresh = new Asked<>(nanoTime);
    Consumer<Asked<A>> send;
    synchronized (known) {
      Asked<A> old = known.get(question);
      if (old != null && old.counts()) {
        return old;
      }
      send = place.get();
      if (send == null) {
        return null;
      }
      known.remove(question);
      known.put(question, fresh);
    }
    send.accept(fresh);
    return fresh;
  }

  /** A question that was asked: without an answer, then with one, then out of date. */
  static final class Asked<A> {
    private final LongSupplier nanoTime;
    private final long beganNanos;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private volatile long endNanos;

    Asked(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.beganNanos = nanoTime.getAsLong();
      this.endNanos = beganNanos;
    }

    private boolean counts() {
      return !answer.isDone() || endNanos - nanoTime.getAsLong() > 0;
    }

    /**
     * Answers it.
     *
     * @param keep the time for which the answer counts
     */
    void complete(A given, Duration keep) {
      endNanos = nanoTime.getAsLong() + keep.toNanos();
      answer.complete(given);
    }

    /** The rest of a time that began with the question. */
    Duration left(Duration time) {
      return Duration.ofNanos(Math.max(0, beganNanos + time.toNanos() - nanoTime.getAsLong()));
    }

    /**
     * The answer; waits for it.
     *
     * @param time how long, counted from the question
     * @param silent the answer when none comes in this time
     */
    A await(Duration time, A silent) {
      try {
        return answer.get(left(time).toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        return silent;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return silent;
      }
    }
  }
}

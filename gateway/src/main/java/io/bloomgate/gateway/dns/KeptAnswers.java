package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions to DNS lists that were asked lately, with their answers for their time to live, so that
 * each is asked once. Bounded. Used by {@link DnsListAnswers} on any thread; thread-safe.
 */
final class KeptAnswers {

  /** About 10 MB when it is full; the oldest go. */
  static final int MAX_ANSWERS = 50_000;

  /**
   * Questions to one zone at the same time, a share of them for one client network ({@link
   * LookupPlaces}); more get no answer. A zone that is silent keeps its places, and takes none of
   * others.
   */
  static final int MAX_QUESTIONS = 2_000;

  private final Map<String, LookupPlaces> placesOf = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /** Guarded by itself; in the order in which questions were asked. */
  private final Map<Question, Asked> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Asked> eldest) {
          return size() > MAX_ANSWERS;
        }
      };

  private record Question(String zone, ListKey subject) {}

  KeptAnswers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Forgets the answers of other zones. */
  void retain(Set<String> zones) {
    placesOf.keySet().retainAll(zones);
    synchronized (known) {
      known.keySet().removeIf(question -> !zones.contains(question.zone()));
    }
  }

  /**
   * A question that was asked already and whose answer still counts, or a new one.
   *
   * @param client on whose behalf
   * @param send sends the question
   * @return {@code null} when there is no place for another question of this client
   */
  @Nullable Asked ask(
      String zone, ListKey subject, IpAddress client, Supplier<CompletableFuture<DnsAnswer>> send) {
    Question question = new Question(zone, subject);
    Asked fresh = new Asked(nanoTime.getAsLong());
    LookupPlaces places =
        placesOf.computeIfAbsent(zone, _ -> new LookupPlaces(MAX_QUESTIONS, nanoTime));
    synchronized (known) {
      Asked old = known.get(question);
      if (old != null && old.counts(nanoTime.getAsLong())) {
        return old;
      }
      if (!places.take(client)) {
        return null;
      }
      known.remove(question);
      known.put(question, fresh);
    }
    var _ =
        send.get()
            .whenComplete((answer, failure) -> {
              places.giveBack(client, false);
              fresh.complete(
                  answer == null ? new DnsAnswer.Silent(Duration.ZERO) : answer,
                  nanoTime.getAsLong());
            });
    return fresh;
  }

  /** A question that was sent: without an answer, then with one, then out of date. */
  static final class Asked {
    private final long beganNanos;
    private final CompletableFuture<DnsAnswer> answer = new CompletableFuture<>();
    private volatile long endNanos;

    Asked(long beganNanos) {
      this.beganNanos = beganNanos;
      this.endNanos = beganNanos;
    }

    /** The time when it was sent, by the monotonic clock, in nanoseconds. */
    long beganNanos() {
      return beganNanos;
    }

    private boolean counts(long nowNanos) {
      return !answer.isDone() || endNanos - nowNanos > 0;
    }

    private void complete(DnsAnswer given, long nowNanos) {
      endNanos = nowNanos + given.keep().toNanos();
      answer.complete(given);
    }

    /** The answer; waits for it until the time is over. */
    DnsAnswer await(long endOfWaitNanos, long nowNanos) {
      try {
        return answer.get(Math.max(0, endOfWaitNanos - nowNanos), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        return new DnsAnswer.Silent(Duration.ZERO);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new DnsAnswer.Silent(Duration.ZERO);
      }
    }
  }
}

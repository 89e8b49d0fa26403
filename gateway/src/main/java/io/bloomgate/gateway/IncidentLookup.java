package io.bloomgate.gateway;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.gateway.log.WarningPace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the kept sessions for the ids that messages quote, on one platform thread: a virtual thread
 * in native code of the database would stop all sessions. A session waits no longer than {@link
 * #TIME}; what is not answered in time counts as unknown. Mail to postmaster cannot keep the store
 * busy: all messages that wait are one look-up, the thread rests longer than it works, and one
 * client network asks once at a time. Thread-safe.
 */
final class IncidentLookup {

  private static final Logger LOG = LoggerFactory.getLogger(IncidentLookup.class);

  /** Time that a session waits for the ids of one message. */
  static final Duration TIME = Duration.ofSeconds(1);

  /** Messages that wait for the thread; a further one has no id looked up. */
  static final int MAX_WAITING = 256;

  /** Rest after a look-up, in times of its duration: a quarter of a core at most. */
  private static final int REST = 3;

  private static final Duration LONGEST_REST = Duration.ofMillis(200);

  private static final Duration IDLE_THREAD = Duration.ofSeconds(10);

  private static final int WARNINGS_A_MINUTE = 1;

  /** Store of incidents. */
  @FunctionalInterface
  interface Store {
    /** Returns those of the ids that belong to refusals, in their order. */
    List<String> refusals(List<String> ids) throws IOException;
  }

  /** The ids of one message. */
  private record Question(
      IpPrefix network, List<String> ids, CompletableFuture<List<String>> answer) {}

  private final Store store;
  private final LongSupplier nanoTime;
  private final ThreadPoolExecutor thread;
  private final BlockingQueue<Question> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Set<IpPrefix> asking = ConcurrentHashMap.newKeySet();
  private final WarningPace warnings;

  /**
   * A look-up.
   *
   * @param threads makes platform threads
   * @param nanoTime a monotonic clock, nanoseconds
   */
  IncidentLookup(Store store, ThreadFactory threads, LongSupplier nanoTime) {
    this.store = store;
    this.nanoTime = nanoTime;
    // One round that runs and one that begins after it: that one takes all that wait.
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_THREAD.toSeconds(),
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            threads,
            new ThreadPoolExecutor.DiscardPolicy());
    this.thread.allowCoreThreadTimeOut(true);
    this.warnings = new WarningPace(nanoTime, WARNINGS_A_MINUTE);
  }

  /**
   * Returns those of the ids that belong to refusals, as far as the store says so in time.
   *
   * @param client whose message quotes the ids
   */
  List<String> known(IpAddress client, List<String> ids) {
    IpPrefix network = ClientNetwork.site(client);
    if (!asking.add(network)) {
      warn("another message from " + network + " waits for the store");
      return List.of();
    }
    Question question = new Question(network, List.copyOf(ids), new CompletableFuture<>());
    if (!waiting.offer(question)) {
      asking.remove(network);
      warn("other messages wait for the store");
      return List.of();
    }
    thread.execute(this::round);
    return answer(question.answer);
  }

  /** Messages that wait for the next look-up. */
  int waiting() {
    return waiting.size();
  }

  private List<String> answer(CompletableFuture<List<String>> answer) {
    try {
      return answer.get(TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      warn("the store did not answer within " + TIME.toSeconds() + " s");
    } catch (ExecutionException e) {
      warn(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer.cancel(false); // one that still waits is not asked any more
    return List.of();
  }

  /** Answers all that wait with one look-up. */
  private void round() {
    List<Question> questions = new ArrayList<>();
    waiting.drainTo(questions);
    questions.forEach(question -> asking.remove(question.network));
    questions.removeIf(question -> question.answer.isDone());
    if (questions.isEmpty()) {
      return;
    }
    long began = nanoTime.getAsLong();
    try {
      List<String> ids =
          questions.stream().flatMap(question -> question.ids.stream()).distinct().toList();
      Set<String> known = Set.copyOf(store.refusals(ids));
      for (Question question : questions) {
        question.answer.complete(question.ids.stream().filter(known::contains).toList());
      }
    } catch (IOException | RuntimeException e) {
      questions.forEach(question -> question.answer.completeExceptionally(e));
    }
    rest(nanoTime.getAsLong() - began);
  }

  private static void rest(long workedNanos) {
    try {
      Thread.sleep(Duration.ofNanos(Math.min(REST * workedNanos, LONGEST_REST.toNanos())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void warn(String why) {
    warnings.say(more ->
        LOG.warn(
            "mail to postmaster or abuse passes without the field X-Bloomgate-Incident: {}{}",
            why,
            more));
  }
}

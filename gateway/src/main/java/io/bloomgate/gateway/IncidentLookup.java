package io.bloomgate.gateway;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.gateway.log.WarningPace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the kept sessions for the ids that messages quote, on one platform thread that gives way to
 * mail: a virtual thread in native code of the database would stop all sessions. A session waits no
 * longer than {@link #TIME}; what is not answered in time counts as unknown. One client network
 * asks once at a time. Thread-safe.
 */
final class IncidentLookup {

  private static final Logger LOG = LoggerFactory.getLogger(IncidentLookup.class);

  /** Time that a session waits for the ids of one message. */
  static final Duration TIME = Duration.ofSeconds(1);

  /** Messages that wait for the thread; a further one has no id looked up. */
  static final int MAX_WAITING = 256;

  private static final Duration IDLE_THREAD = Duration.ofSeconds(10);
  private static final int WARNINGS_A_MINUTE = 1;

  /** Store of incidents. */
  @FunctionalInterface
  interface Store {
    /** Returns those of the ids that belong to refusals, in their order. */
    List<String> refusals(List<String> ids) throws IOException;
  }

  private final Store store;
  private final ThreadPoolExecutor thread;
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
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_THREAD.toSeconds(),
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            threads);
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
    FutureTask<List<String>> answer = new FutureTask<>(() -> store.refusals(ids));
    try {
      thread.execute(answer);
      return answer.get(TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      warn("other messages wait for the store");
    } catch (TimeoutException e) {
      warn("the store did not answer within " + TIME.toSeconds() + " s");
    } catch (ExecutionException e) {
      warn(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      answer.cancel(false); // one that still waits is not asked any more
      asking.remove(network);
    }
    return List.of();
  }

  private void warn(String why) {
    warnings.say(more ->
        LOG.warn(
            "mail to postmaster or abuse passes without the field X-Bloomgate-Incident: {}{}",
            why,
            more));
  }
}

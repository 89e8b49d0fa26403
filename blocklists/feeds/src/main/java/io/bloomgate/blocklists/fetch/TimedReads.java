package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads files under a time limit, for no file system promises to answer: a pipe waits for a writer,
 * a disk of the network for its server, and neither wakes for an interrupt. The work runs on a
 * separate thread, which is left behind when its time is over; as long as it hangs, nothing else is
 * started for the same file. One for all file feeds, kept by {@link FeedSources}; thread-safe.
 */
final class TimedReads {

  private final Executor executor;
  private final Duration fetchTime;
  private final Set<String> hanging = ConcurrentHashMap.newKeySet();

  /**
   * @param executor runs the work
   * @param fetchTime for a whole fetch
   */
  TimedReads(Executor executor, Duration fetchTime) {
    this.executor = executor;
    this.fetchTime = fetchTime;
  }

  /** The file did not answer in time. */
  static final class HangingException extends IOException {
    private static final long serialVersionUID = 1L;

    HangingException(Duration limit) {
      super("nothing after " + limit.toSeconds() + " s");
    }
  }

  /** Fetches what {@code path} names. */
  <T> T fetch(String path, Callable<T> work) throws IOException {
    return within(fetchTime, path, work);
  }

  /** Looks at it, which takes no time where nothing hangs. */
  <T> T look(String path, Callable<T> work) throws IOException {
    return within(
        fetchTime.compareTo(FeedLimits.LOOK_TIME) < 0 ? fetchTime : FeedLimits.LOOK_TIME,
        path,
        work);
  }

  private <T> T within(Duration limit, String path, Callable<T> work) throws IOException {
    if (hanging.contains(path)) {
      throw new HangingException(limit);
    }
    FutureTask<T> task = new FutureTask<>(work);
    executor.execute(() -> {
      task.run();
      hanging.remove(path);
    });
    try {
      return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      hanging.add(path);
      if (task.isDone()) {
        hanging.remove(path);
      }
      throw new HangingException(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the fetch was ended", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}

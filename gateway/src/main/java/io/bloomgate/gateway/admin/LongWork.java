package io.bloomgate.gateway.admin;

import io.bloomgate.gateway.admin.ReplySender.ClientGoneException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work that may take longer than the command line waits for a sign of life. Used by handlers on the
 * threads of control connections.
 */
final class LongWork {

  /** Well below the timeout of the command line. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private LongWork() {}

  /**
   * Does the work on another thread and sends progress meanwhile, first of all once.
   *
   * @param beat shows the client that the work goes on
   * @throws InterruptedException when the gateway stops
   * @throws IOException when the work failed with one
   */
  static <T> T await(ThreadFactory threads, Callable<T> work, Runnable beat)
      throws IOException, InterruptedException {
    FutureTask<T> task = begun(threads, work);
    try {
      return result(task, beat);
    } finally {
      task.cancel(true); // the client has gone
    }
  }

  private static <T> FutureTask<T> begun(ThreadFactory threads, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    threads.newThread(task).start();
    return task;
  }

  /**
   * Does the work on another thread, and ends it when it takes longer than {@link #HEARTBEAT}.
   *
   * @param otherwise the result then
   */
  static <T> T within(ThreadFactory threads, Callable<T> work, T otherwise)
      throws IOException, InterruptedException {
    FutureTask<T> task = begun(threads, work);
    try {
      return task.get(HEARTBEAT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return otherwise;
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      task.cancel(true);
    }
  }

  /** The same for work that goes on to its end when the client has gone. */
  static <T> T finish(ThreadFactory threads, Callable<T> work, Runnable beat)
      throws IOException, InterruptedException {
    return result(begun(threads, work), beat);
  }

  private static <T> T result(FutureTask<T> task, Runnable beat)
      throws IOException, InterruptedException {
    try {
      while (true) {
        beat.run();
        try {
          return task.get(HEARTBEAT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          // Not yet.
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(ExecutionException e) throws IOException {
    if (e.getCause() instanceof IOException failure) {
      throw failure;
    }
    if (e.getCause() instanceof ClientGoneException gone) {
      throw gone;
    }
    return new IllegalStateException(e.getCause());
  }
}

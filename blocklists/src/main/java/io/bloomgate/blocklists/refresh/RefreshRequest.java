package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that a control thread asks of the feed-refresher and waits for: it is answered on the
 * one thread and read on the other.
 *
 * @param <T> what it ends with
 */
final class RefreshRequest<T> {

  /** Time without progress after which the waiting client gets a sign that work goes on. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(3);

  private final BlockingQueue<Event<T>> events = new LinkedBlockingQueue<>();

  /** A message to the waiting side. */
  private sealed interface Event<T> {
    record Going<T>(RefreshProgress progress) implements Event<T> {}

    record Ended<T>(T result) implements Event<T> {}
  }

  /** Work goes on. On the feed-refresher thread. */
  void going(RefreshProgress step) {
    events.add(new Event.Going<>(step));
  }

  /** Ends the request as done or refused. On the feed-refresher thread, once. */
  void ended(T result) {
    events.add(new Event.Ended<>(result));
  }

  /**
   * Waits for the end on the caller's thread, where progress is reported too.
   *
   * @param stopped when true and nothing more comes, there will be no answer
   * @param refusal the result then
   */
  T await(Consumer<RefreshProgress> progress, BooleanSupplier stopped, T refusal)
      throws InterruptedException {
    while (true) {
      Event<T> event = events.poll(SIGN_OF_LIFE.toMillis(), TimeUnit.MILLISECONDS);
      switch (event) {
        case null -> {
          if (stopped.getAsBoolean()) {
            return refusal;
          }
          progress.accept(RefreshProgress.step("working", null, "working"));
        }
        case Event.Going<T>(RefreshProgress step) -> progress.accept(step);
        case Event.Ended<T>(T result) -> {
          return result;
        }
      }
    }
  }

  /** The result if there is one already. */
  @Nullable T result() {
    for (Event<T> event : List.copyOf(events)) {
      if (event instanceof Event.Ended<T>(T result)) {
        return result;
      }
    }
    return null;
  }
}

package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits for the feed-refresher: it is answered on that thread and read on the
 * control thread that asked. Made by {@link FeedLoop}.
 *
 * @param <T> what it ends with
 */
final class FeedTask<T> {

  /** Time without progress after which the waiting client gets a sign that work goes on. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(3);

  /** Follows the last step. */
  private static final RefreshProgress END = RefreshProgress.step("", null, "");

  private final T refusal;
  private final BlockingQueue<RefreshProgress> steps = new LinkedBlockingQueue<>();
  private volatile @Nullable T result;

  /**
   * @param refusal the result where the loop ends before
   */
  FeedTask(T refusal) {
    this.refusal = refusal;
  }

  /** Work goes on. Any thread. */
  void going(RefreshProgress step) {
    steps.add(step);
  }

  /** Ends the command; once, on the feed-refresher thread. */
  void end(T with) {
    result = with;
    steps.add(END);
  }

  /** Ends the command without an answer, unless it has one. */
  void refuse() {
    if (result == null) {
      end(refusal);
    }
  }

  /**
   * Waits for the end on the caller's thread, where progress is reported too.
   *
   * @param stopped when true and nothing more comes, there will be no answer
   */
  T await(Consumer<RefreshProgress> progress, BooleanSupplier stopped) throws InterruptedException {
    while (true) {
      RefreshProgress step = steps.poll(SIGN_OF_LIFE.toMillis(), TimeUnit.MILLISECONDS);
      T end = result;
      if (end != null && END.equals(step)) {
        return end;
      }
      if (step == null && stopped.getAsBoolean()) {
        return refusal;
      }
      progress.accept(step == null ? RefreshProgress.step("working", null, "working") : step);
    }
  }

  /**
   * Refreshes that somebody waits for, until their last feed has come. Belongs to the
   * feed-refresher thread.
   */
  static final class WaitingRefreshes {

    private final FeedReports reports;
    private final Predicate<String> isUnderWay;

    /** Fetches report on their own threads. */
    private final List<Asked> waiting = new CopyOnWriteArrayList<>();

    private record Asked(List<Source> feeds, String note, FeedTask<RefreshResult> task) {
      boolean concerns(RefreshProgress step) {
        String feed = step.feed();
        return feed == null || feeds.stream().anyMatch(f -> f.name().equals(feed));
      }
    }

    /**
     * @param isUnderWay true for a feed that is being fetched
     */
    WaitingRefreshes(FeedReports reports, Predicate<String> isUnderWay) {
      this.reports = reports;
      this.isUnderWay = isUnderWay;
    }

    /**
     * Somebody waits.
     *
     * @param note what is said at the end, empty for nothing
     */
    void add(List<Source> feeds, String note, FeedTask<RefreshResult> task) {
      waiting.add(new Asked(feeds, note, task));
    }

    /** Work goes on. Any thread. */
    void report(RefreshProgress step) {
      waiting.stream().filter(a -> a.concerns(step)).forEach(a -> a.task.going(step));
    }

    /**
     * Answers those whose last feed has come.
     *
     * @param trouble empty, or why it did not go as it should
     */
    void settle(String trouble) {
      waiting.removeIf(asked -> {
        boolean done = asked.feeds.stream().noneMatch(f -> isUnderWay.test(f.name()));
        if (done) {
          asked.task.end(result(asked.feeds, trouble.isEmpty() ? asked.note : trouble, trouble));
        }
        return done;
      });
    }

    private RefreshResult result(List<Source> asked, String message, String trouble) {
      List<FeedStatus> feeds = asked.stream().map(reports::status).toList();
      long current =
          feeds.stream()
              .map(FeedStatus::state)
              .filter(s -> s == FeedState.FRESH || s == FeedState.UNCHANGED)
              .count();
      int exitCode = trouble.isEmpty() && current == asked.size() ? 0 : current > 0 ? 4 : 1;
      return new RefreshResult(feeds, exitCode, message);
    }
  }
}

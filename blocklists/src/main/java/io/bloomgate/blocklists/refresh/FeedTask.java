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
 * Something that a control thread asks of the feed-refresher and waits for: it is answered on the
 * one thread and read on the other.
 *
 * @param <T> what it ends with
 */
final class RefreshRequest<T> {

  /** Time without progress after which the waiting client gets a sign that work goes on. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(3);

  /** Follows the last step. */
  private static final RefreshProgress END = RefreshProgress.step("", null, "");

  private final BlockingQueue<RefreshProgress> steps = new LinkedBlockingQueue<>();
  private volatile @Nullable T result;

  /** Work goes on. On the feed-refresher thread. */
  void going(RefreshProgress step) {
    steps.add(step);
  }

  /** Ends the request as done or refused. On the feed-refresher thread, once. */
  void ended(T end) {
    result = end;
    steps.add(END);
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

  /** The result if there is one already. */
  @Nullable T result() {
    return result;
  }

  /**
   * Refreshes that somebody waits for, until their last feed has come. Belongs to the
   * feed-refresher thread.
   */
  static final class WaitingRefreshes {

    private final FeedReports reports;

    /** Fetches report on their own threads. */
    private final List<Asked> waiting = new CopyOnWriteArrayList<>();

    private record Asked(List<Source> feeds, String note, RefreshRequest<RefreshResult> request) {
      boolean concerns(RefreshProgress step) {
        String feed = step.feed();
        return feed == null || feeds.stream().anyMatch(f -> f.name().equals(feed));
      }
    }

    WaitingRefreshes(FeedReports reports) {
      this.reports = reports;
    }

    /**
     * Somebody waits.
     *
     * @param note what is said at the end, empty for nothing
     */
    void add(List<Source> feeds, String note, RefreshRequest<RefreshResult> request) {
      waiting.add(new Asked(feeds, note, request));
    }

    /** Work goes on. Any thread. */
    void report(RefreshProgress step) {
      waiting.stream().filter(a -> a.concerns(step)).forEach(a -> a.request.going(step));
    }

    /**
     * Answers those whose last feed has come.
     *
     * @param trouble empty, or why it did not go as it should
     */
    void settle(Predicate<String> isUnderWay, String trouble) {
      waiting.removeIf(asked -> {
        boolean done = asked.feeds.stream().noneMatch(f -> isUnderWay.test(f.name()));
        if (done) {
          asked.request.ended(ended(asked.feeds, trouble, asked.note));
        }
        return done;
      });
    }

    /** Answers all, whatever is still missing. */
    void giveUp(String trouble) {
      waiting.forEach(asked -> asked.request.ended(ended(trouble)));
      waiting.clear();
    }

    /** The result of a refresh that did not come to its end. */
    static RefreshResult ended(String trouble) {
      return new RefreshResult(List.of(), 1, trouble);
    }

    /** The result of a refresh of these feeds. */
    private RefreshResult ended(List<Source> asked, String trouble, String note) {
      List<FeedStatus> feeds = asked.stream().map(reports::status).toList();
      long current =
          feeds.stream()
              .map(FeedStatus::state)
              .filter(s -> s == FeedState.FRESH || s == FeedState.UNCHANGED)
              .count();
      int exitCode = trouble.isEmpty() && current == asked.size() ? 0 : current > 0 ? 4 : 1;
      return new RefreshResult(feeds, exitCode, trouble.isEmpty() ? note : trouble);
    }
  }
}

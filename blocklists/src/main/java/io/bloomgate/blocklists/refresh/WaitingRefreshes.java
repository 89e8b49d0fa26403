package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Refreshes that somebody waits for, until their last feed has come. Belongs to the feed-refresher
 * thread.
 */
final class WaitingRefreshes {

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
    waiting.forEach(asked -> asked.request.ended(ended(List.of(), trouble, "")));
    waiting.clear();
  }

  /** The result of a refresh of these feeds. */
  RefreshResult ended(List<Source> asked, String trouble, String note) {
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

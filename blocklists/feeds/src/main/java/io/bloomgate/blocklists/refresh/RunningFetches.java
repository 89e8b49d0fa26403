package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fetches that are under way, at most one of each feed, since both would write into the same
 * directory. Belongs to the feed-refresher thread; the fetches themselves run on threads of their
 * own.
 */
final class RunningFetches {

  private static final Logger LOG = LoggerFactory.getLogger(RunningFetches.class);

  private final Executor executor;
  private final PublisherIntervals intervals;
  private final Runnable onEnd;
  private final Map<String, Fetch> underWay = new LinkedHashMap<>();

  private record Fetch(Source source, long asked, CompletableFuture<FetchResult> result) {}

  /**
   * A fetch that ended.
   *
   * @param source the feed as the settings had it when it began
   * @param asked version whose validators were shown to the source, 0 for none
   */
  record Ended(Source source, long asked, FetchResult result) {}

  /**
   * @param onEnd called on the fetch's thread whenever one has ended
   */
  RunningFetches(Executor executor, PublisherIntervals intervals, Runnable onEnd) {
    this.executor = executor;
    this.intervals = intervals;
    this.onEnd = onEnd;
  }

  boolean isUnderWay(String feed) {
    return underWay.containsKey(feed);
  }

  /**
   * Begins a fetch; only for a feed of which none is under way.
   *
   * @param asked version whose validators are shown to the source, 0 for none
   */
  void start(Source source, long asked, Supplier<FetchResult> fetch) {
    Duration wait = intervals.begin(source);
    Executor later =
        wait.isZero()
            ? executor
            : CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS, executor);
    CompletableFuture<FetchResult> result = CompletableFuture.supplyAsync(fetch, later);
    underWay.put(source.name(), new Fetch(source, asked, result));
    // Called when it counts as done, so that the thread that wakes up finds it.
    var _ = result.whenComplete((done, failure) -> onEnd.run());
  }

  /** Waits until those of these feeds have ended, or for this long. */
  void await(List<Source> sources, Duration patience) throws InterruptedException {
    CompletableFuture<?>[] all =
        sources.stream()
            .flatMap(s -> Stream.ofNullable(underWay.get(s.name())))
            .map(Fetch::result)
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Those that are late go into a later generation; a failure shows when it is taken.
      LOG.debug("not every fetch has ended well: {}", e.toString());
    }
  }

  /** True when there is something to take. */
  boolean haveEnded() {
    return underWay.values().stream().anyMatch(f -> f.result.isDone());
  }

  /** Hands over those that have ended. */
  List<Ended> take() throws InterruptedException {
    List<Ended> ended = new ArrayList<>();
    for (Fetch fetch : List.copyOf(underWay.values())) {
      if (fetch.result.isDone()) {
        underWay.remove(fetch.source.name());
        ended.add(new Ended(fetch.source, fetch.asked, result(fetch)));
      }
    }
    return ended;
  }

  private static FetchResult result(Fetch fetch) throws InterruptedException {
    try {
      return fetch.result.get();
    } catch (ExecutionException e) {
      LOG.error("fetching feed {} failed unexpectedly", fetch.source.name(), e);
      return FetchResult.Failed.of(
          "unexpected fault while fetching, see the log", String.valueOf(e.getCause()));
    }
  }

  /**
   * Reports to commands that wait for a feed how much of it has come, some times a second. There is
   * no text, since a line for each would be a flood. One for each fetch; used on its thread.
   */
  static final class FetchSteps implements FetchMeter {

    /** Time between two of them. */
    private static final Duration EVERY = Duration.ofMillis(250);

    private final String feed;
    private final InstantSource clock;
    private final Consumer<RefreshProgress> progress;
    private @Nullable Instant reported;

    FetchSteps(String feed, InstantSource clock, Consumer<RefreshProgress> progress) {
      this.feed = feed;
      this.clock = clock;
      this.progress = progress;
    }

    @Override
    public void taken(long octets, long total) {
      Instant now = clock.instant();
      boolean complete = octets == total;
      if (!complete && reported != null && Duration.between(reported, now).compareTo(EVERY) < 0) {
        return;
      }
      reported = now;
      progress.accept(new RefreshProgress("", feed, "fetching", octets, Math.max(-1, total)));
    }
  }
}

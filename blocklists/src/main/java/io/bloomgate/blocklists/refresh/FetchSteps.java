package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports to commands that wait for a feed how much of it has come, some times a second. There is
 * no text, since a line for each would be a flood. One for each fetch; used on its thread.
 */
final class FetchSteps implements FetchMeter {

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

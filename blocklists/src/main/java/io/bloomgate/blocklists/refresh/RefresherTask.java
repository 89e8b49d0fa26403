package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A task that the loop of {@link FeedRefresher} does next. Put into its queue on control threads
 * and by fetches that end, carried out one after the other on the feed-refresher thread.
 */
sealed interface RefresherTask {

  /** Look around again. */
  record Wake() implements RefresherTask {}

  /**
   * Refresh.
   *
   * @param names feeds; none and not {@code all}: those that are due
   * @param force also where the server asked us to wait, and without validators
   */
  record Refresh(
      List<String> names, boolean all, boolean force, RefreshRequest<RefreshResult> request)
      implements RefresherTask {

    /** The feeds that are meant, of those of the settings. */
    List<Source> asked(Map<String, Source> sources, Supplier<List<Source>> due) {
      if (all) {
        return List.copyOf(sources.values());
      }
      return names.isEmpty()
          ? due.get()
          : new LinkedHashSet<>(names).stream().map(sources::get).filter(Objects::nonNull).toList();
    }
  }

  /** Let another version be live. */
  record Switch(Choice choice, RefreshRequest<ActResult> request) implements RefresherTask {

    /** Chooses, and tells the waiting command in any case. */
    void carryOut() throws InterruptedException {
      ActResult result = ActResult.refused("it failed unexpectedly", "the log says why");
      try {
        result = choice.carryOut();
      } finally {
        request.ended(result);
      }
    }
  }

  /** Chooses the version. */
  @FunctionalInterface
  interface Choice {
    ActResult carryOut() throws InterruptedException;
  }

  /** Ends a task that will not be carried out: the waiting command gets one of these results. */
  default void refuse(RefreshResult noRefresh, ActResult noSwitch) {
    switch (this) {
      case Wake() -> {}
      case Refresh refresh -> refresh.request().ended(noRefresh);
      case Switch change -> change.request().ended(noSwitch);
    }
  }
}

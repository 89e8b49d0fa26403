package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import java.util.List;

/**
 * What the loop of {@link FeedRefresher} does next. Put into its queue on control threads and by
 * fetches that end, carried out one after the other on the feed-refresher thread.
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
      implements RefresherTask {}

  /** Let another version be live. */
  record Switch(OperatorChoice.Act act, RefreshRequest<ActResult> request)
      implements RefresherTask {}

  /** It will not be carried out: the waiting command gets one of these results. */
  default void refuse(RefreshResult noRefresh, ActResult noSwitch) {
    switch (this) {
      case Wake() -> {}
      case Refresh refresh -> refresh.request().ended(noRefresh);
      case Switch change -> change.request().ended(noSwitch);
    }
  }
}

package io.bloomgate.gateway.score;

import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.gateway.dns.DnsListAnswers;
import java.util.List;

/**
 * Finds the reason why a feed must not act more strongly as it is now, whatever its past says: what
 * it lists is not what its publisher says today. Pure; asked by {@link FeedScores}.
 */
final class FeedTrouble {

  private FeedTrouble() {}

  /** A clause; empty when nothing is wrong. */
  static String of(String name, List<FeedStatus> feeds, List<DnsListAnswers.State> dnsLists) {
    for (FeedStatus feed : feeds) {
      if (feed.feed().equals(name)) {
        return of(feed);
      }
    }
    for (DnsListAnswers.State list : dnsLists) {
      if (list.list().name().equals(name)) {
        return !list.enabled()
            ? "it is disabled"
            : list.problem().isEmpty() ? "" : "it is off: " + list.problem();
      }
    }
    return "it is not in force";
  }

  private static String of(FeedStatus feed) {
    boolean isDisabled = feed.state() == FeedState.DISABLED;
    return isDisabled || feed.alarms()
        ? (isDisabled ? "it is disabled" : "it has an alarm")
            + ": `bloomgate feeds show "
            + feed.feed()
            + "` says more"
        : "";
  }
}

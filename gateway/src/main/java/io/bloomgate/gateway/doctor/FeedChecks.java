package io.bloomgate.gateway.doctor;

import io.bloomgate.blocklists.refresh.FeedStatus;
import java.util.List;

/**
 * Checks whether the lists are as new as they should be, from the answer of {@code feeds list}.
 * Pure.
 */
final class FeedChecks {

  private static final String CHECK = Doctor.Check.FEEDS.word();

  private final List<FeedStatus> feeds;

  FeedChecks(List<FeedStatus> feeds) {
    this.feeds = feeds;
  }

  List<DoctorFinding> all() {
    return feeds.isEmpty()
        ? List.of(
            DoctorFinding.warn(
                CHECK,
                "feeds.sources",
                "no feed is set, only your own entries count",
                "name lists under feeds.sources; `bloomgate feeds test URL` tries one"))
        : feeds.stream().map(FeedChecks::finding).toList();
  }

  private static DoctorFinding finding(FeedStatus feed) {
    String name = feed.feed();
    String state = feed.state().word();
    String problem = feed.problem() == null ? "" : ": " + feed.problem();
    String fix = "`bloomgate feeds show " + name + "` shows more";
    return switch (feed.state()) {
      case FRESH, UNCHANGED -> DoctorFinding.ok(CHECK, name, "it is " + state);
      case FAILED -> DoctorFinding.fail(CHECK, name, "it has no good version" + problem, fix);
      case DISABLED ->
          DoctorFinding.warn(
              CHECK, name, "it is disabled", "`bloomgate feeds enable " + name + "`");
      case CACHED, HELD, STALE -> DoctorFinding.warn(CHECK, name, "it is " + state + problem, fix);
    };
  }
}

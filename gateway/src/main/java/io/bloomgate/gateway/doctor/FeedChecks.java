package io.bloomgate.gateway.doctor;

import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/** Whether the lists are as new as they should be; from what {@code feeds list} says. Pure. */
final class FeedChecks {

  private static final String CHECK = Doctor.Check.FEEDS.word();

  private final List<JsonObject> feeds;

  FeedChecks(List<JsonObject> feeds) {
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

  /** States as the contract, section 7, has them. */
  private static DoctorFinding finding(JsonObject feed) {
    String name = feed.text("feed").orElse("?");
    String state = feed.text("state").orElse("?");
    String problem = feed.text("problem").map(text -> ": " + text).orElse("");
    String mend = "`bloomgate feeds show " + name + "` tells more";
    return switch (state) {
      case "fresh", "unchanged" -> DoctorFinding.ok(CHECK, name, "it is " + state);
      case "failed" -> DoctorFinding.fail(CHECK, name, "it has no good version" + problem, mend);
      case "disabled" ->
          DoctorFinding.warn(CHECK, name, "it is disabled", "`feeds enable " + name + "`");
      default -> DoctorFinding.warn(CHECK, name, "it is " + state + problem, mend);
    };
  }
}

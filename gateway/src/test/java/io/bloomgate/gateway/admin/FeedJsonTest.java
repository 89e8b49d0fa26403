package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.LastCheck;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The JSON of the feeds commands has the documented members, in their order. */
class FeedJsonTest {

  private static final Instant TIME = Instant.parse("2026-10-01T08:00:00Z");

  private static FeedStatus status(FeedState state) {
    return new FeedStatus(
        "bad",
        state,
        10,
        1,
        TIME,
        TIME,
        TIME,
        null,
        7,
        Action.REJECT,
        null,
        FeedAge.CURRENT,
        FeedStatus.Health.GOOD,
        LastCheck.FRESH,
        TIME);
  }

  @Test
  void listHasTheDocumentedMembers() {
    String time = "\"" + TIME + "\"";
    String line =
        "{\"feed\":\"bad\",\"state\":\"%s\",\"entries\":10,\"invalid\":1,\"changed\":"
            + time
            + ",\"success\":"
            + time
            + ",\"attempt\":"
            + time
            + ",\"next\":null,\"hits_24h\":7,\"action\":\"reject\",\"problem\":null,\"age\":\"current\",\"health\":\"good\""
            + ",\"last_check\":\"fresh\"";
    assertEquals(
        line.formatted("fresh") + "}", Json.write(JsonRecords.of(status(FeedState.FRESH))));
    assertEquals(
        line.formatted("disabled") + ",\"disabled_until\":" + time + "}",
        Json.write(JsonRecords.of(status(FeedState.DISABLED))));
  }

  @Test
  void acceptAndRollbackSayWhatIsLive() {
    assertEquals(
        "{\"feed\":\"bad\",\"accepted\":2,\"entries\":10,\"held_entries\":1,\"reasons\":[\"shrink\"],\"generation\":3}",
        Json.write(
            FeedJson.of(
                new ActResult.Accepted(
                    "bad", 2, "f0", 10, null, 1, List.of("shrink"), 3, List.of()))));
    assertEquals(
        "{\"feed\":\"bad\",\"accepted\":2,\"entries\":10,\"accepted_entries\":4,\"held_entries\":0,\"reasons\":[],\"generation\":3}",
        Json.write(
            FeedJson.of(
                new ActResult.Accepted("bad", 2, "f0", 10, 4L, 0, List.of(), 3, List.of()))));
    assertEquals(
        "{\"feed\":\"bad\",\"version\":1,\"rolled_back_from\":2,\"entries\":9,\"fetched\":\""
            + TIME
            + "\",\"generation\":4}",
        Json.write(
            FeedJson.of(new ActResult.RolledBack("bad", 1, "f0", 2, "f1", 9, TIME, 4, List.of()))));
  }

  @Test
  void progressHasNoMembersThatAreNotKnown() {
    assertEquals(
        "{\"feed\":\"bad\",\"step\":\"fetching\",\"octets\":1000,\"total\":2000}",
        Json.write(FeedJson.of(new RefreshProgress("", "bad", "fetching", 1000, 2000))));
    assertEquals(
        "{\"feed\":\"bad\",\"step\":\"fetching\",\"octets\":8}",
        Json.write(FeedJson.of(new RefreshProgress("", "bad", "fetching", 8, -1))));
    assertEquals(
        "{\"step\":\"building\"}",
        Json.write(FeedJson.of(RefreshProgress.step("building the lists", null, "building"))));
  }
}

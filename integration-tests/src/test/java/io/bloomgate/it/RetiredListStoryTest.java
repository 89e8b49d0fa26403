package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ReportForm;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list ends, and another renames its column: everybody who is asked about feeds says so. */
class RetiredListStoryTest {

  private static final String NOTICE = "the list says: this list was merged into another";

  @TempDir Path folder;

  private GatewayFixture gateway(ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with(
            "feeds",
            """

              sources:
                ended: {file: FOLDER/ended.txt, format: lines, action: reject}
                renamed: {file: FOLDER/renamed.csv, format: "csv:dst_ip", action: reject}
                good: {file: FOLDER/good.txt, format: lines, action: reject}\
            """
                .replace("FOLDER", folder.toString()))
        .start();
  }

  private static String asked(GatewayFixture gateway, ControlRequest request) throws IOException {
    return gateway.control(request).json();
  }

  @Test
  void everyAnswerNamesTheSameFeeds() throws IOException {
    lists("; day one\n198.51.100.7\n", "dst_ip,port\n198.51.100.8,443\n");
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      String before = asked(gateway, new ControlRequest.Status());
      assertTrue(before.contains("\"feeds_bad\":[]"), before);
      lists("; this list was merged into another\n", "DstIP,port\n198.51.100.8,443\n");
      asked(gateway, new ControlRequest.FeedsRefresh(List.of(), true, true));
      String bad = "\"feeds_bad\":[\"ended\",\"renamed\"]";
      String status = asked(gateway, new ControlRequest.Status());
      assertTrue(status.contains(bad), status);
      assertTrue(status.contains("feed ended: rejected: empty"), status);
      assertTrue(status.contains(NOTICE), status);
      String health = asked(gateway, new ControlRequest.Health());
      assertTrue(health.contains(bad), health);
      String feeds = asked(gateway, new ControlRequest.FeedsList());
      assertEquals(2, feeds.split("\"health\":\"alarm\"", -1).length - 1, feeds);
      assertTrue(feeds.contains(NOTICE), feeds);
      String doctor = asked(gateway, new ControlRequest.Doctor(false, false, false, true));
      assertTrue(doctor.contains(NOTICE), doctor);
      assertTrue(doctor.contains("no column"), doctor);
      String report =
          asked(
              gateway,
              new ControlRequest.Report(Instant.now().minusSeconds(60), ReportForm.DATA, null));
      assertTrue(report.contains(NOTICE), report);
      assertTrue(report.contains("no column"), report);
      String explained =
          asked(
              gateway,
              new ControlRequest.Explain("198.51.100.7", null, null, null, null, null, null));
      assertTrue(explained.contains("\"feed\":\"ended\""), "what it listed stays: " + explained);
    }
  }

  private void lists(String ended, String renamed) throws IOException {
    Files.writeString(folder.resolve("ended.txt"), ended);
    Files.writeString(folder.resolve("renamed.csv"), renamed);
    Files.writeString(folder.resolve("good.txt"), "203.0.113.9\n");
  }
}

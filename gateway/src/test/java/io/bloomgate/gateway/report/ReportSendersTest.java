package io.bloomgate.gateway.report;

import static io.bloomgate.gateway.testkit.ReportFixture.NOW;
import static io.bloomgate.gateway.testkit.ReportFixture.listing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.Action;
import io.bloomgate.gateway.report.GatewayReport.GoodSender;
import io.bloomgate.gateway.testkit.ReportFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which accepted senders a report names. */
final class ReportSendersTest {

  @TempDir private Path folder;

  @Test
  void aSenderIsOneRowWhateverListsNameIt() throws IOException {
    ReportFixture fixture = new ReportFixture(folder);
    for (String client : List.of("203.0.113.7", "198.51.100.7", "198.51.100.8")) {
      fixture.add(
          Duration.ofHours(1),
          client,
          "a@shop.example",
          Outcome.DELIVERED,
          "tag",
          2,
          listing("bulk", Action.TAG, ""),
          listing("watch", Action.OBSERVE, ""));
    }
    fixture.add(
        Duration.ofHours(2),
        "192.0.2.7",
        "",
        Outcome.DELIVERED,
        "tag",
        1,
        listing("bulk", Action.TAG, ""));
    fixture.add(
        Duration.ofHours(2),
        "203.0.113.9",
        "",
        Outcome.DELIVERED,
        "tag",
        1,
        listing("bulk", Action.TAG, ""));
    List<GoodSender> senders =
        fixture.reports().since(NOW.minus(Duration.ofDays(1)), null).goodSenders();
    assertEquals(
        List.of(
            new GoodSender(
                "shop.example", "198.51.100.0/24", "bulk, watch", "tagged, observed", 6, 2),
            new GoodSender("<>", "192.0.2.0/24", "bulk", "tagged", 1, 1),
            new GoodSender("<>", "203.0.113.0/24", "bulk", "tagged", 1, 1)),
        senders);
  }
}

package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.FilterCounters;
import io.bloomgate.gateway.log.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus' own checker says to the metrics. */
final class PromtoolTest {

  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  @TempDir Path folder;

  @Test
  void findsNothingToComplainOf() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    GatewayMetrics metrics =
        new GatewayMetrics("0.1.0", new FilterCounters(), GatewayMetricsTest::figures);
    metrics.sessionOpened();
    metrics.downstream("accepted", Duration.ofMillis(3));
    for (Limit limit : Limit.values()) {
      metrics.limitReached(limit);
    }
    Path scraped = Files.writeString(folder.resolve("metrics"), metrics.scrape());
    Process process =
        new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
            .redirectInput(scraped.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals("0: ", process.waitFor() + ": " + said);
  }
}

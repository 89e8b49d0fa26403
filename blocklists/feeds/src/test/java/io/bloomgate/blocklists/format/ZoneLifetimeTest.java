package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Zones that say how long they are good. */
class ZoneLifetimeTest {

  private static final Instant NOW = Instant.parse("2026-11-21T07:00:00Z");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "$TIMESTAMP 2026:11:21:06:00:00 2026:11:22, taken",
    "$TIMESTAMP 2026:11:20 +2d, taken",
    "$TIMESTAMP 2026:11:19 +2d, expired",
    "$TIMESTAMP 2026:11:20:06:59:59 +1d, expired",
    "$TIMESTAMP 2026:11:21:07:30, taken",
    "$TIMESTAMP 2026:11:21:09, future",
    "#$timestamp 1764000000 1764000001, expired",
    "$TIMESTAMP - 2026:11:21:06, expired",
    "$TIMESTAMP - +1h, taken",
    "$TIMESTAMP 2026:13:45 99, taken",
    "$SOA 3600 ns. root. 1 600 300 86400 300, taken",
  })
  void refusesWhatIsNotOfThisTime(String line, String expected) {
    Optional<String> refusal =
        ZoneLifetime.ofHead("# head\n" + line + "\n192.0.2.1\n").refusal(NOW);
    String read = refusal.map(r -> r.contains("expired") ? "expired" : "future").orElse("taken");
    assertEquals(expected, read, refusal::toString);
  }

  @Test
  void onlyZonesAreAsked() throws IOException {
    Path zone = Files.writeString(folder.resolve("zone"), "$TIMESTAMP 2020:01:01 +1d\n192.0.2.1\n");
    FeedContent content = new FeedContent(List.of(zone));
    ParseTotals totals = new ParseTotals(2, 1, 0, 1, 0, null);
    assertEquals(totals, ZoneLifetime.check(totals, content, Reading.format("ips"), NOW));
    assertEquals(
        Optional.of("the zone has expired: its $TIMESTAMP says 2020-01-02T00:00:00Z"),
        ZoneLifetime.check(totals, content, Reading.format("rbldnsd:ip4set"), NOW).damage());
  }
}

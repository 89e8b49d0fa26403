package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.Shell;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code feeds refresh} shows while it goes on: bars, lines or objects. */
class RefreshProgressTest {

  private static final Palette PLAIN = new Palette(false);

  private static JsonObject step(String feed, String step) {
    return JsonValue.object().put("feed", feed).put("step", step).build();
  }

  private static JsonObject octets(String feed, long octets, long total) {
    JsonValue.ObjectBuilder step =
        JsonValue.object().put("feed", feed).put("step", "fetching").put("octets", octets);
    return total < 0 ? step.build() : step.put("total", total).build();
  }

  @Test
  void moreFeedsThanLinesShowThoseUnderWay() {
    RefreshBars bars = new RefreshBars(PLAIN, 10);
    for (int i = 0; i < 30; i++) {
      bars.take(step("feed" + i, i < 25 ? "unchanged" : "fetching"));
    }
    List<String> lines = bars.take(octets("feed29", 500_000, 1_000_000));
    assertEquals(6, lines.size(), lines::toString);
    assertTrue(lines.get(4).contains(" 50 %"), lines::toString);
    assertEquals("25 of 30 feeds are done", lines.getLast());
  }

  @Test
  void coloursMarkHowAFeedEnded() {
    RefreshBars bars = new RefreshBars(new Palette(true), 24);
    String all =
        String.join(
            "",
            Stream.of("fresh", "held", "failed")
                .map(s -> bars.take(step(s, s)).getLast())
                .toList());
    Shell.assertHas(all, "\u001b[32mfresh", "\u001b[33mheld", "\u001b[31mfailed");
  }
}

package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts with places for members of an object. */
class TemplateTest {

  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  private static final JsonObject ITEM =
      JsonValue.object()
          .put("feed", "drop")
          .put("entries", 1)
          .put("fill", 0.12345)
          .put("at", "2026-12-01T09:00:00Z")
          .put("evil", "{feed} $1 \\ \u001b[31m|")
          .build();

  @Test
  void aPlaceGetsTheValueInItsForm() {
    assertEquals(
        "drop: 1 entry of 1, 12.3 %, 3 h ago, -",
        Template.fill("{feed}: {#entries} of {entries}, {%fill}, {@at}, {none}", ITEM, NOW));
  }

  @Test
  void whatIsInsertedIsNoTemplateAndNoControl() {
    assertEquals("<{feed} $1 \\ \\u001b[31m|>", Template.fill("<{evil}>", ITEM));
  }

  @Test
  void aBarSeparatesCellsOfTheTemplateAlone() {
    assertEquals(
        List.of("drop", "", "{feed} $1 \\ \\u001b[31m|"),
        Template.cells("{feed}||{evil}", ITEM, NOW));
  }
}
